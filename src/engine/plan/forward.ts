/** The decoder's forward as operations: embedding, blocks, final norm, and outputs. */
import type { ModelConfig } from "../modelConfig.ts";
import { hasOutputBias } from "../parameters.ts";
import { matrix, weight, type ModelShape, type FusedProduct } from "./layout.ts";
import { addAdapter } from "./lora.ts";
import { HEAD_STATE } from "./ops/heads.ts";
import { PARTIAL_ROWS } from "./ops/layers.ts";
import type { BufferView } from "./ops/view.ts";
import { align, type PlanBuilder } from "./planner.ts";

/** Maximum logits held at a time, in words: 4 MiB. */
const CHUNK_WORDS = 1 << 20;

export const headPart = ({ config }: ModelShape): string =>
  config.tieWordEmbeddings ? "embedding" : "head";

/** The table of an embedding. */
export function embedding(m: ModelShape): { table: BufferView; scales?: BufferView } {
  const { b: table, ...scales } = matrix(m, "embedding");
  return { table, ...scales };
}

/** Width of a row [q | k | v]. */
export const qkvWidth = ({ heads, kvHeads, headDim }: ModelConfig): number =>
  (heads + 2 * kvHeads) * headDim;

/** Attention's shared dimensions. */
export const attentionShape = ({ heads: H, kvHeads: K, headDim: d }: ModelConfig) => ({
  H,
  K,
  d,
  scale: 1 / Math.sqrt(d),
});

export function ropeViews({ config, positions }: ModelShape): {
  cosines: BufferView;
  sines: BufferView;
} {
  const size = (positions * config.headDim) / 2;
  const table = { store: "rope", offset: 0, size };
  return { cosines: table, sines: { ...table, offset: align(size) } };
}

/** The rows of a pass, as uploaded. */
export interface PassInputs {
  R: number;
  /** i32 [R] */
  ids: BufferView;
  /** i32 [R] */
  position: BufferView;
  /** i32 [R] */
  first: BufferView;
  /** i32 [R] */
  end: BufferView;
}

export function passInputs(b: PlanBuilder, R: number): PassInputs {
  const rows = (name: string) => b.input(name, R);
  return {
    R,
    ids: rows("ids"),
    position: rows("position"),
    first: rows("first"),
    end: rows("end"),
  };
}

/** Rows whose last hidden states are read, as uploaded; see KeptRows. */
export interface KeptInputs {
  N: number;
  /** i32 [N] */
  rows: BufferView;
  /** i32 [R] */
  keep: BufferView;
  /** i32 [P+1] */
  bounds: BufferView;
}

/** `N`: number of kept rows, padded; absent: all of them are read. */
export function keptInputs(b: PlanBuilder, R: number, N: number | undefined): KeptInputs | null {
  if (N === undefined) return null;
  const P = Math.ceil(R / PARTIAL_ROWS);
  const [rows, keep] = [b.input("rows", N), b.input("keep", R)];
  return { N, rows, keep, bounds: b.input("bounds", P + 1) };
}

/** What a layer's backward needs from its forward. If the last layer keeps N rows, n = N in it, else n = R. */
export interface LayerSaved {
  /** The block's input. [R, D] */
  x: BufferView;
  /** [R] */
  inverse1: BufferView;
  /** Normed x. [R, D] */
  h1: BufferView;
  /** The projections before the rotation, if QK-norm needs them. [R, W] */
  raw?: BufferView;
  /** [R, H+K] */
  headInverse?: BufferView;
  /** Rotated. [R, W] */
  qkv: BufferView;
  /** [R, H*d] */
  o: BufferView;
  /** Its kept rows. [n, H*d] */
  kept: BufferView;
  /** [R, H] */
  lse: BufferView;
  /** Input of the MLP's norm. [n, D] */
  x2: BufferView;
  /** [n] */
  inverse2: BufferView;
  /** [n, D] */
  h2: BufferView;
  /** [n, 2F] */
  gateUp: BufferView;
  /** What the backward of each product's adapters needs, null without any. */
  adapters: Record<FusedProduct, BufferView | null>;
}

export interface TrunkSaved {
  /** What the forward of a layer left, or of its second run, which begins with this call. */
  layer: (layer: number) => LayerSaved;
  /** Input of the final norm. [n, D] */
  x: BufferView;
  /** [n] */
  inverse: BufferView;
  /** Final-normed hidden states. [n, D] */
  hidden: BufferView;
}

/**
 * The whole trunk. Buffers that are not read later cost nothing: the planner reuses them. `recomputes`: only the inputs of layers
 * are kept for a backward, which runs each layer once more (Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost").
 */
export function trunkForward(
  b: PlanBuilder,
  m: ModelShape,
  p: PassInputs,
  kept: KeptInputs | null,
  recomputes = false,
): TrunkSaved {
  const { hiddenSize: D, layers: L } = m.config;
  const { R } = p;
  let x = b.temp(R * D);
  b.add({ op: "embed", ids: p.ids, ...embedding(m), out: x, R, D });
  const layers: LayerSaved[] = [];
  for (let layer = 0; layer < L; layer++) {
    const { saved, out } = blockForward(b, m, p, layer, x, layer === L - 1 ? kept : null);
    layers.push(saved);
    x = out;
  }
  const { h: hidden, inverse } = planNorm(b, m, kept?.N ?? R, x, 2 * L);
  // The last one's backward comes next: nothing is gained by computing it again.
  const layer = (i: number) =>
    recomputes && i < L - 1 ? blockForward(b, m, p, i, layers[i]!.x, null).saved : layers[i]!;
  return { layer, x, inverse, hidden };
}

function planNorm(b: PlanBuilder, m: ModelShape, R: number, x: BufferView, j: number) {
  const { hiddenSize: D, rmsNormEps: eps } = m.config;
  const [h, inverse] = [b.temp(R * D), b.temp(R)];
  b.add({ op: "norm", x, weight: weight(m, `norm.${j}`), out: h, inverse, R, D, eps });
  return { h, inverse };
}

function blockForward(
  b: PlanBuilder,
  m: ModelShape,
  p: PassInputs,
  layer: number,
  x: BufferView,
  kept: KeptInputs | null,
) {
  const { hiddenSize: D, intermediateSize: F } = m.config;
  const n = kept?.N ?? p.R;
  const { h: h1, inverse: inverse1 } = planNorm(b, m, p.R, x, 2 * layer);
  const { x2, qkvAdapter, oAdapter, ...attention } = attentionForward(b, m, p, layer, {
    x,
    h1,
    kept,
  });
  const { h: h2, inverse: inverse2 } = planNorm(b, m, n, x2, 2 * layer + 1);
  const [gateUp, inner, out] = [b.temp(n * 2 * F), b.temp(n * F), b.temp(n * D)];
  const product = { op: "matmul", layout: "NT", M: n } as const;
  const w = (part: string) => matrix(m, `${part}.${layer}`);
  const up = { a: h2, out: gateUp, M: n, N: 2 * F, K: D };
  b.add({ ...product, ...up, ...w("gateUp") });
  const upAdapter = addAdapter(b, m, "gateUp", layer, up);
  b.add({ op: "swiglu", gateUp, out: inner, R: n, F });
  const down = { a: inner, out, M: n, N: D, K: F };
  b.add({ ...product, ...down, ...w("down"), add: x2 });
  const downAdapter = addAdapter(b, m, "down", layer, down);
  const adapters = { qkv: qkvAdapter, o: oAdapter, gateUp: upAdapter, down: downAdapter };
  const saved: LayerSaved = { x, inverse1, h1, ...attention, x2, inverse2, h2, gateUp, adapters };
  return { saved, out };
}

interface AttentionInputs {
  /** [R, D] */
  x: BufferView;
  /** Normed x. [R, D] */
  h1: BufferView;
  kept: KeptInputs | null;
}

function attentionForward(
  b: PlanBuilder,
  m: ModelShape,
  p: PassInputs,
  layer: number,
  { x, h1, kept }: AttentionInputs,
) {
  const { hiddenSize: D, heads: H } = m.config;
  const { R, first, end } = p;
  const shape = attentionShape(m.config);
  const { qkv, ...projected } = projectQkv(b, m, p, layer, h1);
  const [o, lse] = [b.temp(R * H * shape.d), b.temp(R * H)];
  const keep = kept ? { keep: kept.keep } : {};
  b.add({ op: "attention", qkv, first, end, out: o, lse, ...keep, R, ...shape });
  const [own, add] = [keptOf(b, kept, o, H * shape.d), keptOf(b, kept, x, D)];
  const x2 = b.temp((kept?.N ?? R) * D);
  const product = { a: own, out: x2, M: kept?.N ?? R, N: D, K: H * shape.d };
  const w = matrix(m, `o.${layer}`);
  b.add({ op: "matmul", layout: "NT", ...product, ...w, add, ...outputBias(m, layer) });
  const oAdapter = addAdapter(b, m, "o", layer, product);
  return { ...projected, qkv, o, kept: own, lse, x2, oAdapter };
}

/** The kept rows of x [R, D]: x itself if all are kept. [n, D] */
function keptOf(b: PlanBuilder, kept: KeptInputs | null, x: BufferView, D: number): BufferView {
  if (!kept) return x;
  const out = b.temp(kept.N * D);
  b.add({ op: "gatherRows", x, index: kept.rows, out, M: kept.N, D });
  return out;
}

/** Projection and rotation; with QK-norm the projection is kept. */
function projectQkv(b: PlanBuilder, m: ModelShape, p: PassInputs, layer: number, h1: BufferView) {
  const { hiddenSize: D, heads: H, kvHeads: K, headDim: d, rmsNormEps: eps } = m.config;
  const { R, position } = p;
  const W = qkvWidth(m.config);
  const projected = b.temp(R * W);
  const bias = biasOf(m, layer);
  const product = { a: h1, out: projected, M: R, N: W, K: D };
  b.add({ op: "matmul", layout: "NT", ...product, ...matrix(m, `qkv.${layer}`), ...bias });
  const qkvAdapter = addAdapter(b, m, "qkv", layer, product);
  const rope = { op: "rope", qkv: projected, position, ...ropeViews(m), R, H, K, d, eps } as const;
  if (m.config.family === "qwen2") {
    b.add({ ...rope, out: projected });
    return { qkv: projected, qkvAdapter };
  }
  const [out, headInverse] = [b.temp(R * W), b.temp(R * (H + K))];
  b.add({ ...rope, out, inverse: headInverse, ...headNorms(m, layer) });
  return { qkv: out, raw: projected, headInverse, qkvAdapter };
}

export function biasOf(m: ModelShape, layer: number): { bias?: BufferView } {
  return m.config.attentionBias ? { bias: weight(m, `qkvBias.${layer}`) } : {};
}

export function outputBias(m: ModelShape, layer: number): { bias?: BufferView } {
  return hasOutputBias(m.config) ? { bias: weight(m, `oBias.${layer}`) } : {};
}

export function headNorms(m: ModelShape, layer: number): { qNorm: BufferView; kNorm: BufferView } {
  return {
    qNorm: weight(m, `headNorm.${2 * layer}`),
    kNorm: weight(m, `headNorm.${2 * layer + 1}`),
  };
}

/** The head's rows and, with a KL, the reference's. */
export interface HeadInputs {
  M: number;
  /** Hidden states that predict the targets. [M, D] */
  h: BufferView;
  /** i32 [M] */
  label: BufferView;
  /** [1] */
  inverseTemperature: BufferView;
  reference?: { model: ModelShape; h: BufferView };
}

/** Rows of the hidden states that predict the targets, and their labels. */
export function headInputs(
  b: PlanBuilder,
  m: ModelShape,
  hidden: BufferView,
  M: number,
  reference?: ModelShape,
): HeadInputs {
  const D = m.config.hiddenSize;
  const h = b.temp(M * D);
  b.add({ op: "gatherRows", x: hidden, index: b.input("target", M), out: h, M, D });
  const label = b.input("label", M);
  const inverseTemperature = b.input("inverseTemperature", 1);
  if (!reference) return { M, h, label, inverseTemperature };
  const size = M * reference.config.hiddenSize;
  const view = { store: REFERENCE_HIDDEN, offset: 0, size };
  return { M, h, label, inverseTemperature, reference: { model: reference, h: view } };
}

/** Store for the reference model's hidden states of the targets. */
export const REFERENCE_HIDDEN = "referenceHidden";

interface HeadChunk {
  v0: number;
  n: number;
  first: boolean;
  last: boolean;
}

/** Chunks of the vocabulary: a single one if M rows of logits are few enough. */
export function headChunks(V: number, M: number): HeadChunk[] {
  const most = Math.max(64, Math.floor(CHUNK_WORDS / M / 64) * 64);
  const count = Math.ceil(V / most);
  return Array.from({ length: count }, (_, i) => ({
    v0: i * most,
    n: Math.min(most, V - i * most),
    first: i === 0,
    last: i === count - 1,
  }));
}

/** Logits of one chunk, of the model and its reference. [M, n] */
interface ChunkLogits {
  z: BufferView;
  zr?: BufferView;
}

export function chunkLogits(
  b: PlanBuilder,
  m: ModelShape,
  head: HeadInputs,
  chunk: HeadChunk,
): ChunkLogits {
  const one = (model: ModelShape, h: BufferView) => {
    const D = model.config.hiddenSize;
    const z = b.temp(head.M * chunk.n);
    const rows = matrix(model, headPart(model), { from: chunk.v0, rows: chunk.n, D });
    b.add({ op: "matmul", layout: "NT", a: h, ...rows, out: z, M: head.M, N: chunk.n, K: D });
    return z;
  };
  const z = one(m, head.h);
  return head.reference ? { z, zr: one(head.reference.model, head.reference.h) } : { z };
}

/**
 * Log-prob, entropy and KL of the targets [3, M] into `out`. Returns what the backward needs: the
 * statistics, and the logits if one chunk holds them all.
 */
export function headForward(b: PlanBuilder, m: ModelShape, head: HeadInputs, out: BufferView) {
  const { M, label, inverseTemperature } = head;
  const state = b.temp(M * HEAD_STATE);
  const chunks = headChunks(m.config.vocabSize, M);
  let logits: ChunkLogits | null = null;
  for (const chunk of chunks) {
    logits = chunkLogits(b, m, head, chunk);
    const where = { label, inverseTemperature, state, M, ...chunk };
    b.add({ op: "headStats", ...logits, ...where, ...(chunk.last && { out }) });
  }
  return { state, logits: chunks.length === 1 ? logits : null };
}
