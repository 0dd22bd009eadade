/** Random instances of every operation, odd sizes included, and a way to run one alone on an executor. */
import { legalBits } from "../../../src/engine/sample.ts";
import type { Executor } from "../../../src/engine/plan/executor.ts";
import {
  HEAD_STATE,
  operands,
  PARTIAL_ROWS,
  SAMPLE_RULE,
  WRITES,
  type Op,
} from "../../../src/engine/plan/ops.ts";
import { align, type Plan } from "../../../src/engine/plan/planner.ts";
import { streamHash, uniforms } from "../../../src/numeric/rng.ts";

/** An operation whose every view is a whole store, named like the view's store, and what the stores hold first. */
export interface OpCase {
  name: string;
  op: Op;
  data: Record<string, Float32Array | Int32Array>;
}

/** Runs the operation; every store that it writes, afterwards. */
export async function runCase(
  executor: Executor,
  { name, op, data }: OpCase,
): Promise<Record<string, Float32Array>> {
  const entries = Object.entries(data);
  const stores = new Map(
    entries.map(([key, { length }]) => [key, executor.createStore(key, align(length))]),
  );
  for (const [key, words] of entries) executor.write(stores.get(key)!, 0, words);
  const empty = { arenaSize: 0, inputSize: 0, inputs: {}, outputSize: 0, outputs: {} };
  const sizes = Object.fromEntries(entries.map(([key, { length }]) => [key, length]));
  const plan: Plan = { name, ops: [op], ...empty, stores: sizes };
  const runnable = await executor.compile(plan, stores);
  executor.run(runnable, new Int32Array(0));
  const written = operands(op).filter(({ writes }) => writes);
  const results: Record<string, Float32Array> = {};
  for (const { view } of written)
    results[view.store] = await executor.read(stores.get(view.store)!, 0, view.size);
  runnable.dispose();
  for (const store of stores.values()) executor.destroyStore(store);
  return results;
}

/** Builds one case: f and i make float and integer stores and return their views. */
class Maker {
  readonly data: Record<string, Float32Array | Int32Array> = {};

  constructor(private readonly seed: number) {}

  /** Uniform numbers in -spread .. spread. */
  f = (name: string, size: number, spread = 1) => {
    const key = { seed: this.seed, stream: name, iteration: 0, trajectory: 0, step: 0 };
    return this.put(
      name,
      Float32Array.from(uniforms(key, size), (u) => (2 * u - 1) * spread),
    );
  };

  /** Integers below a bound. */
  i = (name: string, size: number, below: number) => {
    const key = { seed: this.seed, stream: name, iteration: 1, trajectory: 0, step: 0 };
    return this.put(
      name,
      Int32Array.from(uniforms(key, size), (u) => Math.floor(u * below)),
    );
  };

  put = (name: string, words: Float32Array | Int32Array) => {
    this.data[name] = words;
    return { store: name, offset: 0, size: words.length };
  };
}

type Make = (m: Maker) => Op;

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

function matmulCase(
  layout: "NT" | "NN" | "TN",
  M: number,
  N: number,
  K: number,
  extra: { bias?: boolean; add?: "other" | "out"; prologue?: "norm" | "swiglu" } = {},
): Make {
  return (m) => {
    const out = m.f("out", M * N);
    const { prologue } = extra;
    return {
      op: "matmul",
      ...{ layout, M, N, K, out },
      a: m.f("a", M * K * (prologue === "swiglu" ? 2 : 1)),
      b: m.f("b", N * K),
      ...(extra.bias && { bias: m.f("bias", N) }),
      ...(extra.add && { add: extra.add === "out" ? out : m.f("other", M * N) }),
      ...(prologue && { prologue }),
      ...(prologue === "norm" && { normWeight: m.f("normWeight", K), eps: 1e-5 }),
    };
  };
}

const normCase =
  (R: number, D: number): Make =>
  (m) => {
    const x = m.f("x", R * D);
    const weight = m.f("weight", D);
    return {
      op: "norm",
      ...{ x, weight, out: m.f("out", R * D), inverse: m.f("inverse", R), R, D, eps: 1e-6 },
    };
  };

const normBackwardCase =
  (R: number, D: number, accumulate: boolean): Make =>
  (m) => ({
    op: "normBackward",
    ...{ x: m.f("x", R * D), inverse: m.f("inverse", R), weight: m.f("weight", D) },
    ...{ dOut: m.f("dOut", R * D), dx: m.f("dx", R * D) },
    ...{ partials: m.f("partials", partialCount(R) * D), R, D, accumulate },
  });

interface Heads {
  H: number;
  K: number;
  d: number;
}

const ropeCase =
  (R: number, { H, K, d }: Heads, norms: boolean, cache: boolean): Make =>
  (m) => {
    const W = (H + 2 * K) * d;
    const [C, B] = [11, 3];
    const qkv = m.f("qkv", R * W);
    return {
      op: "rope",
      ...{ qkv, out: norms ? m.f("out", R * W) : qkv, R, H, K, d, eps: 1e-6 },
      position: m.put(
        "position",
        rows(R, (r) => (r * 5) % C),
      ),
      ...{ cosines: m.f("cosines", (C * d) / 2), sines: m.f("sines", (C * d) / 2) },
      ...(norms && { qNorm: m.f("qNorm", d), kNorm: m.f("kNorm", d) }),
      ...(norms && { inverse: m.f("inverse", R * (H + K)) }),
      ...(cache && {
        row: m.put(
          "row",
          rows(R, (r) => (r % 4 === 3 ? -1 : r % B)),
        ),
        keys: m.f("keys", B * K * C * d),
        values: m.f("values", B * K * C * d),
        capacity: C,
      }),
    };
  };

const ropeBackwardCase =
  (R: number, { H, K, d }: Heads, norms: boolean, bias: boolean): Make =>
  (m) => {
    const W = (H + 2 * K) * d;
    const P = partialCount(R);
    return {
      op: "ropeBackward",
      ...{ dQkv: m.f("dQkv", R * W), position: m.i("position", R, 9), R, H, K, d },
      ...{ cosines: m.f("cosines", (9 * d) / 2), sines: m.f("sines", (9 * d) / 2) },
      ...(norms && {
        ...{ qkv: m.f("qkv", R * W), qNorm: m.f("qNorm", d), kNorm: m.f("kNorm", d) },
        ...{ inverse: m.f("inverse", R * (H + K)) },
        ...{ qPartials: m.f("qPartials", P * d), kPartials: m.f("kPartials", P * d) },
      }),
      ...(bias && { biasPartials: m.f("biasPartials", P * W) }),
    };
  };

const attentionCase =
  (lengths: number[], { H, K, d }: Heads): Make =>
  (m) => {
    const { R, ...bounds } = sequences(m, lengths);
    const [qkv, out] = [m.f("qkv", R * (H + 2 * K) * d, 2), m.f("out", R * H * d)];
    const lse = m.f("lse", R * H);
    return { op: "attention", qkv, ...bounds, out, lse, R, H, K, d, scale: 1 / Math.sqrt(d) };
  };

const attentionBackwardCase =
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

const cachedCase =
  (R: number, { H, K, d }: Heads): Make =>
  (m) => {
    const [B, C] = [4, 19];
    const cache = { keys: m.f("keys", B * K * C * d), values: m.f("values", B * K * C * d) };
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

const headStatsCase =
  (M: number, n: number, v0: number, first: boolean, reference: boolean): Make =>
  (m) => ({
    op: "headStats",
    ...{ z: m.f("z", M * n, 6), label: m.i("label", M, v0 + n), M, n, v0, first, last: true },
    ...(reference && { zr: m.f("zr", M * n, 6) }),
    inverseTemperature: m.put("inverseTemperature", Float32Array.of(1.25)),
    ...{ state: headState(m, M), out: m.f("out", 3 * M) },
  });

const headGradCase =
  (M: number, n: number, v0: number, reference: boolean): Make =>
  (m) => ({
    op: "headGrad",
    ...{ z: m.f("z", M * n, 3), label: m.i("label", M, v0 + n), M, n, v0 },
    ...(reference && { zr: m.f("zr", M * n, 3) }),
    inverseTemperature: m.put("inverseTemperature", Float32Array.of(0.75)),
    ...{ state: headState(m, M), coefficients: m.f("coefficients", 3 * M) },
  });

const embedGradCase: Make = (m) => {
  const [R, D, V] = [9, 6, 7];
  const words = {
    unique: m.put("unique", Int32Array.of(1, 4, 6, 0, 0, 0, 0, 0, 0)),
    start: m.put("start", Int32Array.of(0, 3, 4, 8, 8, 8, 8, 8, 8, 8)),
    order: m.put("order", Int32Array.of(0, 2, 8, 5, 1, 3, 4, 7, 0)),
  };
  return { op: "embedGrad", dx: m.f("dx", R * D), ...words, grad: m.f("grad", V * D), R, D };
};

const valueBackwardCase =
  (R: number, D: number, accumulate: boolean | null): Make =>
  (m) => ({
    op: "valueBackward",
    ...{ h: m.f("h", R * D), dValue: m.f("dValue", R), weight: m.f("weight", D) },
    ...{ dWeight: m.f("dWeight", D), dBias: m.f("dBias", 1) },
    ...(accumulate !== null && { dh: m.f("dh", R * D) }),
    ...{ R, D, accumulate: accumulate ?? false },
  });

function sampleCase(
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

/** For each slot a few ids or many, far apart; one slot may draw a single one, one all. [slots, words] */
function someLegal(slots: number, V: number): Int32Array {
  const rows = Array.from({ length: slots }, (_, slot) => {
    if (slot === 1) return [V - 1];
    const all = Array.from({ length: V }, (_, id) => id);
    return slot === 3 ? all : all.filter((id) => (id * 7 + slot) % 5 < 2);
  });
  return Int32Array.from(rows.flatMap((ids) => [...legalBits(ids, V)]));
}

const SMALL: Heads = { H: 2, K: 1, d: 6 };
const WIDE: Heads = { H: 4, K: 2, d: 32 };
const ODD: Heads = { H: 3, K: 3, d: 10 };

const makers: Record<string, Make> = {
  embed: (m) => ({
    op: "embed",
    ...{ ids: m.put("ids", Int32Array.of(4, -1, 0, 2, 4)), table: m.f("table", 35) },
    ...{ out: m.f("out", 35), R: 5, D: 7 },
  }),
  embedGrad: embedGradCase,
  norm: normCase(5, 19),
  "norm, one number": normCase(1, 1),
  "norm, wide": normCase(70, 128),
  normBackward: normBackwardCase(131, 21, true),
  "normBackward, overwriting": normBackwardCase(3, 64, false),
  reducePartials: (m) => ({
    op: "reducePartials",
    ...{ partials: m.f("partials", 2 * 64), out: m.f("out", 20), J: 2, P: 3, n: 5 },
    ...{ stride: 64, outStride: 9 },
  }),
  "matmul NT": matmulCase("NT", 13, 21, 37, { bias: true, add: "other" }),
  "matmul NT, deep": matmulCase("NT", 6, 9, 1100, { bias: true, add: "out" }),
  "matmul NT, tall": matmulCase("NT", 530, 24, 16),
  "matmul NT, one": matmulCase("NT", 1, 1, 1, { add: "out" }),
  "matmul NN": matmulCase("NN", 12, 19, 23, { add: "out" }),
  "matmul NN, deep": matmulCase("NN", 5, 16, 520),
  "matmul TN": matmulCase("TN", 11, 17, 530, { add: "out" }),
  "matmul TN, even": matmulCase("TN", 32, 64, 48),
  "matmul with norm": matmulCase("NT", 5, 14, 27, { prologue: "norm", bias: true }),
  "matmul with swiglu": matmulCase("NT", 7, 16, 22, { prologue: "swiglu", add: "other" }),
  "rope, in place": ropeCase(7, WIDE, false, false),
  "rope with norms": ropeCase(5, ODD, true, false),
  "rope into a cache": ropeCase(9, SMALL, false, true),
  "rope with norms into a cache": ropeCase(6, WIDE, true, true),
  ropeBackward: ropeBackwardCase(67, WIDE, false, true),
  "ropeBackward with norms": ropeBackwardCase(130, ODD, true, false),
  "ropeBackward with both": ropeBackwardCase(4, SMALL, true, true),
  attention: attentionCase([1, 7, 20, 1, 33], WIDE),
  "attention, small heads": attentionCase([5, 2, 8], SMALL),
  "attention, odd heads": attentionCase([13], ODD),
  attentionBackward: attentionBackwardCase([1, 6, 19, 1, 26], WIDE),
  "attentionBackward, small heads": attentionBackwardCase([5, 1, 9], SMALL),
  "attentionBackward, odd heads": attentionBackwardCase([12], ODD),
  cachedAttention: cachedCase(11, WIDE),
  "cachedAttention, small heads": cachedCase(5, SMALL),
  swiglu: (m) => ({
    op: "swiglu",
    ...{ gateUp: m.f("gateUp", 3 * 2 * 13, 5), out: m.f("out", 39), R: 3, F: 13 },
  }),
  swigluBackward: (m) => ({
    op: "swigluBackward",
    ...{ gateUp: m.f("gateUp", 3 * 2 * 13, 5), dInner: m.f("dInner", 39), R: 3, F: 13 },
  }),
  gatherRows: (m) => ({
    op: "gatherRows",
    ...{ x: m.f("x", 30), index: m.i("index", 8, 6), out: m.f("out", 40), M: 8, D: 5 },
  }),
  scatterRows: (m) => ({
    op: "scatterRows",
    ...{ x: m.f("x", 15), place: m.put("place", Int32Array.of(-1, 2, 0, -1, 1)) },
    ...{ out: m.f("out", 25), R: 5, D: 5 },
  }),
  headStats: headStatsCase(5, 37, 0, true, false),
  "headStats, next chunk, reference": headStatsCase(6, 30, 64, false, true),
  "headStats, one word": headStatsCase(2, 1, 0, true, true),
  headGrad: headGradCase(6, 35, 0, false),
  "headGrad, next chunk, reference": headGradCase(3, 18, 64, true),
  value: (m) => ({
    op: "value",
    ...{ h: m.f("h", 5 * 23), weight: m.f("weight", 23), bias: m.f("bias", 1) },
    ...{ out: m.f("out", 5), R: 5, D: 23 },
  }),
  valueBackward: valueBackwardCase(9, 18, null),
  "valueBackward, shared": valueBackwardCase(6, 32, true),
  "valueBackward, shared, first": valueBackwardCase(1, 5, false),
  sumSquares: (m) => ({
    op: "sumSquares",
    ...{ x: m.f("x", 9000), partials: m.f("partials", 3), size: 9000 },
  }),
  scale: (m) => ({ op: "scale", x: m.f("x", 70), factor: m.f("factor", 1), size: 70 }),
  "scale by zero": (m) => ({
    op: "scale",
    ...{ x: m.put("x", Float32Array.of(1, NaN, Infinity, -2)) },
    ...{ factor: m.put("factor", Float32Array.of(0)), size: 4 },
  }),
  adamw: (m) => ({
    op: "adamw",
    ...{ p: m.f("p", 128), g: m.f("g", 128), m: m.f("m", 128), size: 128 },
    v: m.put(
      "v",
      Float32Array.from({ length: 128 }, (_, i) => i / 100),
    ),
    scalars: m.put("scalars", Float32Array.of(0.01, 1.1, 0.99, 0.9, 0.1, 0.99, 0.01, 1e-6, 0.5)),
  }),
  "sample, greedy": sampleCase({ temperature: 0 }),
  "sample, all": sampleCase({ temperature: 1.5 }),
  "sample, top k": sampleCase({ temperature: 1, topK: 5 }),
  "sample, nucleus": sampleCase({ temperature: 2, topP: 0.7 }),
  "sample, both": sampleCase({ temperature: 1, topK: 9, topP: 0.8 }, 77),
  "sample, legal": sampleCase({ temperature: 1.5, legal: true }, 77),
  "sample, greedy and legal": sampleCase({ temperature: 0, legal: true }),
  "sample, legal and cut": sampleCase({ temperature: 2, topK: 6, topP: 0.9, legal: true }, 77),
};

export const opCases: OpCase[] = Object.entries(makers).map(([name, make], i) => {
  const maker = new Maker(i + 1);
  const op = make(maker);
  return { name, op, data: maker.data };
});

/** Operations that no case covers. */
export function uncovered(): string[] {
  const covered = new Set<string>(opCases.map(({ op }) => op.op));
  return Object.keys(WRITES).filter((name) => !covered.has(name));
}
