/**
 * REINFORCE++: returns of tokens, normalised over all tokens of the batch, with PPO's ratio and
 * clip and no critic.
 *
 *   L = -1/N sum_t min(rho_t A_t, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_t)
 *   rho_t = exp(d_t)
 *
 * Rows that differ by the baseline: ReMax, which compares with the score of a greedy rollout of the
 * task. That rollout is not a sample of the policy, so the gradient stays unbiased. OTB, which
 * compares with the group's returns at the same position (`credit/optimalBaseline.ts`). Source: arXiv
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
import type { Baseline } from "../baselines.ts";
import { optimalBaseline, optimalBaselineLines } from "../credit/optimalBaseline.ts";
import { requireOfTrajectories } from "../requireColumn.ts";
import { outputOf } from "../formula/parts.ts";
import {
  BOTH,
  PER_TOKEN,
  returns,
  type EstimatorConfig,
  type EstimatorFacts,
} from "./estimator.ts";
import { f, type TexPiece } from "../formula/tex.ts";

export const reinforcePp: EstimatorFacts = {
  ...returns,
  about: "the rewards from a token on, discounted per token",
  lesson: "reinforcePp",
  level: "token",
  discount: PER_TOKEN,
  verl: [
    { name: "remax", baseline: "greedy", whiten: "none", targets: ["verl"] },
    {
      name: "tir_optimal_token_baseline",
      baseline: "energy-weighted-mean",
      whiten: "none",
      targets: ["verl"],
      keys: { "actor_rollout_ref.actor.calculate_sum_pi_squared": true },
    },
    { name: "reinforce_plus_plus", baseline: "none", whiten: "tokens", targets: BOTH },
  ],
  formula: (choices) => [
    f`${"token.return"} &= ${"token.reward"} + ${"settings.gamma"}·${"token.nextReturn"}`,
    ...(choices.baseline === "energy-weighted-mean" ? optimalBaselineLines : []),
    f`${outputOf(choices, "token")} &= ${compared(choices.baseline)}`,
  ],
  estimate,
};

/** The return less the row's baseline. */
function compared(baseline: Baseline): TexPiece {
  if (baseline === "greedy") return f`${"token.return"} - ${"trajectory.greedyScore"}`;
  if (baseline === "energy-weighted-mean") return f`${"token.return"} - ${"token.baseline"}`;
  return f`${"token.return"}`;
}

/** A_t = G_t - baseline,  G_t = r_t + gamma G_{t+1} over trainable tokens; baseline 0, the greedy rollout's score, or OTB's */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { trajectory } = offsetsOf(batch); // [B+1]
  const returns = returnsToGo(tokenRewards(batch), trajectory, config.gamma); // [N]
  if (config.baseline === "energy-weighted-mean") {
    const { baseline, trace } = optimalBaseline(config.name, batch, returns);
    const adv = returns.map((G, t) => G - baseline[t]!); // [N]
    return criticFree(fromTokens(adv, batch), { "token.return": returns, ...trace });
  }
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
