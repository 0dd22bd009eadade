/** KL to the reference as a part of the reward, before any estimator sees it. */
import { requireColumn } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";

/**
 * The batch whose token rewards are reduced by beta times k1 = log pi_old - log pi_ref. With beta 0
 * it is the batch itself.
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

/**
 * The next beta of a controller that steers the mean k1 of an iteration towards `target`: it grows
 * or shrinks by at most a fifth of episodes / horizon.
 *
 *   beta <- beta max(0, 1 + clip(kl / target - 1, -0.2, 0.2) episodes / horizon)
 *
 * The sources have no max: with a horizon of less than a fifth of the episodes their weight could
 * turn negative, and reward distance from the reference.
 *
 * Source: Ziegler et al., arXiv 1909.08593, sec. 2.2; verl/trainer/ppo/core_algos.py,
 * AdaptiveKLController.
 */
export function adaptedBeta(
  beta: number,
  kl: number,
  { target, horizon }: { target: number; horizon: number },
  episodes: number,
): number {
  const error = Math.min(0.2, Math.max(-0.2, kl / target - 1));
  return beta * Math.max(0, 1 + (error * episodes) / horizon);
}
