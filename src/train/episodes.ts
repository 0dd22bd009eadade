/** Episodes as training data: token rows for the engine, columns for credit and objective. */
import { offsets } from "../numeric/segments.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { Episode } from "../rollout/rollout.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { packRows, tokenRow, type TokenRow } from "../text/tokenRow.ts";
import type { PlacedRows } from "./columns.ts";

/**
 * Row lengths are multiples of this: few distinct shapes mean few plans and a bounded buffer pool.
 */
const ROW_BUCKET = 32;

/** One row per episode; a truncated one also contains its final query if a bootstrap value is needed. */
export function episodeRow(
  episode: Episode,
  context: ExperimentSpec["context"],
  bootstrap: boolean,
): TokenRow {
  const turns = episode.turns.map(({ queryIds, responseIds }) => ({ queryIds, responseIds }));
  const final = bootstrap && !episode.terminated ? episode.finalQueryIds : [];
  return tokenRow(turns, context, final);
}

/** Rows stacked in one rectangle, with the positions of their units. */
export function placeRows(rows: TokenRow[]): PlacedRows {
  const packed = packRows(rows, ROW_BUCKET); // [B, L]
  const at = (b: number, t: number) => b * packed.L + t;
  const tokens = rows.flatMap((row, b) => row.tokenIndices.map((t) => at(b, t)));
  const stateEnds = rows.flatMap((row, b) => row.stateEnd.map((t) => at(b, t)));
  const finals = rows.map((row, b) => (row.finalStateEnd < 0 ? -1 : at(b, row.finalStateEnd)));
  return {
    rows: packed,
    tokenAt: Int32Array.from(tokens), // [N]
    stateEndAt: Int32Array.from(stateEnds), // [K]
    finalStateAt: Int32Array.from(finals), // [B]
  };
}

/** Offsets and rewards of a batch; the caller adds the columns that need a model. */
export function batchOfEpisodes(episodes: Episode[], rewardScale: number): TrajectoryBatch {
  const turns = episodes.flatMap(({ turns }) => turns);
  return {
    task: episodes.map(({ task }) => task.name),
    terminated: episodes.map(({ terminated }) => terminated),
    bootstrapValue: new Float64Array(episodes.length), // [B]
    turnStart: offsets(episodes.map(({ turns }) => turns.length)), // [B+1]
    tokenStart: offsets(turns.map(({ responseIds }) => responseIds.length)), // [K+1]
    turnReward: Float64Array.from(turns, ({ reward }) => reward * rewardScale), // [K]
  };
}
