/**
 * OPO: on-policy optimisation with the baseline of least gradient variance, the group's mean
 * weighted by length.
 * Source: arXiv 2505.23585, sec. 3; verl/trainer/ppo/core_algos.py, compute_opo_outcome_advantage.
 */
import { fromTurns } from "../credit/givenAdvantage.ts";
import { lengthWeightedMean } from "../credit/lengthWeightedMean.ts";
import { trajectoryScores } from "../credit/rewards.ts";
import { broadcast, segmentLengths } from "../numeric/segments.ts";
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { criticFree, type Credit, type Estimate } from "./algorithm.ts";
import { offsetsOf, surrogateLoss } from "./surrogate.ts";

/**
 * A_b = R_b - sum of N_c R_c / sum of N_c over the group
 * on every turn and token of trajectory b, N_c being token counts
 */
export function estimate(_config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const tokens = segmentLengths(offsetsOf(batch).trajectory); // [B]
  const adv = lengthWeightedMean(trajectoryScores(batch), tokens, batch.task); // [B]
  return criticFree(fromTurns(broadcast(adv, batch.turnStart), batch));
}

/**
 * L = -1/N sum_t min(w_t A_b, clip(w_t, 1 - epsLow, 1 + epsHigh) A_b)
 * w_t = exp(d_t)
 */
export function actorLoss(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: Totals,
): PolicyLoss {
  return surrogateLoss(config, batch, credit.tokenAdvantage, totals);
}

/** There is no critic. */
export { criticLoss } from "./grpo.ts";
