/** Converts a plan's operations to calls of the kernels in assembly/. */
import type { Op, OpName, OpOf } from "../plan/ops.ts";
import { PARTIAL_ROWS } from "../plan/ops/layers.ts";
import type { BufferView } from "../plan/ops/view.ts";

/** The compiled module's functions; addresses in bytes. */
export type Kernels = Record<string, (...args: number[]) => number>;

export interface KernelMemory {
  /** Address of a view; 0 if there is none. */
  at: (view?: BufferView) => number;
  kernels: Kernels;
  scratch: number;
  packBytes: number;
}

type Bind<N extends OpName> = (op: OpOf<N>, place: KernelMemory) => () => void;

const LAYOUTS = { NT: 0, NN: 1, TN: 2 };
const PACKINGS = { none: 0, bf16: 1, int8: 2 };

/** A call whose arguments are resolved once. */
function call({ kernels }: KernelMemory, name: string, ...args: (number | boolean)[]): () => void {
  const kernel = kernels[name]!;
  const numbers = args.map(Number);
  return () => void kernel(...numbers);
}

function bindMatmul(op: OpOf<"matmul">, place: KernelMemory): () => void {
  const { at, scratch, packBytes } = place;
  const { layout, M, N, K, prologue } = op;
  const prepared = scratch + packBytes; // [M, K]
  const a = prologue ? prepared : at(op.a);
  const rest = [at(op.b), at(op.out), at(op.bias), at(op.add), at(op.bounds)];
  const packing = [PACKINGS[op.b.packed ?? "none"], at(op.scales)];
  const product = call(place, "matmul", LAYOUTS[layout], a, ...rest, M, N, K, ...packing, scratch);
  if (!prologue) return product;
  const first =
    prologue === "norm"
      ? call(place, "normRows", at(op.a), at(op.normWeight), prepared, M, K, op.eps!)
      : call(place, "swiglu", at(op.a), prepared, M, K);
  return () => {
    first();
    product();
  };
}

/** @throws Error for a cache in float16, which a spec asks of WebGPU alone. */
function floats<O extends { halves?: boolean }>(op: O): O {
  if (op.halves) throw new Error("these kernels read and write keys and values in float32 alone");
  return op;
}

const shapeOf = ({ R, H, K, d }: { R: number; H: number; K: number; d: number }) => [R, H, K, d];

const bindings: { [N in OpName]: Bind<N> } = {
  embed: (op, p) => {
    const [table, scales, ids, out] = [op.table, op.scales, op.ids, op.out].map((x) => p.at(x));
    if (!op.table.packed) return call(p, "takeRows", table!, ids!, out!, op.R, op.D);
    const packing = PACKINGS[op.table.packed];
    return call(p, "takePackedRows", packing, table!, scales!, ids!, out!, op.R, op.D);
  },
  embedGrad: (op, p) => {
    const rows = [op.dx, op.unique, op.start, op.order, op.grad].map(p.at);
    return call(p, "embedGrad", ...rows, op.R, op.D);
  },
  norm: (op, p) => {
    const views = [op.x, op.weight, op.out, op.inverse].map(p.at);
    return call(p, "norm", ...views, op.R, op.D, op.eps);
  },
  normBackward: (op, p) => {
    const views = [op.x, op.inverse, op.weight, op.dOut, op.dx, op.partials, op.bounds];
    const P = op.bounds ? op.bounds.size - 1 : Math.ceil(op.R / PARTIAL_ROWS);
    const addresses = views.map((view) => p.at(view));
    return call(p, "normBackward", ...addresses, P, op.R, op.D, op.accumulate);
  },
  reducePartials: (op, p) => {
    const { J, P, n, stride, outStride } = op;
    return call(p, "reducePartials", p.at(op.partials), p.at(op.out), J, P, n, stride, outStride);
  },
  matmul: bindMatmul,
  rope: (op, p) => {
    const views = [op.qkv, op.out, op.position, op.cosines, op.sines, op.qNorm, op.kNorm];
    const more = [op.inverse, op.row, floats(op).keys, op.values];
    const addresses = [...views, ...more].map((view) => p.at(view));
    return call(p, "rope", ...addresses, op.capacity ?? 0, ...shapeOf(op), op.eps);
  },
  ropeBackward: (op, p) => {
    const views = [op.dQkv, op.position, op.cosines, op.sines, op.qkv, op.qNorm, op.kNorm];
    const more = [op.inverse, op.qPartials, op.kPartials, op.biasPartials];
    return call(
      p,
      "ropeBackward",
      ...[...views, ...more].map((view) => p.at(view)),
      ...shapeOf(op),
    );
  },
  attention: (op, p) => {
    const views = [op.qkv, op.first, op.end, op.out, op.lse, op.keep].map((view) => p.at(view));
    return call(p, "attention", ...views, ...shapeOf(op), op.scale, p.scratch);
  },
  attentionBackward: (op, p) => {
    const views = [op.qkv, op.first, op.end, op.out, op.lse, op.dOut, op.delta, op.dQkv, op.keep];
    const addresses = views.map((view) => p.at(view));
    return call(p, "attentionBackward", ...addresses, ...shapeOf(op), op.scale, p.scratch);
  },
  cachedAttention: (op, p) => {
    const views = [op.qkv, op.row, op.position, floats(op).keys, op.values, op.out].map(p.at);
    return call(p, "cachedAttention", ...views, ...shapeOf(op), op.capacity, op.scale, p.scratch);
  },
  swiglu: (op, p) => call(p, "swiglu", p.at(op.gateUp), p.at(op.out), op.R, op.F),
  swigluBackward: (op, p) =>
    call(p, "swigluBackward", p.at(op.gateUp), p.at(op.dInner), op.R, op.F),
  gatherRows: (op, p) => call(p, "takeRows", p.at(op.x), p.at(op.index), p.at(op.out), op.M, op.D),
  scatterRows: (op, p) => call(p, "takeRows", p.at(op.x), p.at(op.place), p.at(op.out), op.R, op.D),
  headStats: (op, p) => {
    const views = [op.z, op.zr, op.label, op.inverseTemperature, op.state, op.out];
    const addresses = views.map((view) => p.at(view));
    return call(p, "headStats", ...addresses, op.M, op.n, op.v0, op.first, op.last);
  },
  headGrad: (op, p) => {
    const views = [op.z, op.zr, op.label, op.inverseTemperature, op.state, op.coefficients];
    return call(p, "headGrad", ...views.map((view) => p.at(view)), op.M, op.n, op.v0);
  },
  value: (op, p) => {
    const views = [op.h, op.weight, op.bias, op.out].map(p.at);
    return call(p, "value", ...views, op.R, op.D);
  },
  valueBackward: (op, p) => {
    const views = [op.h, op.dValue, op.weight, op.dWeight, op.dBias, op.dh];
    const addresses = views.map((view) => p.at(view));
    return call(p, "valueBackward", ...addresses, op.R, op.D, op.accumulate);
  },
  sumSquares: (op, p) => call(p, "sumSquares", p.at(op.x), p.at(op.partials), op.size),
  scale: (op, p) => call(p, "scale", p.at(op.x), p.at(op.factor), op.size),
  adamw: (op, p) => {
    const views = [op.p, op.g, op.m, op.v, op.scalars].map(p.at);
    return call(p, "adamw", ...views, op.size);
  },
  sample: (op, p) => {
    const views = [op.logits, op.rule, op.token, op.position, op.row, op.tick];
    const more = [op.trajectory, op.firstStep, op.slot, op.drawn];
    const addresses = [...views, ...more, op.legal].map((view) => p.at(view));
    return call(p, "sample", ...addresses, op.R, op.V, op.slots, p.scratch);
  },
};

/** The operation as a function without arguments. */
export function bindOp(op: Op, place: KernelMemory): () => void {
  return (bindings[op.op] as Bind<typeof op.op>)(op as never, place);
}

/** Bytes of scratch that an operation needs. */
export function scratchBytes(
  op: Op,
  { kernels, packBytes }: Omit<KernelMemory, "at" | "scratch">,
): number {
  switch (op.op) {
    case "matmul":
      return packBytes + (op.prologue ? 4 * op.M * op.K : 0);
    case "attention":
    case "attentionBackward":
      return kernels["attentionBytes"]!(op.R, op.d);
    case "cachedAttention":
      return 4 * op.capacity;
    case "sample":
      return 12 * op.V;
    default:
      return 0;
  }
}
