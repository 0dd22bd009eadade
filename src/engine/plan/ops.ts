/**
 * The operations a plan is made of: plain data, with exact meaning, for any executor.
 *
 * Operands are views: a range of 32-bit words of a store. Matrices are dense and row-major. Words
 * are float32 unless a field says i32. Every view starts at a multiple of ALIGN words, so that
 * WebGPU can bind it as a range, and no two views of one operation overlap, except the pairs of
 * MAY_COINCIDE below, which may be identical.
 *
 * Letters: R token rows of a pass; D hidden size; H query heads, K key-value heads, d head size, W
 * = (H + 2K) d the width of a row [q | k | v]; F inner size of the MLP; V vocabulary; M targets; B
 * rows of a decode session.
 *
 * Sequences of a pass are concatenated in its R rows. Row t attends to rows first[t] .. t, and is
 * seen by rows t .. end[t]-1. Padding rows see only themselves: first[t] = t, end[t] = t + 1.
 *
 * Determinism: each output word is summed in an order that depends on the shapes only; no atomics.
 */
import type { AttentionOp } from "./ops/attention.ts";
import type { HeadOp } from "./ops/heads.ts";
import type { LayerOp } from "./ops/layers.ts";
import type { SampleOp } from "./ops/sample.ts";
import type { UpdateOp } from "./ops/update.ts";
import type { BufferView } from "./ops/view.ts";

export type Op = LayerOp | AttentionOp | HeadOp | UpdateOp | SampleOp;

export type OpName = Op["op"];

/** The operation with this name. */
export type OpOf<N extends OpName> = Extract<Op, { op: N }>;

/** Fields of an operation that hold views. */
type ViewKeys<T> = { [K in keyof T]-?: NonNullable<T[K]> extends BufferView ? K : never }[keyof T];

/** The views each operation writes; every other view is only read. */
export const WRITES: { [N in OpName]: readonly ViewKeys<OpOf<N>>[] } = {
  embed: ["out"],
  embedGrad: ["grad"],
  norm: ["out", "inverse"],
  normBackward: ["dx", "partials"],
  reducePartials: ["out"],
  matmul: ["out"],
  rope: ["out", "inverse", "keys", "values"],
  ropeBackward: ["dQkv", "qPartials", "kPartials", "biasPartials"],
  attention: ["out", "lse"],
  attentionBackward: ["delta", "dQkv"],
  cachedAttention: ["out"],
  swiglu: ["out"],
  swigluBackward: ["gateUp", "dInner"],
  gatherRows: ["out"],
  scatterRows: ["out"],
  headStats: ["state", "out"],
  headGrad: ["z"],
  value: ["out"],
  valueBackward: ["dWeight", "dBias", "dh"],
  sumSquares: ["partials"],
  scale: ["x"],
  adamw: ["p", "g", "m", "v"],
  sample: ["token", "position", "row", "tick", "drawn"],
};

/** Pairs of fields that may be the same view. */
export const MAY_COINCIDE: Partial<Record<OpName, readonly [string, string][]>> = {
  matmul: [["add", "out"]],
  rope: [["qkv", "out"]],
};

interface BufferUse {
  field: string;
  view: BufferView;
  writes: boolean;
}

const isView = (x: unknown): x is BufferView => typeof x === "object" && x !== null && "store" in x;

/** The views of an operation, in the order of its fields. */
export function operands(op: Op): BufferUse[] {
  const written: readonly string[] = WRITES[op.op];
  const uses: BufferUse[] = [];
  for (const field of Object.keys(op)) {
    const value: unknown = op[field as keyof Op];
    if (isView(value)) uses.push({ field, view: value, writes: written.includes(field) });
  }
  return uses;
}
