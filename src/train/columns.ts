/** Converts between per-token columns of a batch and the [B, L] planes of an engine. */
import { NotFiniteError } from "../engine/errors.ts";
import type { TokenRows } from "../engine/engine.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/** Rows for the engine, and the positions of the batch's units in them (flat b * L + t). */
export interface PlacedRows {
  rows: TokenRows;
  /** Each trainable token, in batch order. [N] */
  tokenAt: Int32Array;
  /** The state-end of each turn. [K] */
  stateEndAt: Int32Array;
  /** The state-end after the last turn, -1 if the row does not contain it. [B] */
  finalStateAt: Int32Array;
}

/** Picks plane[at[i]] for each unit. [n] */
export function gather(plane: Float32Array, at: Int32Array): Float64Array {
  return Float64Array.from(at, (index) => plane[index]!); // [n]
}

/** A [B, L] plane that is zero except at the units; no two units share a position. */
export function scatter(values: Float64Array, at: Int32Array, { B, L }: TokenRows): Float32Array {
  const plane = new Float32Array(B * L); // [B, L]
  for (let i = 0; i < at.length; i++) plane[at[i]!] = values[i]!;
  return plane;
}

/** A forward pass's mask of the tokens at these positions, ignoring negative ones: tokens outside the mask cost almost nothing. [B, L] */
export function maskAt({ B, L }: TokenRows, ...places: Int32Array[]): Uint8Array {
  const mask = new Uint8Array(B * L); // [B, L]
  for (const at of places) for (const index of at) if (index >= 0) mask[index] = 1;
  return mask;
}

/** Positions of a critic's values: one per turn, at its state-end, or one per token, at its prefix. [K], [N] or [0] */
export function valuesAt(
  { stateEndAt, tokenAt }: PlacedRows,
  critic: AlgorithmConfig["critic"],
): Int32Array {
  if (critic === "none") return new Int32Array(0);
  return critic === "turn" ? stateEndAt : prefixAt(tokenAt);
}

/** @throws NotFiniteError naming the column if it contains a number that is not finite. */
export function checkFinite(name: string, column: Float64Array): void {
  const bad = column.find((value) => !Number.isFinite(value));
  if (bad !== undefined) throw new NotFiniteError(`the model's ${name} was ${bad}`);
}

/** Position of the value of the prefix before each token: one to its left. [N] */
export function prefixAt(tokenAt: Int32Array): Int32Array {
  return tokenAt.map((index) => index - 1); // [N]
}
