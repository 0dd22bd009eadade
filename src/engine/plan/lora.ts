/**
 * Low-rank adapters as operations: a product x W^T of a frozen W gets s (x A^T) B^T on top, s =
 * alpha / rank (Hu et al. 2021, section 4.1), and its backward the gradients of A, B and x, none of
 * W. Adapters of layers that one product computes share its operations: their A are adjacent rows
 * [T, K], T = rank times their number, and B is spread out to [N, T], zeros beside each layer's own
 * columns.
 */
import { linearSizes } from "../../spec/lora.ts";
import type { ModelConfig } from "../modelConfig.ts";
import {
  adaptedOf,
  gradientPart,
  FUSED_PRODUCTS,
  weight,
  type ModelShape,
  type FusedProduct,
} from "./layout.ts";
import type { Matmul } from "./ops/layers.ts";
import type { BufferView } from "./ops/view.ts";
import { align, type PlanBuilder, type PlanField } from "./planner.ts";

/** Store of what the operations need besides parameters: the factor s, and where rows of B go. */
export const LORA_STORE = "lora";

interface SpreadTables {
  /** i32 [N * layers]: the row of B at each place of the spread one, -1 for zeros. */
  spread: PlanField;
  /** i32 [rows of B]: the inverse. */
  collect: PlanField;
}

interface LoraTables {
  scale: PlanField;
  /** Of the products of several layers. */
  products: Partial<Record<FusedProduct, SpreadTables>>;
  words: Int32Array;
}

const tables = new WeakMap<ModelConfig, LoraTables>();

/** The contents of the store of a model with adapters. */
export function loraTables(config: ModelConfig): LoraTables {
  const known = tables.get(config);
  if (known) return known;
  const { rank, alpha } = config.lora!;
  const pieces: number[][] = [[...new Int32Array(Float32Array.of(alpha / rank).buffer)]];
  let end = align(1);
  const put = (numbers: number[]): PlanField => {
    const field = { offset: end, size: numbers.length };
    pieces.push(numbers);
    end += align(numbers.length);
    return field;
  };
  const products: LoraTables["products"] = {};
  for (const product of ["qkv", "gateUp"] as const) {
    const { spread, collect } = placesOf(config, product);
    if (collect.length > 0) products[product] = { spread: put(spread), collect: put(collect) };
  }
  const words = new Int32Array(end);
  let at = 0;
  for (const piece of pieces) {
    words.set(piece, at);
    at += align(piece.length);
  }
  const made = { scale: { offset: 0, size: 1 }, products, words };
  tables.set(config, made);
  return made;
}

function placesOf(
  config: ModelConfig,
  product: FusedProduct,
): { spread: number[]; collect: number[] } {
  const adapted = adaptedOf(config, product);
  const sizes = linearSizes(config);
  const [spread, collect]: number[][] = [[], []];
  for (const layer of FUSED_PRODUCTS[product])
    for (let row = 0; row < sizes[layer].to; row++)
      for (const other of adapted) {
        const own = other === layer;
        if (own) collect!.push(spread!.length);
        spread!.push(own ? collect!.length - 1 : -1);
      }
  return { spread: spread!, collect: collect! };
}

/** A product's adapters at one layer of the model. */
interface Adapter {
  product: FusedProduct;
  layer: number;
  /** Width of x A^T. */
  T: number;
}

function adapterOf({ config }: ModelShape, product: FusedProduct, layer: number): Adapter | null {
  const count = adaptedOf(config, product).length;
  return count === 0 ? null : { product, layer, T: count * config.lora!.rank };
}

const constant = (field: PlanField): BufferView => ({ store: LORA_STORE, ...field });

function addScale(b: PlanBuilder, m: ModelShape, x: BufferView): void {
  b.add({ op: "scale", x, factor: constant(loraTables(m.config).scale), size: x.size });
}

/** B, spread out if the product computes several layers. [N, T] */
function wholeB(b: PlanBuilder, m: ModelShape, { product, layer, T }: Adapter, N: number) {
  const B = weight(m, `loraB.${product}.${layer}`);
  const table = loraTables(m.config).products[product];
  if (!table) return B;
  const out = b.temp(N * T);
  const { rank } = m.config.lora!;
  const place = constant(table.spread);
  b.add({ op: "scatterRows", x: B, place, out, R: place.size, D: rank });
  return out;
}

/** The product's input and its result, with its sizes and prologue. */
type AdaptedProduct = Pick<
  Matmul,
  "a" | "out" | "M" | "N" | "K" | "prologue" | "normWeight" | "eps"
>;

/** Adds s (a A^T) B^T to a product's result, if it has adapters; returns s a A^T for the backward. [M, T] */
export function addAdapter(
  b: PlanBuilder,
  m: ModelShape,
  product: FusedProduct,
  layer: number,
  { out, ...given }: AdaptedProduct,
): BufferView | null {
  const adapter = adapterOf(m, product, layer);
  if (!adapter) return null;
  const { T } = adapter;
  const { M, N } = given;
  const t = b.temp(M * T);
  const A = weight(m, `loraA.${product}.${layer}`);
  b.add({ ...given, op: "matmul", layout: "NT", b: A, out: t, N: T });
  addScale(b, m, t);
  const B = wholeB(b, m, adapter, N);
  b.add({ op: "matmul", layout: "NT", a: t, b: B, out, add: out, M, N, K: T });
  return t;
}

interface AdapterGradient {
  /** From forward. [R, T] */
  t: BufferView;
  /** Of the product's result. [R, N] */
  dy: BufferView;
  R: number;
  N: number;
  K: number;
  /** If R are the kept rows of a pass, see Matmul. i32 [P+1] */
  bounds?: BufferView;
}

/** Adds the gradient of B at once; the returned functions add those of A, given x [R, K], and of x, to dx [R, K]. */
export function adapterBackward(
  b: PlanBuilder,
  m: ModelShape,
  product: FusedProduct,
  layer: number,
  { t, dy, R, N, K, ...bounds }: AdapterGradient,
): { input: (x: BufferView) => void; addTo: (dx: BufferView) => void } {
  const adapter = adapterOf(m, product, layer)!;
  const { T } = adapter;
  const grad = (factor: "A" | "B") => gradientPart(m, `lora${factor}.${product}.${layer}`);
  const dB = { op: "matmul", layout: "TN", a: dy, b: t, ...bounds, M: N, N: T, K: R } as const;
  const table = loraTables(m.config).products[product];
  if (!table) b.add({ ...dB, out: grad("B"), add: grad("B") });
  else {
    const [whole, own] = [b.temp(N * T), b.temp(grad("B").size)];
    b.add({ ...dB, out: whole });
    const { rank: D } = m.config.lora!;
    const index = constant(table.collect);
    b.add({ op: "gatherRows", x: whole, index, out: own, M: index.size, D });
    const n = own.size;
    const sizes = { J: 1, P: 1, n, stride: n, outStride: n };
    b.add({ op: "reducePartials", partials: own, out: grad("B"), ...sizes });
  }
  const dt = b.temp(R * T);
  const B = wholeB(b, m, adapter, N);
  b.add({ op: "matmul", layout: "NN", a: dy, b: B, out: dt, M: R, N: T, K: N });
  addScale(b, m, dt);
  const dA = grad("A");
  const A = weight(m, `loraA.${product}.${layer}`);
  return {
    input: (x) =>
      b.add({
        op: "matmul",
        layout: "TN",
        a: dt,
        b: x,
        out: dA,
        add: dA,
        ...bounds,
        M: T,
        N: K,
        K: R,
      }),
    addTo: (dx) =>
      b.add({ op: "matmul", layout: "NN", a: dt, b: A, out: dx, add: dx, M: R, N: K, K: T }),
  };
}
