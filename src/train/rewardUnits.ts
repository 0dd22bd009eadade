/** Back from scaled rewards, which training works in, to the environment's, which people read. */
import type { Credit } from "../algorithm/registry.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";

/** Rewards, values, returns and TD errors divided by the scale; advantages are normalised and stay. */
export function inRewardUnits(
  batch: TrajectoryBatch,
  credit: Credit,
  rewardScale: number,
): { batch: TrajectoryBatch; credit: Credit } {
  const unscaled = (x: Float64Array) => x.map((number) => number / rewardScale);
  const { turnReward, tokenReward, turnValue, tokenValue } = batch;
  const { turnReturn, tokenReturn, delta } = credit;
  return {
    batch: {
      ...batch,
      turnReward: unscaled(turnReward), // [K]
      ...(tokenReward && { tokenReward: unscaled(tokenReward) }), // [N]
      ...(turnValue && { turnValue: unscaled(turnValue) }), // [K]
      ...(tokenValue && { tokenValue: unscaled(tokenValue) }), // [N]
    },
    credit: {
      ...credit,
      turnReturn: turnReturn && unscaled(turnReturn), // [K]
      tokenReturn: tokenReturn && unscaled(tokenReturn), // [N]
      delta: delta && unscaled(delta), // [K] or [N]
    },
  };
}
