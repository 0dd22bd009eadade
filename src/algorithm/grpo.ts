/**
 * GRPO: Group Relative Policy Optimization. Several rollouts of one task are compared with each
 * other; no critic.
 * Source: DeepSeekMath, arXiv 2402.03300, sec. 4.1.
 */
import { fromTurns } from "../credit/givenAdvantage.ts";
import { groupScores } from "../credit/groupScores.ts";
import { trajectoryScores } from "../credit/rewards.ts";
import { broadcast } from "../numeric/segments.ts";
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import type { ValueLoss } from "../objective/valueLoss.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { criticFree, type Credit, type Estimate } from "./algorithm.ts";
import { surrogateLoss } from "./surrogate.ts";

/**
 * A_b = (R_b - mean of the group) / (std of the group + 1e-6)
 * on every turn and token of trajectory b
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const score = trajectoryScores(batch); // [B]
  const adv = groupScores(score, batch.task, config.std); // [B]
  return criticFree(fromTurns(broadcast(adv, batch.turnStart), batch));
}

/**
 * L = -1/B sum_b 1/N_b sum_t min(w_t A_b, clip(w_t, 1 - epsLow, 1 + epsHigh) A_b)
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
export function criticLoss(): ValueLoss | null {
  return null;
}
