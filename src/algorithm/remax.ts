/**
 * ReMax: what follows a token is compared with the score of a greedy rollout of the same task. The
 * greedy rollout is no sample of the policy, so the gradient stays unbiased.
 * Source: arXiv 2310.10505, alg. 1; verl/trainer/ppo/core_algos.py, compute_remax_outcome_advantage.
 */
import { fromTokens } from "../credit/givenAdvantage.ts";
import { returnsToGo } from "../credit/returnsToGo.ts";
import { tokenRewards } from "../credit/rewards.ts";
import { broadcast } from "../numeric/segments.ts";
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import { requireGreedyScore } from "../record/requireColumn.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { criticFree, type Credit, type Estimate } from "./algorithm.ts";
import { offsetsOf, surrogateLoss } from "./surrogate.ts";

/**
 * A_t = G_t - R_greedy,  G_t = r_t + gamma G_{t+1} over trainable tokens
 * with all reward at the end, A_t = R_b - R_greedy
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const { trajectory } = offsetsOf(batch); // [B+1]
  const baseline = broadcast(requireGreedyScore(batch, config.name), trajectory); // [N]
  const returns = returnsToGo(tokenRewards(batch), trajectory, config.gamma); // [N]
  return criticFree(
    fromTokens(
      returns.map((G, t) => G - baseline[t]!),
      batch,
    ),
  );
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
