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
import { groups, joinNames } from "../../method/credit/groups.ts";
import { returnsToGo } from "../../method/credit/returnsToGo.ts";

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

// Credit for the true gradient: for each turn the rewards that follow it, minus a baseline that is
// independent of its action, so that in expectation
// grad J = E[sum_h (G_h - b_h) grad log pi(a_h | s_h)],   G_h = r_h + gamma G_{h+1}
// holds exactly, except for the factor gamma^h of turn h if gamma < 1 (every algorithm here drops
// it, so it is dropped here too). b_h is the mean G of the task's other rollouts in exactly the
// same state; if none was there, of their turns with the same index, 0 for those that had ended.
// Other rollouts are independent of a_h, and which of them count depends on s_h alone.

/** state: equal for turns of a task in the same state. [K] -> [K] */
function plainCredit(
  { task, turnStart, turnReward }: TrajectoryBatch,
  state: readonly string[],
  gamma = 1,
): Float64Array {
  const G = returnsToGo(turnReward, turnStart, gamma); // [K]
  const credit = G.slice(); // [K]
  for (const members of groups(task)) {
    if (members.length < 2) continue;
    for (const b of members) {
      const others = members.filter((other) => other !== b);
      for (let k = turnStart[b]!; k < turnStart[b + 1]!; k++)
        credit[k] = G[k]! - baseline(k, k - turnStart[b]!, others);
    }
  }
  return credit;

  function baseline(k: number, h: number, others: number[]): number {
    const same = others.map((b) => sameState(b, state[k]!)).filter((at) => at >= 0);
    if (same.length > 0) return same.reduce((sum, at) => sum + G[at]!, 0) / same.length;
    const later = others
      .map((b) => turnStart[b]! + h)
      .filter((at, i) => at < turnStart[others[i]! + 1]!);
    return later.reduce((sum, at) => sum + G[at]!, 0) / others.length;
  }

  /** The rollout's first turn in that state, -1 if there is none. */
  function sameState(b: number, name: string): number {
    for (let k = turnStart[b]!; k < turnStart[b + 1]!; k++) if (state[k] === name) return k;
    return -1;
  }
}

/** Names of states from the turn's index and its query. [K] */
function stateNames(
  episodes: readonly { turns: readonly { queryIds: readonly number[] }[] }[],
): string[] {
  return episodes.flatMap(({ turns }) =>
    turns.map(({ queryIds }, h) => joinNames(h, queryIds.join())),
  );
}
