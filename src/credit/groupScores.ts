/** Scores compared within their group: GRPO's advantage and, without the divisor, Dr.GRPO's. */
import { mean, populationVariance, variance } from "../numeric/statistics.ts";
import type { GroupStd } from "../spec/axes.ts";
import { groups } from "./groups.ts";

/** What a group of one is compared with: nothing, so that it keeps its score, or itself. */
export type Alone = "score" | "zero";

/**
 * (score - mean) / (std + 1e-6) within each group of equal names; std "none" leaves the divisor
 * out. A group of one has std 1 and mean 0, or with `alone` "zero" its own score as mean; a group
 * of equal scores gives exactly 0. [n] -> [n]
 *
 * Source: DeepSeekMath, arXiv 2402.03300, sec. 4.1.2; verl/trainer/ppo/core_algos.py,
 * compute_grpo_outcome_advantage.
 */
export function groupScores(
  score: Float64Array,
  names: readonly string[],
  std: GroupStd,
  alone: Alone = "score",
): Float64Array {
  const adv = new Float64Array(score.length); // [n]
  for (const members of groups(names)) {
    const own = Float64Array.from(members, (b) => score[b]!); // [G]
    const { center, divisor } = moments(own, std, alone);
    members.forEach((b, i) => (adv[b] = (own[i]! - center) / divisor));
  }
  return adv;
}

function moments(score: Float64Array, std: GroupStd, alone: Alone) {
  const single = score.length === 1;
  // Equal scores have their value as mean; summing them could round it, and 1e-6 would magnify the
  // error.
  const equal = score.every((s) => s === score[0]);
  const center = single && alone === "score" ? 0 : equal ? score[0]! : mean(score);
  if (std === "none") return { center, divisor: 1 };
  if (single) return { center, divisor: 1 + 1e-6 };
  const spread = std === "sample" ? variance(score) : populationVariance(score);
  return { center, divisor: Math.sqrt(spread) + 1e-6 };
}
