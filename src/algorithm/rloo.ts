/**
 * RLOO: REINFORCE with leave-one-out. Each rollout is compared with the mean of the others of its
 * task.
 * Source: arXiv 2402.14740, sec. 3.2; verl/trainer/ppo/core_algos.py, compute_rloo_outcome_advantage.
 */
import { fromTurns } from "../credit/givenAdvantage.ts";
import { leaveOneOut } from "../credit/leaveOneOut.ts";
import { trajectoryScores } from "../credit/rewards.ts";
import { broadcast } from "../numeric/segments.ts";
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { criticFree, type Credit, type Estimate } from "./algorithm.ts";
import { surrogateLoss } from "./surrogate.ts";

/**
 * A_b = R_b - mean of the group's other scores
 * on every turn and token of trajectory b
 */
export function estimate(_config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const adv = leaveOneOut(trajectoryScores(batch), batch.task); // [B]
  return criticFree(fromTurns(broadcast(adv, batch.turnStart), batch));
}

/**
 * L = -1/B sum_b sum_t A_b log pi(y_t)
 * without ratio and clip
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
