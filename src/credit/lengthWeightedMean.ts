/** OPO's advantage: the baseline of least gradient variance when tokens' gradients are alike. */
import { groups } from "./groups.ts";

/**
 * A_b = R_b - sum of N_c R_c / sum of N_c over the group's rollouts c, N being token counts; a
 * group of one keeps its score. score [B], tokens [B] -> [B]
 *
 * Source: arXiv 2505.23585, sec. 3; verl/trainer/ppo/core_algos.py, compute_opo_outcome_advantage.
 */
export function lengthWeightedMean(
  score: Float64Array,
  tokens: Float64Array,
  task: readonly string[],
): Float64Array {
  const baseline = lengthWeightedBaseline(score, tokens, task); // [B]
  return score.map((R, b) => R - baseline[b]!);
}

/** What each is compared with: 0 for a group of one. [B] -> [B] */
export function lengthWeightedBaseline(
  score: Float64Array,
  tokens: Float64Array,
  task: readonly string[],
): Float64Array {
  const baseline = new Float64Array(score.length); // [B]
  for (const members of groups(task)) {
    const weighted = members.reduce((sum, b) => sum + tokens[b]! * score[b]!, 0);
    const total = members.reduce((sum, b) => sum + tokens[b]!, 0);
    for (const b of members) baseline[b] = members.length > 1 ? weighted / total : 0;
  }
  return baseline;
}
