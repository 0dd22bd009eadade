/**
 * VAPO's language-model loss on what went right: the mean negative log-prob of all tokens of successful rollouts,
 *
 *   L = -1/T sum_{b solved} sum_{t in b} log pi(y_t),  T their tokens in the optimiser step; 0 without any
 *
 * Source: VAPO, arXiv 2504.05118, positive-example LM loss: a reading, known through notes.
 */
import { broadcast, composeOffsets } from "../../numeric/segments.ts";
import { requireOfTrajectories } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";

/** 1 for the tokens of successful rollouts, else 0. [N] @throws InputError if a success is missing. */
function solvedTokens(batch: TrajectoryBatch, user: string): Float64Array {
  const success = requireOfTrajectories(batch, "success", user); // [B]
  return broadcast(success, composeOffsets(batch.turnStart, batch.tokenStart));
}

/** T of a whole optimiser step. @throws InputError if a success is missing. */
export function countSolvedTokens(batch: TrajectoryBatch, user: string): number {
  return solvedTokens(batch, user).reduce((sum, x) => sum + x, 0);
}

/** The loss of a part of a step of `tokens` solved tokens, and its gradient by the log-probs [N], which `logprob` [N] are. */
export function successLoss(
  batch: TrajectoryBatch,
  logprob: Float64Array,
  tokens: number,
  user: string,
): { loss: number; dLogprob: Float64Array } {
  const dLogprob = solvedTokens(batch, user).map((solved) => (solved ? -1 / tokens : 0)); // [N]
  return { loss: logprob.reduce((sum, x, t) => sum + dLogprob[t]! * x, 0), dLogprob };
}
