/**
 * An estimate of the true gradient: grad J from many episodes with plain credit, in blocks that
 * share no episode and no task, so that products of two blocks have no noise in common.
 */
import { broadcast } from "../../numeric/segments.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { Episode } from "../../rollout/rollout.ts";
import type { Context } from "../../text/tokenRow.ts";
import { scatter } from "../columns.ts";
import { batchOfEpisodes, episodeRow, placeRows } from "../episodes.ts";
import { dot, takeGradient, type Differentiable } from "./flat.ts";
import { plainCredit, stateNames } from "./plainCredit.ts";

/** The policy and settings of a gradient estimate. */
interface ReferenceRequest {
  model: Differentiable;
  context: Context;
  temperature: number;
  rewardScale: number;
  /** Batches of whole groups; every episode has the same weight. */
  batches: AsyncIterable<Episode[]> | Iterable<Episode[]>;
}

/** (1 / episodes) sum over episodes, turns and tokens of credit times score, in scaled rewards. [P] */
export async function referenceGradient(request: ReferenceRequest): Promise<Float32Array> {
  const { model, context, temperature, rewardScale, batches } = request;
  let count = 0;
  model.zeroGrads();
  for await (const episodes of batches) {
    const batch = batchOfEpisodes(episodes, rewardScale);
    const placed = placeRows(episodes.map((episode) => episodeRow(episode, context, false)));
    const dLogprob = scatter(plainWeights(batch, episodes), placed.tokenAt, placed.rows); // [B, L]
    await model.backward({ rows: placed.rows, temperature, dLogprob });
    count += episodes.length;
  }
  const sum = await takeGradient(model); // [P]
  return sum.map((g) => g / count);
}

/** Each turn's plain credit, on each of its tokens. [N] */
export function plainWeights(
  batch: TrajectoryBatch,
  episodes: readonly Pick<Episode, "turns">[],
): Float64Array {
  return broadcast(plainCredit(batch, stateNames(episodes)), batch.tokenStart);
}

/** Inner products of all pairs. [R][R] */
export function gram(vectors: readonly ArrayLike<number>[]): number[][] {
  return vectors.map((a) => vectors.map((b) => dot(a, b)));
}
