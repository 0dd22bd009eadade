/**
 * REINFORCE++: returns of tokens, normalised over all tokens of the batch, with PPO's ratio and
 * clip and no critic.
 *
 *   L = -1/N sum_t min(w_t A_t, clip(w_t, 1 - epsLow, 1 + epsHigh) A_t)
 *   w_t = exp(d_t)
 *
 * Row that differs by the baseline: ReMax, which compares with the score of a greedy rollout of the task. That
 * rollout is no sample of the policy, so the gradient stays unbiased.
 * Source: arXiv 2501.03262, sec. 3; verl/trainer/ppo/core_algos.py,
 * compute_reinforce_plus_plus_outcome_advantage.
 */
import { criticFree, type Estimate } from "../method/credit/estimate.ts";
import { fromTokens } from "../method/credit/givenAdvantage.ts";
import { returnsToGo } from "../method/credit/returnsToGo.ts";
import { tokenRewards } from "../method/credit/rewards.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { offsetsOf } from "./surrogate.ts";
import { lessGreedy } from "../method/credit/scoreBaselines.ts";

/** A_t = G_t - baseline,  G_t = r_t + gamma G_{t+1} over trainable tokens; baseline 0, or the greedy rollout's score */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const { trajectory } = offsetsOf(batch); // [B+1]
  const returns = returnsToGo(tokenRewards(batch), trajectory, config.gamma); // [N]
  const adv = lessGreedy(config, batch, returns); // [N]
  return criticFree(fromTokens(adv, batch), { "token.return": returns });
}

/** There is no critic. */
export { criticLoss } from "./grpo.ts";
