/**
 * The table of estimators (axis C): what is true of each, whichever row uses it. Plain data; the functions are in
 * `credit/`, bound to the rows by `algorithm/`.
 */
import type { RowChoices } from "./axes.ts";

export type Estimator = RowChoices["estimator"];

export interface EstimatorFacts {
  /** What one advantage is made for. */
  level: "token" | "turn" | "trajectory";
  /**
   * By which setting rewards are discounted, and per what; null where they are plain sums. Scores of whole
   * trajectories are such sums: GiGPO adds one to discounted returns of turns, and counts as those.
   */
  discount: { by: "gamma" | "gammaTurn"; per: "turn" | "token" } | null;
}

const PER_TURN = { by: "gamma", per: "turn" } as const;
const PER_TOKEN = { by: "gamma", per: "token" } as const;

export const estimators: Readonly<Record<Estimator, EstimatorFacts>> = {
  "group-score": { level: "trajectory", discount: null },
  "turn-return": { level: "turn", discount: PER_TURN },
  "token-return": { level: "token", discount: PER_TOKEN },
  "token-gae": { level: "token", discount: PER_TOKEN },
  "token-gae-turn-mean": { level: "turn", discount: PER_TOKEN },
  "turn-gae": { level: "turn", discount: PER_TURN },
  // Of its two discounts the one of whole turns: inside a turn, returns only lead to the turn's own.
  "bi-level-gae": { level: "token", discount: { by: "gammaTurn", per: "turn" } },
  "anchor-state": { level: "turn", discount: PER_TURN },
  "turn-plus-outcome": { level: "turn", discount: null },
  // Its gamma discounts gains in information, which are no rewards.
  "turn-group": { level: "turn", discount: null },
};
