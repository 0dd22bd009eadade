/**
 * MT-GRPO: multi-turn GRPO. A turn's own reward and the outcome, each compared within the group.
 *
 *   L = -1/B sum_b 1/N_b sum_t min(rho_t A_h, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   rho_t = exp(d_t)
 *
 * Source: arXiv 2505.11821, eq. 6 and 7.
 */
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { turnRewards } from "../credit/rewards.ts";
import { compareTurnsAndOutcome } from "../credit/turnGroups.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { exceptLast, nextOutput, scaled, stdWords } from "../formula/parts.ts";
import { turnsInGroup, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";
import { f } from "../formula/tex.ts";

export const mtGrpo: EstimatorFacts = {
  ...turnsInGroup,
  about: "the turn's own z-score plus later turns' and the outcome's, weighted by alpha",
  lesson: "mtGrpo",
  discount: null,
  settings: ["alpha", "std", "laterTurns"],
  formula: (choices) => {
    const turn = scaled(f`${"turn.reward"} - ${"group.turnMean"}`, "group.turnStd", choices);
    const outcome = scaled(
      f`${"trajectory.outcome"} - ${"group.outcomeMean"}`,
      "group.outcomeStd",
      choices,
    );
    const then =
      choices.laterTurns === "discounted"
        ? f`${nextOutput(choices, "turn")}`
        : f`${"trajectory.outcomeScore"}`;
    const both = f`${"turn.rewardScore"} + ${"settings.alpha"}·${then}`;
    return [
      f`${"turn.rewardScore"} &= ${turn}`,
      f`${"trajectory.outcomeScore"} &= ${outcome}`,
      exceptLast(choices, both, f`${"trajectory.outcomeScore"}`),
      ...stdWords(choices),
    ];
  },
  estimate,
};

/**
 * A_h = z(r_h) + alpha A_{h+1} for h < K, or + alpha z(r_K) (laterTurns),  A_K = z(r_K)
 * z over the group's turns of the same number; r_K is the last turn's reward: the outcome
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { adv, trace } = compareTurnsAndOutcome({
    reward: turnRewards(batch), // [K]
    turnStart: batch.turnStart, // [B+1]
    task: batch.task, // [B]
    alpha: config.alpha,
    laterTurns: config.laterTurns,
    std: config.std,
  });
  return criticFree(fromTurns(adv, batch), trace);
}
