/** Reward placement: the same rewards seen per token, per turn and per trajectory. */
import { segmentSum } from "../../numeric/segments.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";

/** A turn's reward at its last token, plus what tokens carry themselves. [N] */
export function tokenRewards(batch: TrajectoryBatch): Float64Array {
  const reward = new Float64Array(batch.tokenStart.at(-1)!); // [N]
  if (batch.tokenReward) reward.set(batch.tokenReward);
  batch.turnReward.forEach((r, k) => (reward[batch.tokenStart[k + 1]! - 1]! += r));
  return reward;
}

/** All reward within a turn. [K] */
export function turnRewards(batch: TrajectoryBatch): Float64Array {
  if (!batch.tokenReward) return batch.turnReward.slice();
  const inside = segmentSum(batch.tokenReward, batch.tokenStart); // [K]
  return batch.turnReward.map((r, k) => r + inside[k]!); // [K]
}

/** All reward within a trajectory: its score. [B] */
export function trajectoryScores(batch: TrajectoryBatch): Float64Array {
  return segmentSum(turnRewards(batch), batch.turnStart);
}

/**
 * V after the last step: the batch's bootstrapValue where truncated, 0 where the environment ended.
 * [B]
 */
export function bootstraps(batch: TrajectoryBatch): Float64Array {
  return batch.bootstrapValue.map((v, b) => (batch.terminated[b] ? 0 : v));
}
