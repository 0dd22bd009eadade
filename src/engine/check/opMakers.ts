/** Creates operations by shape: views that are whole stores, and numbers in them. */
import { legalBits } from "../sample.ts";
import type { Op } from "../plan/ops.ts";
import { HEAD_STATE } from "../plan/ops/heads.ts";
import { PARTIAL_ROWS } from "../plan/ops/layers.ts";
import { SAMPLE_RULE } from "../plan/ops/sample.ts";
import { SQUARES_CHUNK } from "../plan/ops/update.ts";
import type { Packing } from "../modelConfig.ts";
import { packMatrixRows } from "../plan/packing.ts";
import { streamHash } from "../../numeric/rng.ts";
import { toHalfSlots } from "./halfSlots.ts";

/** Builds one case: f and i create float and integer stores and return their views. */
export class Maker {
  readonly data: Record<string, Float32Array | Int32Array> = {};

  constructor(private readonly seed: number) {}

  /** Uniform numbers in -spread .. spread. */
  f = (name: string, size: number, spread = 1) => {
    const next = this.drawn(name);
    const numbers = new Float32Array(size);
    for (let i = 0; i < size; i++) numbers[i] = (2 * next() - 1) * spread;
    return this.put(name, numbers);
  };

  /** A packed matrix [rows, width] of numbers in -1 .. 1, and its scales. */
  packed = (name: string, rows: number, width: number, packed: Packing) => {
    this.f(name, rows * width);
    const numbers = this.data[name] as Float32Array;
    const tensor = { shape: [rows, width], offset: 0, size: rows * width, scales: 0, packed };
    const [words, scales] = packMatrixRows(tensor, 0, numbers).map((one) => one.words);
    const view = { ...this.put(name, new Int32Array(words!.buffer)), packed };
    return { view, ...(scales && { scales: this.put("scales", scales) }) };
  };

  /** Integers below a bound. */
  i = (name: string, size: number, below: number) => {
    const next = this.drawn(name);
    return this.put(
      name,
      rows(size, () => Math.floor(next() * below)),
    );
  };

  /**
   * Numbers in 0 .. 1, a million in milliseconds, since a reader is waiting: a linear congruential
   * generator (Numerical Recipes, 7.1) is random enough for a kernel's operands.
   */
  private drawn(name: string): () => number {
    let state = streamHash(`${this.seed} ${name}`);
    return () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 8) / 2 ** 24;
    };
  }

  /** Rounds an array to multiples of `step`. */
  round = (name: string, step: number) => {
    const numbers = this.data[name]!;
    numbers.forEach((x, i) => (numbers[i] = Math.round(x / step) * step));
  };

  /** A cache's keys or values, slots of d numbers in -1 .. 1. */
  slots = (name: string, size: number, d: number, halves: boolean) => {
    const view = this.f(name, size);
    return halves ? this.put(name, toHalfSlots(this.data[name]!, d)) : view;
  };

  put = (name: string, words: Float32Array | Int32Array) => {
    this.data[name] = words;
    return { store: name, offset: 0, size: words.length };
  };
}

export type Make = (m: Maker) => Op;

const rows = (length: number, f: (t: number) => number) =>
  Int32Array.from({ length }, (_, t) => f(t));

/** first and end of sequences of the given lengths. */
function sequences(m: Maker, lengths: number[]) {
  const first: number[] = [];
  const end: number[] = [];
  for (const length of lengths) {
    const start = first.length;
    for (let t = 0; t < length; t++) {
      first.push(start);
      end.push(start + length);
    }
  }
  const views = {
    first: m.put("first", Int32Array.from(first)),
    end: m.put("end", Int32Array.from(end)),
  };
  return { R: first.length, ...views };
}

const partialCount = (R: number) => Math.ceil(R / PARTIAL_ROWS);

export function matmulCase(
  layout: "NT" | "NN" | "TN",
  M: number,
  N: number,
  K: number,
  extra: {
    bias?: boolean;
    add?: "other" | "out";
    prologue?: "norm" | "swiglu";
    packed?: Packing;
  } = {},
): Make {
  return (m) => {
    const out = m.f("out", M * N);
    const { prologue } = extra;
    return {
      op: "matmul",
      layout,
      M,
      N,
      K,
      out,
      a: m.f("a", M * K * (prologue === "swiglu" ? 2 : 1)),
      ...(extra.packed ? packedB(m, layout, N, K, extra.packed) : { b: m.f("b", N * K) }),
      ...(extra.bias && { bias: m.f("bias", N) }),
      ...(extra.add && { add: extra.add === "out" ? out : m.f("other", M * N) }),
      ...(prologue && { prologue }),
      ...(prologue === "norm" && { normWeight: m.f("normWeight", K), eps: 1e-5 }),
    };
  };
}

function packedB(m: Maker, layout: string, N: number, K: number, packing: Packing) {
  const [rows, width] = layout === "NT" ? [N, K] : [K, N];
  const { view: b, ...scales } = m.packed("b", rows, width, packing);
  return { b, ...scales };
}

export const normCase =
  (R: number, D: number, keepsInverse = true): Make =>
  (m) => {
    const x = m.f("x", R * D);
    const weight = m.f("weight", D);
    const kept = keepsInverse ? { inverse: m.f("inverse", R) } : {};
    return { op: "norm", x, weight, out: m.f("out", R * D), ...kept, R, D, eps: 1e-6 };
  };

export const normBackwardCase =
  (R: number, D: number, accumulate: boolean): Make =>
  (m) => ({
    op: "normBackward",
    x: m.f("x", R * D),
    inverse: m.f("inverse", R),
    weight: m.f("weight", D),
    dOut: m.f("dOut", R * D),
    dx: m.f("dx", R * D),
    partials: m.f("partials", partialCount(R) * D),
    R,
    D,
    accumulate,
  });

/** Partial sums over the kept rows of several blocks; some blocks keep none. */
export const normBackwardOfKept =
  (lots: readonly number[], D: number, accumulate = true): Make =>
  (m) => {
    const bounds = lots.reduce((all, n) => [...all, all.at(-1)! + n], [0]); // [P+1]
    const R = bounds.at(-1)!;
    return {
      op: "normBackward",
      x: m.f("x", R * D),
      inverse: m.f("inverse", R),
      weight: m.f("weight", D),
      dOut: m.f("dOut", R * D),
      dx: m.f("dx", R * D),
      R,
      D,
      accumulate,
      partials: m.f("partials", lots.length * D),
      bounds: m.put("bounds", Int32Array.from(bounds)),
    };
  };

export interface Heads {
  H: number;
  K: number;
  d: number;
}

export const ropeCase =
  (
    R: number,
    { H, K, d }: Heads,
    norms: boolean,
    cache: boolean | "halves",
    keepsInverse = true,
  ): Make =>
  (m) => {
    const W = (H + 2 * K) * d;
    const [C, B] = [11, 3];
    const halves = cache === "halves";
    const qkv = m.f("qkv", R * W);
    const tables = { cosines: m.f("cosines", (C * d) / 2), sines: m.f("sines", (C * d) / 2) };
    // How float16 is rounded is the device's: numbers are exact, or under a 16th of what the cache holds already.
    if (halves) m.round("qkv", 2 ** -8);
    if (halves) ["cosines", "sines"].forEach((one) => m.round(one, 1));
    return {
      op: "rope",
      qkv,
      ...tables,
      out: norms ? m.f("out", R * W) : qkv,
      R,
      H,
      K,
      d,
      eps: 1e-6,
      position: m.put(
        "position",
        rows(R, (r) => (r * 5) % C),
      ),
      ...(norms && { qNorm: m.f("qNorm", d), kNorm: m.f("kNorm", d, halves ? 1 / 32 : 1) }),
      ...(norms && keepsInverse && { inverse: m.f("inverse", R * (H + K)) }),
      ...(cache && {
        row: m.put(
          "row",
          rows(R, (r) => (r % 4 === 3 ? -1 : r % B)),
        ),
        keys: m.slots("keys", B * K * C * d, d, halves),
        values: m.slots("values", B * K * C * d, d, halves),
        capacity: C,
        ...(halves && { halves }),
      }),
    };
  };

export const ropeBackwardCase =
  (R: number, { H, K, d }: Heads, norms: boolean, bias: boolean): Make =>
  (m) => {
    const W = (H + 2 * K) * d;
    const P = partialCount(R);
    return {
      op: "ropeBackward",
      dQkv: m.f("dQkv", R * W),
      position: m.i("position", R, 9),
      R,
      H,
      K,
      d,
      cosines: m.f("cosines", (9 * d) / 2),
      sines: m.f("sines", (9 * d) / 2),
      ...(norms && {
        qkv: m.f("qkv", R * W),
        qNorm: m.f("qNorm", d),
        kNorm: m.f("kNorm", d),
        inverse: m.f("inverse", R * (H + K)),
        qPartials: m.f("qPartials", P * d),
        kPartials: m.f("kPartials", P * d),
      }),
      ...(bias && { biasPartials: m.f("biasPartials", P * W) }),
    };
  };

export const attentionCase =
  (lengths: number[], { H, K, d }: Heads): Make =>
  (m) => {
    const { R, ...bounds } = sequences(m, lengths);
    const [qkv, out] = [m.f("qkv", R * (H + 2 * K) * d, 2), m.f("out", R * H * d)];
    const lse = m.f("lse", R * H);
    return { op: "attention", qkv, ...bounds, out, lse, R, H, K, d, scale: 1 / Math.sqrt(d) };
  };

export const attentionBackwardCase =
  (lengths: number[], { H, K, d }: Heads): Make =>
  (m) => {
    const { R, ...bounds } = sequences(m, lengths);
    const W = (H + 2 * K) * d;
    // lse need not be the scores' own: the formula holds for any.
    const views = { qkv: m.f("qkv", R * W), out: m.f("out", R * H * d), lse: m.f("lse", R * H, 3) };
    const grads = { dOut: m.f("dOut", R * H * d), delta: m.f("delta", R * H) };
    const shape = { R, H, K, d, scale: 1 / Math.sqrt(d) };
    return {
      op: "attentionBackward",
      ...views,
      ...bounds,
      ...grads,
      dQkv: m.f("dQkv", R * W),
      ...shape,
    };
  };

export const cachedCase =
  (R: number, { H, K, d }: Heads, C = 19, halves = false): Make =>
  (m) => {
    const B = 4;
    const [keys, values] = ["keys", "values"].map((one) => m.slots(one, B * K * C * d, d, halves));
    const cache = { keys: keys!, values: values!, ...(halves && { halves }) };
    const row = m.put(
      "row",
      rows(R, (r) => (r % 5 === 4 ? -1 : r % B)),
    );
    const position = m.put(
      "position",
      rows(R, (r) => (r * 7) % C),
    );
    const views = { qkv: m.f("qkv", R * (H + 2 * K) * d, 3), out: m.f("out", R * H * d) };
    const shape = { R, H, K, d, capacity: C, scale: 0.3 };
    return { op: "cachedAttention", ...views, row, position, ...cache, ...shape };
  };

function headState(m: Maker, M: number) {
  const state = new Float32Array(M * HEAD_STATE);
  for (let r = 0; r < M; r++) state.set([3, 2 + r / 9, -1, 1, 4, 3, 0.5, 0], r * HEAD_STATE);
  return m.put("stats", state);
}

/** A chunk of the head: columns v0 .. v0+n-1 of M rows; a label may be in another chunk. */
export interface Chunk {
  M: number;
  n: number;
  v0: number;
  first: boolean;
  last: boolean;
}

export const headStatsCase =
  ({ M, n, v0, first, last }: Chunk, reference: boolean): Make =>
  (m) => ({
    op: "headStats",
    z: m.f("z", M * n, 6),
    label: m.i("label", M, v0 + n + (last ? 0 : 9)),
    M,
    n,
    v0,
    first,
    last,
    ...(reference && { zr: m.f("zr", M * n, 6) }),
    inverseTemperature: m.put("inverseTemperature", Float32Array.of(1.25)),
    state: headState(m, M),
    ...(last && { out: m.f("out", 3 * M) }),
  });

export const headGradCase =
  (M: number, n: number, v0: number, reference: boolean): Make =>
  (m) => ({
    op: "headGrad",
    z: m.f("z", M * n, 3),
    label: m.i("label", M, v0 + n),
    M,
    n,
    v0,
    ...(reference && { zr: m.f("zr", M * n, 3) }),
    inverseTemperature: m.put("inverseTemperature", Float32Array.of(0.75)),
    state: headState(m, M),
    coefficients: m.f("coefficients", 3 * M),
  });

export const embedCase =
  (R: number, D: number, V: number, packing?: Packing): Make =>
  (m) => {
    const ids = m.i("ids", R, V + 1);
    const words = m.data["ids"] as Int32Array;
    words.forEach((id, r) => (words[r] = id - 1)); // including -1
    const whole = () => ({ view: m.f("table", V * D) });
    const { view: table, ...scales } = packing ? m.packed("table", V, D, packing) : whole();
    return { op: "embed", ids, table, ...scales, out: m.f("out", R * D), R, D };
  };

export const embedGradCase =
  (R: number, D: number, V: number): Make =>
  (m) => {
    m.i("drawn", R, V + 1);
    const ids = (m.data["drawn"] as Int32Array).map((id) => id - 1);
    delete m.data["drawn"];
    const order = [...ids.keys()].filter((r) => ids[r]! >= 0).sort((a, b) => ids[a]! - ids[b]!);
    const starts = order.flatMap((r, i) => (i === 0 || ids[order[i - 1]!] !== ids[r] ? [i] : []));
    const words = {
      unique: m.put(
        "unique",
        rows(R, (u) => ids[order[starts[u] ?? -1] ?? -1] ?? 0),
      ),
      start: m.put(
        "start",
        rows(R + 1, (u) => starts[u] ?? order.length),
      ),
      order: m.put(
        "order",
        rows(R, (i) => order[i] ?? 0),
      ),
    };
    return { op: "embedGrad", dx: m.f("dx", R * D), ...words, grad: m.f("grad", V * D), R, D };
  };

/** `gap` words follow each of the J sums. */
export const reduceCase =
  (J: number, P: number, n: number, gap: number): Make =>
  (m) => {
    const [stride, outStride] = [P * n + gap, n + gap];
    const [partials, out] = [m.f("partials", J * stride), m.f("out", J * outStride)];
    return { op: "reducePartials", partials, out, J, P, n, stride, outStride };
  };

export const swigluCase =
  (R: number, F: number): Make =>
  (m) => ({ op: "swiglu", gateUp: m.f("gateUp", R * 2 * F, 5), out: m.f("out", R * F), R, F });

export const swigluBackwardCase =
  (R: number, F: number): Make =>
  (m) => {
    const views = { gateUp: m.f("gateUp", R * 2 * F, 5), dInner: m.f("dInner", R * F) };
    return { op: "swigluBackward", ...views, R, F };
  };

export const gatherCase =
  (R: number, M: number, D: number): Make =>
  (m) => ({
    op: "gatherRows",
    x: m.f("x", R * D),
    index: m.i("index", M, R),
    out: m.f("out", M * D),
    M,
    D,
  });

/** About every third row gets nothing. */
export const scatterCase =
  (R: number, D: number): Make =>
  (m) => {
    const kept = [...Array(R).keys()].filter((r) => r % 3 !== 0);
    const place = m.put(
      "place",
      rows(R, (r) => kept.length - 1 - kept.indexOf(r)).map((p) => (p < kept.length ? p : -1)),
    );
    const x = m.f("x", Math.max(1, kept.length) * D);
    return { op: "scatterRows", x, place, out: m.f("out", R * D), R, D };
  };

export const valueCase =
  (R: number, D: number): Make =>
  (m) => ({
    op: "value",
    h: m.f("h", R * D),
    weight: m.f("weight", D),
    bias: m.f("bias", 1),
    out: m.f("out", R),
    R,
    D,
  });

export const squaresCase =
  (size: number): Make =>
  (m) => {
    const partials = m.f("partials", Math.ceil(size / SQUARES_CHUNK));
    return { op: "sumSquares", x: m.f("x", size), partials, size };
  };

export const scaleCase =
  (size: number): Make =>
  (m) => ({ op: "scale", x: m.f("x", size), factor: m.f("factor", 1), size });

export const adamwCase =
  (size: number): Make =>
  (m) => ({
    op: "adamw",
    p: m.f("p", size),
    g: m.f("g", size),
    m: m.f("m", size),
    size,
    v: m.put(
      "v",
      Float32Array.from({ length: size }, (_, i) => (i % 128) / 100),
    ),
    scalars: m.put("scalars", Float32Array.of(0.01, 1.1, 0.99, 0.9, 0.1, 0.99, 0.01, 1e-6, 0.5)),
  });

export const valueBackwardCase =
  (R: number, D: number, accumulate: boolean | null): Make =>
  (m) => ({
    op: "valueBackward",
    h: m.f("h", R * D),
    dValue: m.f("dValue", R),
    weight: m.f("weight", D),
    dWeight: m.f("dWeight", D),
    dBias: m.f("dBias", 1),
    ...(accumulate !== null && { dh: m.f("dh", R * D) }),
    R,
    D,
    accumulate: accumulate ?? false,
  });

export function sampleCase(
  rule: { temperature: number; topK?: number; topP?: number; legal?: boolean },
  V = 31,
): Make {
  return (m) => {
    const [R, slots, ticks] = [6, 7, 5];
    const words = new Int32Array(SAMPLE_RULE);
    new Float32Array(words.buffer).set([rule.temperature, rule.topP ?? 1]);
    words.set([rule.topK ?? 0, 12345, 3, 9, streamHash("rollout"), 4, 2], 2);
    words.set([3, 5], 16);
    const logits = m.f("logits", R * V, 4);
    (m.data["logits"] as Float32Array)[5 * V + 2] = NaN;
    const drawn = m.put("drawn", new Int32Array(ticks * slots * 2));
    const state = {
      token: m.i("token", R, V),
      position: m.i("position", R, 20),
      row: m.put("row", Int32Array.of(4, -1, 0, 2, 1, 3)),
      tick: m.put("tick", Int32Array.of(0, 0, 1, 3, 2, 0)),
      trajectory: m.i("trajectory", R, 1000),
      firstStep: m.i("firstStep", R, 50),
      slot: m.put("slot", Int32Array.of(4, 5, 0, 2, 1, 3)),
    };
    const legal = rule.legal ? { legal: m.put("legal", someLegal(slots, V)) } : {};
    const more = { ...state, drawn, ...legal, R, V, slots };
    return { op: "sample", logits, rule: m.put("rule", words), ...more };
  };
}

/** A few or many ids for each slot, far apart; one slot allows a single id, one allows all. [slots, words] */
function someLegal(slots: number, V: number): Int32Array {
  const rows = Array.from({ length: slots }, (_, slot) => {
    if (slot === 1) return [V - 1];
    const all = Array.from({ length: V }, (_, id) => id);
    return slot === 3 ? all : all.filter((id) => (id * 7 + slot) % 5 < 2);
  });
  return Int32Array.from(rows.flatMap((ids) => [...legalBits(ids, V)]));
}

export const SMALL: Heads = { H: 2, K: 1, d: 6 };
export const WIDE: Heads = { H: 4, K: 2, d: 32 };
export const ODD: Heads = { H: 3, K: 3, d: 10 };

/** An operation whose every view is a whole store with the view's name, and the initial contents of the stores. */
export interface OpCase {
  name: string;
  op: Op;
  data: Record<string, Float32Array | Int32Array>;
}

/** The numbers follow from the seed. */
export function opCase(name: string, make: Make, seed: number): OpCase {
  const maker = new Maker(seed);
  const op = make(maker);
  return { name, op, data: maker.data };
}
