/** ReMax's baseline: the score of a greedy rollout of the same task. */
import { broadcast, composeOffsets } from "../numeric/segments.ts";
import { requireGreedyScore } from "../record/requireColumn.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/**
 * Returns of tokens minus the greedy rollout's score where the row compares with it, else as they are. returns [N]
 * @throws InputError naming the first trajectory without a score.
 *
 * Source: arXiv 2310.10505, alg. 1; verl/trainer/ppo/core_algos.py, compute_remax_outcome_advantage.
 */
export function lessGreedy(
  { baseline, name }: Pick<AlgorithmConfig, "baseline" | "name">,
  batch: TrajectoryBatch,
  returns: Float64Array,
): Float64Array {
  if (baseline !== "greedy") return returns;
  const { turnStart, tokenStart } = batch;
  const greedy = requireGreedyScore(batch, name); // [B]
  const onTokens = broadcast(greedy, composeOffsets(turnStart, tokenStart)); // [N]
  return returns.map((G, t) => G - onTokens[t]!);
}
