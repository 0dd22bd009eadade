/**
 * GiGPO: Group-in-Group Policy Optimization. Episodes are compared within the task's group, and
 * within it turns that start from the same state; no critic.
 *
 *   L = -1/N sum_t min(w_t A_h, clip(w_t, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   w_t = exp(d_t)
 *
 * Source: arXiv 2505.10978, eq. 3 to 8; verl-agent gigpo/core_gigpo.py.
 */
import { criticFree, type Estimate } from "../method/credit/estimate.ts";
import { anchorStates } from "../method/credit/anchorStates.ts";
import { fromTurns } from "../method/credit/givenAdvantage.ts";
import { turnRewards } from "../method/credit/rewards.ts";
import { requireAnchor } from "../method/requireColumn.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/**
 * A_h = (R_b - mean of the group) + omega (G_h - mean over the turns from the same state)
 * G_h = r_h + gamma G_{h+1}; a state met once counts 0; each part over its std where std is set
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const { adv, trace } = anchorStates({
    reward: turnRewards(batch), // [K]
    turnStart: batch.turnStart, // [B+1]
    task: batch.task, // [B]
    anchor: requireAnchor(batch, config.name), // [K]
    gamma: config.gamma,
    omega: config.omega,
    std: config.std,
    groupCount: config.groupCount,
    anchorSimilarity: config.anchorSimilarity,
  });
  return criticFree(fromTurns(adv, batch), trace);
}

/** There is no critic. */
export { criticLoss } from "./grpo.ts";
