/**
 * MT-GRPO: multi-turn GRPO. A turn's own reward and the outcome, each compared within the group.
 *
 *   L = -1/B sum_b 1/N_b sum_t min(w_t A_h, clip(w_t, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   w_t = exp(d_t)
 *
 * Source: arXiv 2505.11821, eq. 6 and 7.
 */
import { criticFree, type Estimate } from "../method/credit/estimate.ts";
import { fromTurns } from "../method/credit/givenAdvantage.ts";
import { turnRewards } from "../method/credit/rewards.ts";
import { compareTurnsAndOutcome } from "../method/credit/turnGroups.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/**
 * A_h = z(r_h) + alpha A_{h+1} for h < K, or + alpha z(r_K) (laterTurns),  A_K = z(r_K)
 * z over the group's turns of the same number; r_K is the last turn's reward: the outcome
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const { adv, trace } = compareTurnsAndOutcome({
    reward: turnRewards(batch), // [K]
    turnStart: batch.turnStart, // [B+1]
    task: batch.task, // [B]
    alpha: config.alpha,
    laterTurns: config.laterTurns,
    std: config.std,
  });
  return criticFree(fromTurns(adv, batch), trace);
}

/** There is no critic. */
export { criticLoss } from "./grpo.ts";
