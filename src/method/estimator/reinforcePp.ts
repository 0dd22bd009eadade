/**
 * REINFORCE++: returns of tokens, normalised over all tokens of the batch, with PPO's ratio and
 * clip and no critic.
 *
 *   L = -1/N sum_t min(rho_t A_t, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_t)
 *   rho_t = exp(d_t)
 *
 * Row that differs by the baseline: ReMax, which compares with the score of a greedy rollout of the
 * task. That rollout is not a sample of the policy, so the gradient stays unbiased. Source: arXiv
 * 2501.03262, sec. 3; verl/trainer/ppo/core_algos.py,
 * compute_reinforce_plus_plus_outcome_advantage.
 */
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { fromTokens } from "../credit/givenAdvantage.ts";
import { returnsToGo } from "../credit/returnsToGo.ts";
import { tokenRewards } from "../credit/rewards.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { offsetsOf } from "../objective/ratio.ts";
import { broadcast } from "../../numeric/segments.ts";
import { requireOfTrajectories } from "../requireColumn.ts";
import { outputOf } from "../formula/parts.ts";
import {
  BOTH,
  PER_TOKEN,
  returns,
  type EstimatorConfig,
  type EstimatorFacts,
} from "./estimator.ts";
import { f } from "../formula/tex.ts";

export const reinforcePp: EstimatorFacts = {
  ...returns,
  about: "the rewards from a token on, discounted per token",
  lesson: "reinforcePp",
  level: "token",
  discount: PER_TOKEN,
  verl: [
    { name: "remax", baseline: "greedy", whiten: "none", targets: ["verl"] },
    { name: "reinforce_plus_plus", baseline: "none", whiten: "tokens", targets: BOTH },
  ],
  formula: (choices) => [
    f`${"token.return"} &= ${"token.reward"} + ${"settings.gamma"}·${"token.nextReturn"}`,
    choices.baseline === "greedy"
      ? f`${outputOf(choices, "token")} &= ${"token.return"} - ${"trajectory.greedyScore"}`
      : f`${outputOf(choices, "token")} &= ${"token.return"}`,
  ],
  estimate,
};

/** A_t = G_t - baseline,  G_t = r_t + gamma G_{t+1} over trainable tokens; baseline 0, or the greedy rollout's score */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { trajectory } = offsetsOf(batch); // [B+1]
  const returns = returnsToGo(tokenRewards(batch), trajectory, config.gamma); // [N]
  const adv = lessGreedy(config, batch, returns); // [N]
  return criticFree(fromTokens(adv, batch), { "token.return": returns });
}

/**
 * Returns of tokens minus the greedy rollout's score where the row compares with it, else as they are. returns [N]
 * @throws InputError naming the first trajectory without a score.
 *
 * Source: arXiv 2310.10505, alg. 1; verl/trainer/ppo/core_algos.py, compute_remax_outcome_advantage.
 */
function lessGreedy(
  { baseline, name }: EstimatorConfig,
  batch: TrajectoryBatch,
  returns: Float64Array,
): Float64Array {
  if (baseline !== "greedy") return returns;
  const greedy = requireOfTrajectories(batch, "greedyScore", name); // [B]
  const onTokens = broadcast(greedy, offsetsOf(batch).trajectory); // [N]
  return returns.map((G, t) => G - onTokens[t]!);
}
