/** Back from scaled rewards, which training works in, to the environment's, which people read. */
import { advantagesAreRewards, type Credit } from "../algorithm/registry.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/**
 * Rewards, values, returns and TD errors divided by the scale, and advantages where the algorithm counts them in
 * rewards; normalised ones stay.
 */
export function inRewardUnits(
  algorithm: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  rewardScale: number,
): { batch: TrajectoryBatch; credit: Credit } {
  const unscaled = (x: Float64Array) => x.map((number) => number / rewardScale);
  const advantage = (x: Float64Array) => (advantagesAreRewards(algorithm) ? unscaled(x) : x);
  const { turnReward, tokenReward, turnValue, tokenValue, greedyScore } = batch;
  const { turnReturn, tokenReturn, delta } = credit;
  return {
    batch: {
      ...batch,
      turnReward: unscaled(turnReward), // [K]
      ...(tokenReward && { tokenReward: unscaled(tokenReward) }), // [N]
      ...(turnValue && { turnValue: unscaled(turnValue) }), // [K]
      ...(tokenValue && { tokenValue: unscaled(tokenValue) }), // [N]
      ...(greedyScore && { greedyScore: unscaled(greedyScore) }), // [B]
    },
    credit: {
      ...credit,
      turnAdvantage: advantage(credit.turnAdvantage), // [K]
      tokenAdvantage: advantage(credit.tokenAdvantage), // [N]
      turnReturn: turnReturn && unscaled(turnReturn), // [K]
      tokenReturn: tokenReturn && unscaled(tokenReturn), // [N]
      delta: delta && unscaled(delta), // [K] or [N]
    },
  };
}
