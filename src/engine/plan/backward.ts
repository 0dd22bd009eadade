/** The hand-derived backward as operations, in reverse of forward.ts. Gradients of what is trained are added to the "grads" store. */
import type { ValueHead } from "../engine.ts";
import {
  attentionShape,
  chunkLogits,
  headChunks,
  headForward,
  headNorms,
  headPart,
  qkvWidth,
  ropeViews,
  type HeadInputs,
  type KeptInputs,
  type LayerSaved,
  type PassInputs,
  type TrunkSaved,
} from "./forward.ts";
import { freezesTrunk } from "../modelConfig.ts";
import { hasOutputBias } from "../parameters.ts";
import {
  gradientPart as grad,
  matrix,
  weight,
  type ModelShape,
  type FusedProduct,
} from "./layout.ts";
import { adapterBackward } from "./lora.ts";
import { PARTIAL_ROWS } from "./ops/layers.ts";
import type { BufferView } from "./ops/view.ts";
import { align, slice, type PlanBuilder } from "./planner.ts";

const isFrozen = ({ config }: ModelShape): boolean => freezesTrunk(config);

/** Partial sums of J vectors of one size, reduced by one operation at the end. */
interface PartialSums {
  J: number;
  P: number;
  n: number;
  stride: number;
  all: BufferView;
}

function partialSums(b: PlanBuilder, J: number, R: number, n: number): PartialSums {
  const P = Math.ceil(R / PARTIAL_ROWS);
  const stride = align(P * n);
  return { J, P, n, stride, all: b.temp(J * stride) };
}

/** Sums that nothing reads: they are of a frozen vector. */
const unread = (b: PlanBuilder, R: number, n: number): BufferView =>
  b.temp(Math.ceil(R / PARTIAL_ROWS) * n);

const partial = ({ all, P, n, stride }: PartialSums, j: number): BufferView =>
  slice(all, j * stride, P * n);

/** Adds J partial sums to consecutive parts of the layout, each at a multiple of ALIGN. */
function reduce(b: PlanBuilder, m: ModelShape, sums: PartialSums, part: string): void {
  const { J, P, n, stride, all } = sums;
  const outStride = align(n);
  const out = { ...grad(m, `${part}.0`), size: (J - 1) * outStride + n };
  b.add({ op: "reducePartials", partials: all, out, J, P, n, stride, outStride });
}

/** The state of one backward pass. */
interface Back {
  b: PlanBuilder;
  m: ModelShape;
  p: PassInputs;
  /** For the last layer. */
  kept: KeptInputs | null;
  norms: PartialSums | null;
  headNorms: PartialSums | null;
  biases: PartialSums | null;
  /** R ones, if a bias's gradient is a product with them: the sum of its output's rows. */
  ones: BufferView | null;
}

/** From the gradient of the hidden states dHidden [n, D] down to the embedding. */
export function trunkBackward(
  b: PlanBuilder,
  m: ModelShape,
  p: PassInputs,
  saved: TrunkSaved,
  dHidden: BufferView,
  kept: KeptInputs | null,
): void {
  const { layers: L, hiddenSize: D, headDim, family, attentionBias } = m.config;
  const { R } = p;
  const frozen = isFrozen(m);
  const sums = (J: number, n: number) => (frozen ? null : partialSums(b, J, R, n));
  const norms = sums(2 * L + 1, D);
  const heads = family === "qwen3" ? sums(2 * L, headDim) : null;
  const biases = attentionBias ? sums(L, qkvWidth(m.config)) : null;
  const ones = hasOutputBias(m.config) && !frozen ? b.input("ones", R) : null;
  const back: Back = { b, m, p, kept, norms, headNorms: heads, biases, ones };
  // The residual stream's gradient, updated in place from top to bottom; only for kept rows until
  // attention mixes them.
  let dx = b.temp((kept?.N ?? R) * D);
  normBackward(back, saved.x, saved.inverse, { dOut: dHidden, dx, j: 2 * L, kept });
  for (let layer = L - 1; layer >= 0; layer--) {
    const own = layer === L - 1 ? kept : null;
    const left = saved.layer(layer);
    mlpBackward(back, left, layer, dx, own);
    dx = attentionBackward(back, left, layer, dx, own);
  }
  if (!frozen) embeddingBackward(back, dx);
  if (norms) reduce(b, m, norms, "norm");
  if (heads) reduce(b, m, heads, "headNorm");
  if (biases) reduce(b, m, biases, "qkvBias");
}

interface NormGradient {
  /** [n, D] */
  dOut: BufferView;
  /** [n, D] */
  dx: BufferView;
  /** Index of the norm. */
  j: number;
  kept: KeptInputs | null;
}

/** Adds to dx, except for the final norm, which writes it first. */
function normBackward(
  { b, m, p, norms }: Back,
  x: BufferView,
  inverse: BufferView,
  { dOut, dx, j, kept }: NormGradient,
): void {
  const [D, R] = [m.config.hiddenSize, kept?.N ?? p.R];
  const views = { x, inverse, weight: weight(m, `norm.${j}`), dOut, dx };
  const sums = norms ? partial(norms, j) : unread(b, p.R, D);
  const partials = { partials: sums, ...(kept && { bounds: kept.bounds }) };
  const accumulate = j < 2 * m.config.layers;
  b.add({ op: "normBackward", ...views, ...partials, R, D, accumulate });
}

interface LinearGradient {
  product: FusedProduct;
  layer: number;
  /** What its adapters kept, if it has any. */
  adapter: BufferView | null;
  /** [R, N] */
  dy: BufferView;
  R: number;
  N: number;
  K: number;
  kept?: KeptInputs | null;
}

/** Gradient of a product's input, dy [R, N] and weight [N, K] -> [R, K]; that of the weight, or of its adapters, is added to grads. */
function linearBackward(
  { b, m }: Back,
  { product, layer, adapter: t, dy, R, N, K, kept = null }: LinearGradient,
): { input: (x: BufferView) => void; dx: () => BufferView } {
  const part = `${product}.${layer}`;
  const bounds = kept ? { bounds: kept.bounds } : {};
  const adapter = t && adapterBackward(b, m, product, layer, { t, dy, R, N, K, ...bounds });
  const addWeight = (x: BufferView) => {
    const dw = grad(m, part);
    const rows = { a: dy, b: x, ...bounds };
    b.add({ op: "matmul", layout: "TN", ...rows, out: dw, add: dw, M: N, N: K, K: R });
  };
  return {
    input: (x) => {
      if (!isFrozen(m)) addWeight(x);
      adapter?.input(x);
    },
    dx: () => {
      const out = b.temp(R * K);
      b.add({ op: "matmul", layout: "NN", a: dy, ...matrix(m, part), out, M: R, N: K, K: N });
      adapter?.addTo(out);
      return out;
    },
  };
}

/** dx [n, D] in place. */
function mlpBackward(
  back: Back,
  saved: LayerSaved,
  layer: number,
  dx: BufferView,
  kept: KeptInputs | null,
): void {
  const { b, m, p } = back;
  const { hiddenSize: D, intermediateSize: F } = m.config;
  const n = kept?.N ?? p.R;
  const { adapters } = saved;
  const of = (product: FusedProduct, dy: BufferView, N: number, K: number) =>
    linearBackward(back, { product, layer, adapter: adapters[product], dy, R: n, N, K, kept });
  const down = of("down", dx, D, F);
  const inner = down.dx(); // [n, F]: the product's gradient, then the product itself
  const { gateUp } = saved; // [n, 2F]: from here on its gradient
  b.add({ op: "swigluBackward", gateUp, dInner: inner, R: n, F });
  down.input(inner);
  const up = of("gateUp", gateUp, 2 * F, D);
  up.input(saved.h2);
  normBackward(back, saved.x2, saved.inverse2, { dOut: up.dx(), dx, j: 2 * layer + 1, kept });
}

/** dx [n, D] becomes that of all rows; below the first layer of a frozen trunk nothing needs it. [R, D] */
function attentionBackward(
  back: Back,
  saved: LayerSaved,
  layer: number,
  dx: BufferView,
  kept: KeptInputs | null,
): BufferView {
  const { b, m, p } = back;
  const { hiddenSize: D, heads: H } = m.config;
  const { R, first, end } = p;
  const shape = attentionShape(m.config);
  const W = qkvWidth(m.config);
  const n = kept?.N ?? R;
  const { adapters } = saved;
  const K = H * shape.d;
  const mixed = { product: "o", adapter: adapters.o, dy: dx, R: n, N: D, K, kept } as const;
  const output = linearBackward(back, { ...mixed, layer });
  output.input(saved.kept);
  if (back.ones) biasBackward(back, `oBias.${layer}`, slice(back.ones, 0, n), dx, n, kept);
  const dOut = planSpread(back, kept, output.dx(), H * shape.d); // [R, H*d]
  const [delta, dQkv] = [b.temp(R * H), b.temp(R * W)];
  const { qkv, o: out, lse } = saved;
  const views = { qkv, first, end, out, lse, dOut, delta, dQkv };
  b.add({ op: "attentionBackward", ...views, ...(kept && { keep: kept.keep }), R, ...shape });
  ropeBackward(back, saved, layer, dQkv);
  const projected = { product: "qkv", adapter: adapters.qkv, dy: dQkv, R, N: W, K: D } as const;
  const projection = linearBackward(back, { ...projected, layer });
  projection.input(saved.h1);
  if (layer === 0 && isFrozen(m)) return dx;
  const all = planSpread(back, kept, dx, D);
  const through = { dOut: projection.dx(), dx: all, j: 2 * layer, kept: null };
  normBackward(back, saved.x, saved.inverse1, through);
  return all;
}

/** dy [n, D] summed over its rows: ones [n, 1]^T dy, added to grads. Padding rows are 0. */
function biasBackward(
  { b, m }: Back,
  part: string,
  ones: BufferView,
  dy: BufferView,
  n: number,
  kept: KeptInputs | null,
): void {
  const [D, out] = [m.config.hiddenSize, grad(m, part)];
  const rows = { a: ones, b: dy, ...(kept && { bounds: kept.bounds }) };
  b.add({ op: "matmul", layout: "TN", ...rows, out, add: out, M: 1, N: D, K: n });
}

/** Scatters the kept rows [n, D] into all rows, the others 0. [R, D] */
function planSpread({ b, p }: Back, kept: KeptInputs | null, x: BufferView, D: number): BufferView {
  if (!kept) return x;
  const out = b.temp(p.R * D);
  b.add({ op: "scatterRows", x, place: kept.keep, out, R: p.R, D });
  return out;
}

function ropeBackward(back: Back, saved: LayerSaved, layer: number, dQkv: BufferView): void {
  const { b, m, p, headNorms: sums, biases } = back;
  const { heads: H, kvHeads: K, headDim: d } = m.config;
  const norms = saved.raw && {
    ...headNorms(m, layer),
    qkv: saved.raw,
    inverse: saved.headInverse!,
    qPartials: sums ? partial(sums, 2 * layer) : unread(b, p.R, d),
    kPartials: sums ? partial(sums, 2 * layer + 1) : unread(b, p.R, d),
  };
  const bias = biases && { biasPartials: partial(biases, layer) };
  const where = { position: p.position, ...ropeViews(m), R: p.R, H, K, d };
  b.add({ op: "ropeBackward", dQkv, ...where, ...norms, ...bias });
}

function embeddingBackward({ b, m, p }: Back, dx: BufferView): void {
  const { R } = p;
  const rows = {
    unique: b.input("unique", R),
    start: b.input("start", R + 1),
    order: b.input("order", R),
  };
  const D = m.config.hiddenSize;
  b.add({ op: "embedGrad", dx, ...rows, grad: grad(m, "embedding"), R, D });
}

/** The policy head, forward and backward: gradient of the targets' hidden states. [M, D] */
export function headBackward(b: PlanBuilder, m: ModelShape, head: HeadInputs): BufferView {
  const { M, label, inverseTemperature } = head;
  const D = m.config.hiddenSize;
  const { state, logits: kept } = headForward(b, m, head, b.temp(3 * M));
  const coefficients = b.input("coefficients", 3 * M);
  const dh = b.temp(M * D);
  for (const chunk of headChunks(m.config.vocabSize, M)) {
    const { v0, n, first } = chunk;
    const logits = kept ?? chunkLogits(b, m, head, chunk);
    const where = { label, inverseTemperature, state, coefficients, M, n, v0 };
    b.add({ op: "headGrad", ...logits, ...where });
    const dz = logits.z;
    const w = matrix(m, headPart(m), { from: v0, rows: n, D });
    const add = first ? {} : { add: dh };
    b.add({ op: "matmul", layout: "NN", a: dz, ...w, out: dh, ...add, M, N: D, K: n });
    if (isFrozen(m)) continue;
    const dw = slice(grad(m, headPart(m)), v0 * D, n * D);
    b.add({ op: "matmul", layout: "TN", a: dz, b: head.h, out: dw, add: dw, M: n, N: D, K: M });
  }
  return dh;
}

/** Gradient of all R hidden states from the targets', zeros elsewhere. [R, D] */
export function scatterHidden(
  b: PlanBuilder,
  m: ModelShape,
  R: number,
  dh: BufferView,
): BufferView {
  const D = m.config.hiddenSize;
  const out = b.temp(R * D);
  b.add({ op: "scatterRows", x: dh, place: b.input("place", R), out, R, D });
  return out;
}

/** The value head's gradients; with a shared head also into dHidden, which is created if absent. */
export function valueBackward(
  b: PlanBuilder,
  m: ModelShape,
  R: number,
  hidden: BufferView,
  valueHead: ValueHead,
  dHidden: BufferView | null,
): BufferView | null {
  const D = m.config.hiddenSize;
  const shared = valueHead === "shared";
  const dh = shared ? (dHidden ?? b.temp(R * D)) : null;
  b.add({
    op: "valueBackward",
    h: hidden,
    dValue: b.input("dValue", R),
    weight: weight(m, "valueWeight"),
    dWeight: grad(m, "valueWeight"),
    dBias: grad(m, "valueBias"),
    ...(dh && { dh }),
    R,
    D,
    accumulate: dHidden !== null,
  });
  return dh ?? dHidden;
}
