/** Scores compared within their group: GRPO's advantage and, without the divisor, Dr.GRPO's. */
import { mean, populationVariance, variance } from "../../numeric/statistics.ts";
import type { GroupStd } from "../axes.ts";
import { groups } from "./groups.ts";

/** What a group of one is compared with: nothing, so that it keeps its score, or itself. */
export type Alone = "score" | "zero";

/** Scores within their groups, and what each was compared with. */
export interface Compared {
  /** [n] */
  adv: Float64Array;
  /** What was subtracted from each. [n] */
  mean: Float64Array;
  /**
   * Standard deviation of each one's group, also if it does not divide; 1 for a group of one. [n]
   */
  std: Float64Array;
  /** Members of each one's group. [n] */
  count: Float64Array;
}

/**
 * (score - mean) / (std + 1e-6) within each group of equal names; std "none" leaves the divisor
 * out. A group of one has std 1 and mean 0, or with `alone` "zero" its own score as mean; a group
 * of equal scores gives exactly 0. [n] -> [n]
 *
 * Source: DeepSeekMath, arXiv 2402.03300, sec. 4.1.2; verl/trainer/ppo/core_algos.py,
 * compute_grpo_outcome_advantage.
 */
export function compareInGroups(
  score: Float64Array,
  names: readonly string[],
  std: GroupStd,
  alone: Alone = "score",
): Compared {
  const made = emptyComparison(score.length);
  for (const members of groups(names)) {
    const own = Float64Array.from(members, (b) => score[b]!); // [G]
    const { center, spread, divisor } = moments(own, std, alone);
    members.forEach((b, i) => {
      made.adv[b] = (own[i]! - center) / divisor;
      made.mean[b] = center;
      made.std[b] = spread;
      made.count[b] = members.length;
    });
  }
  return made;
}

/** The advantages alone. [n] -> [n] */
export function groupScores(
  score: Float64Array,
  names: readonly string[],
  std: GroupStd,
  alone: Alone = "score",
): Float64Array {
  return compareInGroups(score, names, std, alone).adv;
}

/** To be filled in. */
export function emptyComparison(n: number): Compared {
  const column = () => new Float64Array(n); // [n]
  return { adv: column(), mean: column(), std: column(), count: column() };
}

function moments(score: Float64Array, std: GroupStd, alone: Alone) {
  const single = score.length === 1;
  // Equal scores have their value as mean; summing them could round it, and 1e-6 would magnify the
  // error.
  const equal = score.every((s) => s === score[0]);
  const center = single && alone === "score" ? 0 : equal ? score[0]! : mean(score);
  const variation = std === "population" ? populationVariance : variance;
  const spread = single ? 1 : Math.sqrt(variation(score));
  return { center, spread, divisor: std === "none" ? 1 : spread + 1e-6 };
}
