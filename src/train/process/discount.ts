/** By what an algorithm discounts, so that shaping can telescope along its own returns. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";

export interface Discount {
  /** The step that is discounted once. */
  per: "turn" | "token";
  gamma: number;
}

/**
 * Scores of whole trajectories are plain sums: 1 per turn. GiGPO adds such a score to discounted returns of turns;
 * both telescope only where its gamma is 1, and shaping follows the returns.
 */
export function discountOf({ estimator, gamma, gammaTurn }: AlgorithmConfig): Discount {
  switch (estimator) {
    case "token-return":
    case "token-gae":
    case "token-gae-turn-mean":
      return { per: "token", gamma };
    case "turn-return":
    case "turn-gae":
    case "anchor-state":
      return { per: "turn", gamma };
    case "bi-level-gae":
      return { per: "turn", gamma: gammaTurn };
    case "group-score":
    case "turn-plus-outcome":
    case "turn-group":
      return { per: "turn", gamma: 1 };
  }
}
