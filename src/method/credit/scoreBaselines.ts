/** Scores of whole trajectories against a baseline of their task's group. */
import { broadcast, composeOffsets } from "../../numeric/segments.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import type { Alone } from "./groupScores.ts";
import { groups } from "./groups.ts";
import { requireOfTrajectories } from "../requireColumn.ts";

/**
 * OPO's advantage: the baseline of least gradient variance when tokens' gradients are alike.
 *
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

/**
 * RLOO's advantage: each rollout against the mean of the others of its task.
 *
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

/**
 * Returns of tokens minus the greedy rollout's score where the row compares with it, else as they are. returns [N]
 * @throws InputError naming the first trajectory without a score.
 *
 * Source: arXiv 2310.10505, alg. 1; verl/trainer/ppo/core_algos.py, compute_remax_outcome_advantage.
 */
export function lessGreedy(
  { baseline, name }: { baseline: string; name: string },
  batch: TrajectoryBatch,
  returns: Float64Array,
): Float64Array {
  if (baseline !== "greedy") return returns;
  const { turnStart, tokenStart } = batch;
  const greedy = requireOfTrajectories(batch, "greedyScore", name); // [B]
  const onTokens = broadcast(greedy, composeOffsets(turnStart, tokenStart)); // [N]
  return returns.map((G, t) => G - onTokens[t]!);
}
