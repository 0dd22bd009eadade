/**
 * Splits token rows into passes of the network. Segments never see each other, so each becomes a
 * sequence, padding disappears, and a plain causal mask is all that attention needs. Sequences of
 * similar length run together, in few shapes (buffer pools are keyed by size) and at most
 * `maxTokens` at a time (so that big batches fit).
 */
import type { TokenRows } from "../engine.ts";
import { countBucket, sequences } from "../sequences.ts";

/** N sequences of T slots. Real tokens come first in a sequence; after them source is -1. */
export interface PaddedPass {
  N: number;
  T: number;
  /** [N*T] */
  ids: Int32Array;
  /** [N*T] */
  positions: Int32Array;
  /** Index of each slot's token in the rows, b*L + t. [N*T] */
  source: Int32Array;
}

/**
 * Splits rows into passes. Sequences end at their last wanted token, and those without one are left
 * out. The order is fixed: by length, then by position in the rows.
 */
export function planPaddedPasses(
  rows: TokenRows,
  wanted: (index: number) => boolean,
  maxTokens: number,
): PaddedPass[] {
  const byLength = new Map<number, number[][]>(); // bucketed length -> sequences
  for (const sequence of sequences(rows, wanted)) {
    const T = lengthBucket(sequence.length);
    const list = byLength.get(T) ?? [];
    byLength.set(T, list);
    list.push(sequence);
  }
  const lengths = [...byLength.keys()].sort((a, b) => a - b);
  return lengths.flatMap((T) => {
    const list = byLength.get(T)!;
    const perPass = Math.max(1, Math.floor(maxTokens / T));
    const parts = Math.ceil(list.length / perPass);
    return Array.from({ length: parts }, (_, i) =>
      fill(rows, list.slice(i * perPass, (i + 1) * perPass), T, perPass),
    );
  });
}

function fill(rows: TokenRows, list: number[][], T: number, perPass: number): PaddedPass {
  const N = Math.min(perPass, countBucket(list.length));
  const ids = new Int32Array(N * T); // [N*T]
  const positions = new Int32Array(N * T); // [N*T]
  const source = new Int32Array(N * T).fill(-1); // [N*T]
  list.forEach((tokens, n) => {
    tokens.forEach((index, t) => {
      const slot = n * T + t;
      ids[slot] = rows.ids[index]!;
      positions[slot] = rows.position[index]!;
      source[slot] = index;
    });
  });
  return { N, T, ids, positions, source };
}

/** Tokens of a pass whose distributions are needed: the hidden row that predicts each, and its position. */
export interface PaddedTargets {
  /** Padded size, at least 1. */
  M: number;
  /** Actual targets; the rest of M is padding. */
  count: number;
  /** Row of the predecessor's hidden state. [M] */
  row: Int32Array;
  /** [M] */
  label: Int32Array;
  /** b*L + t; [count] */
  index: Int32Array;
}

/** The wanted tokens that have a predecessor in their sequence. `labels` are the rows' own or others, [B, L]. */
export function selectPaddedTargets(
  pass: PaddedPass,
  labels: Int32Array,
  wanted: (index: number) => boolean,
): PaddedTargets {
  const slots: number[] = [];
  pass.source.forEach((index, slot) => {
    if (index >= 0 && slot % pass.T > 0 && wanted(index)) slots.push(slot);
  });
  const M = countBucket(Math.max(1, slots.length));
  const row = new Int32Array(M); // [M]
  const label = new Int32Array(M); // [M]
  slots.forEach((slot, i) => {
    row[i] = slot - 1;
    label[i] = labels[pass.source[slot]!]!;
  });
  const index = Int32Array.from(slots, (slot) => pass.source[slot]!); // [count]
  return { M, count: slots.length, row, label, index };
}

/** Lengths in steps of an eighth to a quarter of themselves. */
export function lengthBucket(n: number): number {
  const step = n <= 64 ? 8 : n <= 128 ? 16 : n <= 256 ? 32 : 128;
  return Math.ceil(n / step) * step;
}
