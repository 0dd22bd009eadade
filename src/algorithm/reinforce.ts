/**
 * REINFORCE: each turn is paid the rewards that follow it; there is nothing to compare them with.
 * Source: Williams 1992, Machine Learning 8, eq. 11.
 */
import { fromTurns } from "../credit/givenAdvantage.ts";
import { returnsToGo } from "../credit/returnsToGo.ts";
import { turnRewards } from "../credit/rewards.ts";
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { criticFree, type Credit, type Estimate } from "./algorithm.ts";
import { surrogateLoss } from "./surrogate.ts";

/** A_h = r_h + gamma A_{h+1} over turns, on every token of turn h */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const returns = returnsToGo(turnRewards(batch), batch.turnStart, config.gamma); // [K]
  return criticFree(fromTurns(returns, batch));
}

/**
 * L = -1/B sum_b sum_t A_t log pi(y_t)
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
