/**
 * GRPO: Group Relative Policy Optimization. Several rollouts of one task are compared with each
 * other; no critic.
 *
 *   L = -1/B sum_b 1/N_b sum_t min(rho_t A_b, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_b),  rho_t = exp(d_t)
 *
 * Rows that differ by other axes: RLOO and OPO by the baseline; Dr.GRPO, DAPO, GSPO, GMPO, CISPO and
 * REINFORCE++ baseline by settings.
 * Source: DeepSeekMath, arXiv 2402.03300, sec. 4.1.
 */
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { trajectoryScores } from "../credit/rewards.ts";
import { baselineFacts, scoresAgainst, scoreTerms } from "../baselines.ts";
import { broadcast } from "../../numeric/segments.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { outputOf, scaled, scoreLine, stdLine } from "../formula/parts.ts";
import { BOTH, returns, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";
import { f, open } from "../formula/tex.ts";

export const grpo: EstimatorFacts = {
  ...returns,
  about: "score minus the baseline, divided by the group's std where it has one",
  lesson: "grpo",
  level: "trajectory",
  discount: null,
  divisor: "std",
  settings: ["std"],
  verl: [
    { name: "grpo", baseline: "group-mean", whiten: "none", targets: BOTH },
    {
      name: "reinforce_plus_plus_baseline",
      baseline: "group-mean",
      whiten: "tokens",
      targets: BOTH,
    },
    // RAGEN's trainer does not know it.
    { name: "grpo_passk", baseline: "second-best", whiten: "none", targets: ["verl"] },
    { name: "rloo", baseline: "leave-one-out", whiten: "none", targets: BOTH },
    // RAGEN's trainer refuses ReMax, and does not know OPO.
    { name: "remax", baseline: "greedy", whiten: "none", targets: ["verl"] },
    { name: "opo", baseline: "length-weighted-mean", whiten: "none", targets: ["verl"] },
  ],
  formula: (choices) => {
    const difference = f`${"trajectory.score"} - ${scoreTerms(choices.baseline).term}`;
    const { divided } = baselineFacts(choices.baseline);
    const advantage = divided ? scaled(difference, "group.std", choices) : difference;
    const output = outputOf(choices, "trajectory");
    const result =
      choices.baseline === "second-best"
        ? open`${output} &= \begin{cases}${advantage} & b \text{ is the best of } g\\ 0 & \text{else}\end{cases}`
        : f`${output} &= ${advantage}`;
    const middle = choices.baseline === "greedy" ? [] : [scoreTerms(choices.baseline).mean];
    const spread = divided ? stdLine(choices) : [];
    return [scoreLine(choices), ...middle, ...spread, result];
  },
  estimate,
};

/**
 * A_b = (R_b - mean of the group) / (std of the group + 1e-6)
 * on every turn and token of trajectory b; another baseline takes the mean's place and has no divisor
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const score = trajectoryScores(batch); // [B]
  const { adv, trace } = scoresAgainst(config, score, batch); // [B]
  return criticFree(fromTurns(broadcast(adv, batch.turnStart), batch), trace);
}
