/**
 * REINFORCE++: returns of tokens, normalised over all tokens of the batch, with PPO's ratio and
 * clip and no critic.
 * Source: arXiv 2501.03262, sec. 3; verl/trainer/ppo/core_algos.py,
 * compute_reinforce_plus_plus_outcome_advantage.
 */
import { fromTokens } from "../credit/givenAdvantage.ts";
import { returnsToGo } from "../credit/returnsToGo.ts";
import { tokenRewards } from "../credit/rewards.ts";
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { criticFree, type Credit, type Estimate } from "./algorithm.ts";
import { offsetsOf, surrogateLoss } from "./surrogate.ts";

/** A_t = r_t + gamma A_{t+1} over trainable tokens */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const { trajectory } = offsetsOf(batch); // [B+1]
  const returns = returnsToGo(tokenRewards(batch), trajectory, config.gamma); // [N]
  return criticFree(fromTokens(returns, batch));
}

/**
 * L = -1/N sum_t min(w_t A_t, clip(w_t, 1 - epsLow, 1 + epsHigh) A_t)
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
