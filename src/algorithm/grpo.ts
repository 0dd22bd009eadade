/**
 * GRPO: Group Relative Policy Optimization. Several rollouts of one task are compared with each
 * other; no critic.
 *
 *   L = -1/B sum_b 1/N_b sum_t min(w_t A_b, clip(w_t, 1 - epsLow, 1 + epsHigh) A_b),  w_t = exp(d_t)
 *
 * Rows that differ by other axes: RLOO and OPO by the baseline; Dr.GRPO, DAPO, GSPO, GMPO, CISPO and
 * REINFORCE++ baseline by settings.
 * Source: DeepSeekMath, arXiv 2402.03300, sec. 4.1.
 */
import { criticFree, type Estimate } from "../method/credit/estimate.ts";
import { fromTurns } from "../method/credit/givenAdvantage.ts";
import { trajectoryScores } from "../method/credit/rewards.ts";
import { scoresAgainst } from "../method/credit/scoreBaselines.ts";
import { broadcast } from "../numeric/segments.ts";
import type { ValueLoss } from "../method/objective/valueLoss.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/**
 * A_b = (R_b - mean of the group) / (std of the group + 1e-6)
 * on every turn and token of trajectory b; another baseline takes the mean's place and has no divisor
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const score = trajectoryScores(batch); // [B]
  const { adv, trace } = scoresAgainst(config, score, batch); // [B]
  return criticFree(fromTurns(broadcast(adv, batch.turnStart), batch), trace);
}

/** There is no critic. */
export function criticLoss(): ValueLoss | null {
  return null;
}
