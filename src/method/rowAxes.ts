/** Axes that define an algorithm; a row chooses them and nothing overrides them. */
import { wordsOf, type WordAxis } from "./axes.ts";
import { baselines, type Baseline } from "./baselines.ts";
import { estimators, type Estimator } from "./estimators.ts";

export const rowAxes = {
  reward: {
    about: "Where rewards are placed (axis A)",
    values: {
      trajectory: "the sum over the trajectory is one score",
      turn: "each turn's reward is paid at its last token",
      "turn-and-outcome": "rewards within the episode and the last turn's outcome are two signals",
      parts: "the environment's pay, that for form and process pay are scores of their own",
      "gain-and-trajectory": "each turn's gain in information, and one score per trajectory",
    },
  },
  baseline: { about: "What a return is compared with (axis B)", values: wordsOf(baselines) },
  estimator: { about: "How advantages are formed (axis C)", values: wordsOf(estimators) },
} as const satisfies Record<string, WordAxis>;

export interface RowChoices {
  reward: keyof (typeof rowAxes)["reward"]["values"];
  baseline: Baseline;
  estimator: Estimator;
}
