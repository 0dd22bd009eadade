/** Decode plans: feeding prompts to the cache, and one step that also samples the next tokens on the device. */
import { legalWords } from "../sample.ts";
import {
  attentionShape,
  biasOf,
  embedding,
  headNorms,
  headPart,
  outputBias,
  qkvWidth,
  ropeViews,
} from "./forward.ts";
import { matrix, weight, type ModelShape } from "./layout.ts";
import { addAdapter } from "./lora.ts";
import { SAMPLE_RULE } from "./ops/sample.ts";
import type { BufferView } from "./ops/view.ts";
import { addValue } from "./plans.ts";
import { align, PlanBuilder, type Limits, type Plan } from "./planner.ts";

/** A KV cache: B rows of C slots. */
export interface CacheShape {
  B: number;
  C: number;
}

/** Words of a head's key (or value) of a token. */
export const slotWords = ({ headDim, halfCache }: ModelShape["config"]): number =>
  halfCache ? headDim / 2 : headDim;

/** Words of one layer's keys (or values). */
export const cacheHalf = ({ config }: Pick<ModelShape, "config">, { B, C }: CacheShape): number =>
  align(B * config.kvHeads * C * slotWords(config));

export const cacheSize = (m: Pick<ModelShape, "config">, cache: CacheShape): number =>
  2 * m.config.layers * cacheHalf(m, cache);

/** Per-row numbers that steps read and update, each [B] in the "state" store; the sampling rule comes last. */
export const STATE_FIELDS = [
  "token",
  "position",
  "row",
  "tick",
  "trajectory",
  "firstStep",
  "slot",
] as const;

export const stateSize = (B: number): number => STATE_FIELDS.length * align(B) + SAMPLE_RULE;

/** Words of the "legal" store: each row's legal ids as bits. */
export const legalSize = (B: number, V: number): number => B * legalWords(V);

/** Words of the "drawn" store: an id and a log-prob per row and tick. */
export const drawnSize = ({ B, C }: CacheShape): number => C * B * 2;

type RowState = Record<(typeof STATE_FIELDS)[number], BufferView>;

function rowState(B: number, R: number): RowState {
  const view = (i: number) => ({ store: "state", offset: i * align(B), size: R });
  return Object.fromEntries(STATE_FIELDS.map((name, i) => [name, view(i)])) as RowState;
}

/** The tokens of a pass over the cache. */
interface Fresh {
  R: number;
  token: BufferView;
  position: BufferView;
  /** Row of the cache, -1 for none. */
  row: BufferView;
}

/** Feeds R tokens to the cache: computes only their keys and values in every layer. */
export function prefillPlan(m: ModelShape, cache: CacheShape, R: number, limits: Limits): Plan {
  const b = new PlanBuilder(`prefill R${R} C${cache.C}`);
  const [token, position, row] = [b.input("ids", R), b.input("position", R), b.input("row", R)];
  decodeTrunk(b, m, cache, { R, token, position, row }, false);
  return b.finish(limits);
}

/** What a step does besides sampling from all ids. */
export interface StepKind {
  /** Output: value [R] of the tokens fed. */
  value: boolean;
  /** Samples from the legal ids only. */
  legal: boolean;
}

/** One step of R rows: feeds each row's token, samples its next. */
export function stepPlan(
  m: ModelShape,
  cache: CacheShape,
  R: number,
  { value, legal }: StepKind,
  limits: Limits,
): Plan {
  const b = new PlanBuilder(`step R${R} C${cache.C}${value ? " value" : ""}`);
  const state = rowState(cache.B, R);
  const x = decodeTrunk(b, m, cache, { R, ...state }, true);
  const logits = b.temp(R * m.config.vocabSize);
  readOff(b, m, R, x, logits, value);
  const rule = { store: "state", offset: stateSize(cache.B) - SAMPLE_RULE, size: SAMPLE_RULE };
  const drawn = { store: "drawn", offset: 0, size: drawnSize(cache) };
  const V = m.config.vocabSize;
  const mask = { store: "legal", offset: 0, size: legalSize(cache.B, V) };
  const allowed = legal ? { legal: mask } : {};
  b.add({ op: "sample", logits, rule, ...state, drawn, ...allowed, R, V, slots: cache.B });
  return b.finish(limits);
}

function readOff(
  b: PlanBuilder,
  m: ModelShape,
  R: number,
  x: BufferView,
  logits: BufferView,
  value: boolean,
) {
  const { vocabSize: N, hiddenSize: K, rmsNormEps: eps, layers } = m.config;
  const normWeight = weight(m, `norm.${2 * layers}`);
  const product = { op: "matmul", layout: "NT", ...matrix(m, headPart(m)), M: R, N, K } as const;
  if (!value) {
    b.add({ ...product, a: x, out: logits, prologue: "norm", normWeight, eps });
    return;
  }
  const h = b.temp(R * K);
  b.add({ op: "norm", x, weight: normWeight, out: h, R, D: K, eps });
  b.add({ ...product, a: h, out: logits });
  addValue(b, m, R, h, b.output("value", R));
}

/** The trunk over the cache; without `whole`, it stops once the last layer's keys and values are stored. [R, D] */
function decodeTrunk(
  b: PlanBuilder,
  m: ModelShape,
  cache: CacheShape,
  fresh: Fresh,
  whole: boolean,
): BufferView {
  const { hiddenSize: D, layers: L } = m.config;
  const { R } = fresh;
  let x = b.temp(R * D);
  b.add({ op: "embed", ids: fresh.token, ...embedding(m), out: x, R, D });
  for (let layer = 0; layer < L; layer++) {
    const qkv = appendKeys(b, m, cache, fresh, layer, x);
    if (whole || layer < L - 1) x = mix(b, m, cache, fresh, layer, x, qkv);
  }
  return x;
}

function keyViews(m: ModelShape, cache: CacheShape, layer: number) {
  const size = cacheHalf(m, cache);
  const keys = { store: "cache", offset: 2 * layer * size, size };
  const values = { ...keys, offset: (2 * layer + 1) * size };
  return { keys, values, capacity: cache.C, ...(m.config.halfCache && { halves: true }) };
}

/** Projects, rotates and stores; returns the rotated rows. [R, W] */
function appendKeys(
  b: PlanBuilder,
  m: ModelShape,
  cache: CacheShape,
  { R, position, row }: Fresh,
  layer: number,
  x: BufferView,
): BufferView {
  const { heads: H, kvHeads: K, headDim: d, hiddenSize: D, rmsNormEps: eps } = m.config;
  const W = qkvWidth(m.config);
  const projected = b.temp(R * W);
  const normWeight = weight(m, `norm.${2 * layer}`);
  const norm = { prologue: "norm", normWeight, eps } as const;
  const bias = biasOf(m, layer);
  const w = matrix(m, `qkv.${layer}`);
  const product = { a: x, out: projected, ...norm, M: R, N: W, K: D };
  b.add({ op: "matmul", layout: "NT", ...product, ...w, ...bias });
  addAdapter(b, m, "qkv", layer, product);
  const qwen3 = m.config.family === "qwen3";
  const out = qwen3 ? b.temp(R * W) : projected;
  const where = { position, row, ...ropeViews(m), ...keyViews(m, cache, layer) };
  const norms = qwen3 ? headNorms(m, layer) : {};
  b.add({ op: "rope", qkv: projected, out, ...where, ...norms, R, H, K, d, eps });
  return out;
}

/** Attention over the cache and the MLP, each added to x. [R, D] */
function mix(
  b: PlanBuilder,
  m: ModelShape,
  cache: CacheShape,
  { R, position, row }: Fresh,
  layer: number,
  x: BufferView,
  qkv: BufferView,
): BufferView {
  const { hiddenSize: D, heads: H, headDim: d, intermediateSize: F, rmsNormEps: eps } = m.config;
  const [o, x2, gateUp, out] = [R * H * d, R * D, R * 2 * F, R * D].map((size) => b.temp(size));
  const w = (part: string) => matrix(m, `${part}.${layer}`);
  const where = { row, position, ...keyViews(m, cache, layer) };
  b.add({ op: "cachedAttention", qkv, out: o!, R, ...where, ...attentionShape(m.config) });
  const product = { op: "matmul", layout: "NT", M: R } as const;
  const bias = outputBias(m, layer);
  const mixed = { a: o!, out: x2!, M: R, N: D, K: H * d };
  b.add({ ...product, ...mixed, ...w("o"), add: x, ...bias });
  addAdapter(b, m, "o", layer, mixed);
  const normWeight = weight(m, `norm.${2 * layer + 1}`);
  const norm = { prologue: "norm", normWeight, eps } as const;
  const up = { a: x2!, out: gateUp!, ...norm, M: R, N: 2 * F, K: D };
  b.add({ ...product, ...up, ...w("gateUp") });
  addAdapter(b, m, "gateUp", layer, up);
  const down = { a: gateUp!, out: out!, prologue: "swiglu", M: R, N: D, K: F } as const;
  b.add({ ...product, ...down, ...w("down"), add: x2! });
  addAdapter(b, m, "down", layer, down);
  return out!;
}
