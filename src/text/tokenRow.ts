/**
 * One trajectory as one row of tokens: the ids exactly as the sampler saw and drew them, never
 * re-tokenised, with the indices of sampled tokens and of the ends of each turn's state and
 * response.
 */

/**
 * What one turn appends: the environment's query, then what the policy sampled (its stop token
 * included).
 */
import { greatest } from "../numeric/lists.ts";
export interface TurnTokens {
  queryIds: readonly number[];
  responseIds: readonly number[];
}

/**
 * `full`: every turn sees the whole history; one segment. `turn`: a turn sees only its own query;
 * each turn is a segment of its own and positions restart.
 */
export type Context = "full" | "turn";

export interface TokenRow {
  /** [L] */
  ids: number[];
  /** 1 on tokens that the policy sampled. [L] */
  responseMask: number[];
  /** Turn of a sampled token, -1 elsewhere. [L] */
  turnId: number[];
  /** [L] */
  position: number[];
  /** [L] */
  segment: number[];
  /** Index of the last query token of each turn: V(s_h) is read there. [K] */
  stateEnd: number[];
  /** Index of the last sampled token of each turn. [K] */
  turnEnd: number[];
  /** Indices of the sampled tokens, in order. [N] */
  tokenIndices: number[];
  /**
   * Index of the last token of the query after the last turn, -1 without one: a bootstrap value is
   * read there.
   */
  finalStateEnd: number;
}

/**
 * Builds the row of a trajectory. `finalQueryIds` is the query that would have come next, or empty.
 * Every turn needs at least one query token and one response token.
 */
export function tokenRow(
  turns: readonly TurnTokens[],
  context: Context,
  finalQueryIds: readonly number[] = [],
): TokenRow {
  const row: TokenRow = {
    ids: [],
    responseMask: [],
    turnId: [],
    position: [],
    segment: [],
    stateEnd: [],
    turnEnd: [],
    tokenIndices: [],
    finalStateEnd: -1,
  };
  turns.forEach(({ queryIds, responseIds }, turn) => {
    if (queryIds.length === 0 || responseIds.length === 0) {
      throw new Error(
        `turn ${turn} has ${queryIds.length} query and ${responseIds.length} response tokens`,
      );
    }
    appendTokens(row, queryIds, turn, context, false);
    row.stateEnd.push(row.ids.length - 1);
    appendTokens(row, responseIds, turn, context, true);
    row.turnEnd.push(row.ids.length - 1);
  });
  if (finalQueryIds.length > 0) {
    appendTokens(row, finalQueryIds, turns.length, context, false);
    row.finalStateEnd = row.ids.length - 1;
  }
  return row;
}

function appendTokens(
  row: TokenRow,
  ids: readonly number[],
  turn: number,
  context: Context,
  sampled: boolean,
) {
  const segment = context === "full" ? 0 : turn;
  for (const id of ids) {
    const index = row.ids.length;
    const continues = row.segment[index - 1] === segment;
    row.position.push(continues ? row.position[index - 1]! + 1 : 0);
    row.segment.push(segment);
    row.ids.push(id);
    row.responseMask.push(sampled ? 1 : 0);
    row.turnId.push(sampled ? turn : -1);
    if (sampled) row.tokenIndices.push(index);
  }
}

/** Rows stacked in one rectangle: the shape of the engine's `TokenRows`. */
interface PackedRows {
  B: number;
  L: number;
  /** [B, L] */
  ids: Int32Array;
  /** [B, L] */
  position: Int32Array;
  /** -1 for padding. [B, L] */
  segment: Int32Array;
}

/**
 * Pads rows on the right to a common length that is a multiple of `bucket`: few shapes mean few
 * compiled plans.
 */
export function packRows(rows: readonly TokenRow[], bucket: number, padId = 0): PackedRows {
  const longest = greatest([1, ...rows.map((row) => row.ids.length)]);
  const [B, L] = [rows.length, Math.ceil(longest / bucket) * bucket];
  const packed: PackedRows = {
    B,
    L,
    ids: new Int32Array(B * L).fill(padId), // [B, L]
    position: new Int32Array(B * L), // [B, L]
    segment: new Int32Array(B * L).fill(-1), // [B, L]
  };
  rows.forEach((row, b) => {
    packed.ids.set(row.ids, b * L);
    packed.position.set(row.position, b * L);
    packed.segment.set(row.segment, b * L);
  });
  return packed;
}
