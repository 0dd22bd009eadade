/** KL to the reference paid for in the reward, before any estimator sees it. */
import { requireColumn } from "../record/requireColumn.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";

/**
 * The batch whose tokens pay beta times k1 = log pi_old - log pi_ref. With beta 0 it is the batch
 * itself.
 * @throws InputError naming a missing log-prob.
 *
 * Source: verl/trainer/ppo/core_algos.py, compute_rewards.
 */
export function withKlReward(batch: TrajectoryBatch, beta: number): TrajectoryBatch {
  if (beta === 0) return batch;
  const user = `betaKlReward ${beta}`;
  const oldLogprob = requireColumn(batch, "oldLogprob", user); // [N]
  const refLogprob = requireColumn(batch, "refLogprob", user); // [N]
  const { tokenReward } = batch;
  const paid = oldLogprob.map((x, t) => (tokenReward?.[t] ?? 0) - beta * (x - refLogprob[t]!)); // [N]
  return { ...batch, tokenReward: paid };
}
