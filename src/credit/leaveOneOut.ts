/** RLOO's advantage: each rollout against the mean of the others of its task. */
import { groups } from "./groups.ts";
import type { Alone } from "./groupScores.ts";

/**
 * A_b = R_b - (sum of the group - R_b) / (G - 1) = G / (G - 1) (R_b - mean of the group). With
 * nobody to be compared with, a rollout keeps its score (verl's compute_rloo_outcome_advantage), or
 * gets 0 (its compute_rloo_vectorized_outcome_advantage). [B] -> [B]
 *
 * Source: arXiv 2402.14740, sec. 3.2; verl/trainer/ppo/core_algos.py.
 */
export function leaveOneOut(
  score: Float64Array,
  task: readonly string[],
  alone: Alone = "score",
): Float64Array {
  const baseline = othersMean(score, task, alone); // [B]
  return score.map((R, b) => R - baseline[b]!);
}

/** What each is compared with: the mean of the others. [B] -> [B] */
export function othersMean(
  score: Float64Array,
  task: readonly string[],
  alone: Alone = "score",
): Float64Array {
  const baseline = new Float64Array(score.length); // [B]
  for (const members of groups(task)) {
    const G = members.length;
    const sum = members.reduce((total, b) => total + score[b]!, 0);
    for (const b of members)
      baseline[b] = G > 1 ? (sum - score[b]!) / (G - 1) : alone === "score" ? 0 : score[b]!;
  }
  return baseline;
}
