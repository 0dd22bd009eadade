/**
 * Splits token rows into passes. Segments never see each other, so each becomes a sequence;
 * sequences are concatenated without padding, many to a pass, in the order of the rows. Only the
 * pass as a whole is padded, to one of few sizes, so that a run needs few plans. A sequence ends at
 * its last wanted token.
 */
import type { TokenRows } from "../engine.ts";
import { sequences } from "../sequences.ts";
import type { Executor } from "./executor.ts";
import { PARTIAL_ROWS } from "./ops/layers.ts";

export interface Pass {
  /** Number of rows, padded. */
  R: number;
  /** -1 for padding. [R] */
  ids: Int32Array;
  /** [R] */
  position: Int32Array;
  /** First row of the sequence; the row itself for padding. [R] */
  first: Int32Array;
  /** Past the last row of the sequence. [R] */
  end: Int32Array;
  /** Index of the token in the rows, b*L + t, or -1. [R] */
  source: Int32Array;
}

/** Sizes in steps of an eighth to a quarter of themselves, and at least 16. */
export function sizeBucket(n: number): number {
  let step = 16;
  while (n > step * 8) step *= 2;
  return Math.max(1, Math.ceil(n / step)) * step;
}

/**
 * Tokens per pass, at most `most`, for this much work in total. Depends on the work alone: the
 * number of threads that share it does not change a sum.
 */
export function passTokens(total: number, most: number, { shares }: Executor["tuning"]): number {
  if (!shares) return most;
  const share = sizeBucket(Math.ceil(total / shares.passes));
  return Math.min(most, Math.max(shares.tokens, share));
}

/** `most`: the maximum tokens of a pass, given the total. */
export function planPasses(
  rows: TokenRows,
  wanted: (index: number) => boolean,
  most: (total: number) => number,
): Pass[] {
  const all = sequences(rows, wanted);
  const maxTokens = most(all.reduce((sum, { length }) => sum + length, 0));
  const passes: number[][][] = [];
  let room = 0;
  for (const sequence of all) {
    if (sequence.length > room) {
      passes.push([]);
      room = maxTokens;
    }
    passes.at(-1)!.push(sequence);
    room -= sequence.length;
  }
  return passes.map((list) => fill(rows, list));
}

function fill(rows: TokenRows, list: number[][]): Pass {
  const R = sizeBucket(list.reduce((sum, tokens) => sum + tokens.length, 0));
  const pass: Pass = {
    R,
    ids: new Int32Array(R).fill(-1), // [R]
    position: new Int32Array(R), // [R]
    first: Int32Array.from({ length: R }, (_, t) => t), // [R]
    end: Int32Array.from({ length: R }, (_, t) => t + 1), // [R]
    source: new Int32Array(R).fill(-1), // [R]
  };
  let start = 0;
  for (const tokens of list) {
    const stop = start + tokens.length;
    pass.source.set(tokens, start);
    pass.first.fill(start, start, stop);
    pass.end.fill(stop, start, stop);
    tokens.forEach((index, t) => {
      pass.ids[start + t] = rows.ids[index]!;
      pass.position[start + t] = rows.position[index]!;
    });
    start = stop;
  }
  return pass;
}

/** Tokens of a pass whose distributions are needed: the row that predicts each, and its position. */
export interface Targets {
  /** Padded; 0 if there are none. */
  M: number;
  /** Row of the predecessor. [M] */
  target: Int32Array;
  /** [M] */
  label: Int32Array;
  /** Target that a row predicts, or -1. [R] */
  place: Int32Array;
  /** b*L + t of the actual targets. [count] */
  index: Int32Array;
}

/** The wanted tokens that have a predecessor in their sequence. `labels` are the rows' own or others, [B, L]. */
export function selectTargets(
  { R, first, source }: Pass,
  labels: Int32Array,
  wanted: (index: number) => boolean,
): Targets {
  const slots: number[] = [];
  source.forEach((index, slot) => {
    if (index >= 0 && slot > first[slot]! && wanted(index)) slots.push(slot);
  });
  const M = slots.length > 0 ? sizeBucket(slots.length) : 0;
  const target = new Int32Array(M); // [M]
  const label = new Int32Array(M); // [M]
  const place = new Int32Array(R).fill(-1); // [R]
  slots.forEach((slot, i) => {
    target[i] = slot - 1;
    label[i] = labels[source[slot]!]!;
    place[slot - 1] = i;
  });
  return { M, target, label, place, index: Int32Array.from(slots, (slot) => source[slot]!) };
}

/** The rows of a pass whose last hidden states are read: for other rows the last layer computes only keys and values. */
export interface KeptRows {
  /** Padded. */
  N: number;
  /** Ascending; -1 for padding. [N] */
  rows: Int32Array;
  /** Index of a row among the kept ones, or -1. [R] */
  keep: Int32Array;
  /** The first kept row of each partial sum, so that their sums equal those of the whole pass. [P+1] */
  bounds: Int32Array;
}

/** Null if that saves nothing. `reads`: whether a row is read. */
export function keptRows({ R }: Pass, reads: (row: number) => boolean): KeptRows | null {
  const keep = new Int32Array(R).fill(-1); // [R]
  const P = Math.ceil(R / PARTIAL_ROWS);
  const bounds = new Int32Array(P + 1); // [P+1]
  let count = 0;
  for (let row = 0; row < R; row++) {
    if (row % PARTIAL_ROWS === 0) bounds[row / PARTIAL_ROWS] = count;
    if (reads(row)) keep[row] = count++;
  }
  const N = sizeBucket(count);
  if (N >= R) return null;
  bounds[P] = N; // padding is in the last one, and adds zeros
  const rows = new Int32Array(N).fill(-1); // [N]
  keep.forEach((at, row) => at >= 0 && (rows[at] = row));
  return { N, rows, keep, bounds };
}

/** The targets by their indices among the kept rows: target [M], place [N]. */
export function keptTargets(targets: Targets, kept: KeptRows | null): Targets {
  if (!kept) return targets;
  const target = targets.target.map((row) => kept.keep[row]!);
  const place = kept.rows.map((row) => (row < 0 ? -1 : targets.place[row]!));
  return { ...targets, target, place };
}

/** Rows by token id, for the embedding's gradient; see ops.ts, EmbedGrad. unique [R], start [R+1], order [R] */
export function rowsById({ R, ids }: Pass) {
  const all = ids.reduce((most, id) => Math.max(most, id), -1) + 1;
  const next = new Int32Array(all + 1); // [all+1], position of an id's next row
  for (const id of ids) if (id >= 0) next[id + 1]!++;
  for (let id = 0; id < all; id++) next[id + 1]! += next[id]!;
  const unique = new Int32Array(R); // [R]
  const start = new Int32Array(R + 1).fill(next[all]!); // [R+1]
  let count = 0;
  for (let id = 0; id < all; id++) {
    if (next[id] === next[id + 1]) continue;
    unique[count] = id;
    start[count++] = next[id]!;
  }
  const order = new Int32Array(R); // [R]
  for (let row = 0; row < R; row++) if (ids[row]! >= 0) order[next[ids[row]!]!++] = row;
  return { unique, start, order };
}
