/**
 * What attention's kernels share. A thread has a few queries (or keys) of one head in registers and walks over the keys (or
 * queries) of its sequence. On a GPU that is one query per thread, and a workgroup stages what it walks over in workgroup
 * memory; on a software adapter it is several, so that a load serves them all, and nothing is staged.
 */
import type { Dispatch, Operand } from "../shader.ts";
import { repeat, type KernelTarget } from "./lanes.ts";

interface AttentionShape {
  R: number;
  H: number;
  K: number;
  d: number;
  scale: number;
}

/** A head as vectors of 4, 2 or 1 numbers. */
interface Vectors {
  type: "vec4f" | "vec2f" | "f32";
  array: "array<vec4f>" | "array<vec2f>" | "array<f32>";
  width: number;
  /** Vectors per head. */
  n: number;
}

function vectorsOf(d: number): Vectors {
  if (d % 4 === 0) return { type: "vec4f", array: "array<vec4f>", width: 4, n: d / 4 };
  if (d % 2 === 0) return { type: "vec2f", array: "array<vec2f>", width: 2, n: d / 2 };
  return { type: "f32", array: "array<f32>", width: 1, n: d };
}

/** Own rows per thread, threads per workgroup, and rows staged at a time. */
function tilingOf({ software }: KernelTarget, { n }: Vectors): Tiling {
  if (software) return { own: n <= 16 ? 4 : 1, threads: 16, staged: 0 };
  // What is staged fits the 16 KiB of a workgroup that every device has: heads of 256 numbers take the last.
  return { own: 1, threads: 64, staged: n <= 16 ? 32 : n <= 32 ? 16 : 8 };
}

interface Tiling {
  own: number;
  threads: number;
  staged: number;
}

const shapeWords = ({ H, K, d }: AttentionShape, { width }: Vectors) => {
  const W = ((H + 2 * K) * d) / width;
  const head = d / width;
  return {
    W,
    O: (H * d) / width,
    q: (row: string, h: string) => `${row} * ${W}u + ${h} * ${head}u`,
    k: (row: string, kv: string) => `${row} * ${W}u + (${H}u + ${kv}) * ${head}u`,
    v: (row: string, kv: string) => `${row} * ${W}u + (${H + K}u + ${kv}) * ${head}u`,
    o: (row: string, h: string) => `(${row} * ${H}u + ${h}) * ${head}u`,
  };
};

const times = (type: Vectors["type"]) =>
  type === "f32"
    ? `fn inner(a: f32, b: f32) -> f32 { return a * b; }`
    : `fn inner(a: ${type}, b: ${type}) -> f32 { return dot(a, b); }`;

/** Row blocks of one head, heads outermost; rows past the end repeat the last and are not written. */
const blockOf = ({ own, threads }: Tiling, heads: number) => `
  let h = group / d.blocks;
  let base = (group % d.blocks) * ${own * threads}u;
  let row0 = base + lid * ${own}u;
  if (h >= ${heads}u) { return; }`;

/** A sum over the vectors of a head. */
export const headProduct = (a: (c: number) => string, b: (c: number) => string, n: number) =>
  Array.from({ length: n }, (_, c) => `inner(${a(c)}, ${b(c)})`).join(" + ");

/**
 * Walks over rows j = low .. high - 1 (each thread's own bounds; the workgroup's are base's), loading two heads of row j,
 * x and y; `use` is the text that consumes x0.., y0.. and j.
 */
interface Walk {
  /** WGSL expressions of the workgroup's bounds, uniform in it. */
  from: string;
  to: string;
  /** The thread's own bounds. */
  low: string;
  high: string;
  x: (row: string) => string;
  y: (row: string) => string;
  xArray: string;
  yArray: string;
  use: string;
}

function walk(w: Walk, { n }: Vectors, { staged, threads }: Tiling): string {
  if (staged === 0)
    return `
  for (var j = ${w.low}; j < ${w.high}; j++) {
    let xAt = ${w.x("j")};
    let yAt = ${w.y("j")};
    ${repeat(n, (c) => `let x${c} = ${w.xArray}[xAt + ${c}u]; let y${c} = ${w.yArray}[yAt + ${c}u];`)}
    ${w.use}
  }`;
  return `
  for (var tile = ${w.from}; tile < ${w.to}; tile += ${staged}u) {
    workgroupBarrier();
    for (var e = lid; e < ${staged * n}u; e += ${threads}u) {
      let j = min(tile + e / ${n}u, d.R - 1u);
      sx[e] = ${w.xArray}[${w.x("j")} + e % ${n}u];
      sy[e] = ${w.yArray}[${w.y("j")} + e % ${n}u];
    }
    workgroupBarrier();
    for (var j = max(tile, ${w.low}); j < min(tile + ${staged}u, ${w.high}); j++) {
      let at = (j - tile) * ${n}u;
      ${repeat(n, (c) => `let x${c} = sx[at + ${c}u]; let y${c} = sy[at + ${c}u];`)}
      ${w.use}
    }
  }`;
}

const stage = ({ n, type }: Vectors, { staged }: Tiling) =>
  staged === 0
    ? ""
    : `var<workgroup> sx: array<${type}, ${staged * n}>; var<workgroup> sy: array<${type}, ${staged * n}>;`;

interface AttentionKernel {
  name: string;
  heads: number;
  operands: Operand[];
  body: string;
}

function dispatchOf(
  { name, heads, operands, body }: AttentionKernel,
  { R, scale }: AttentionShape,
  vectors: Vectors,
  tiling: Tiling,
): Dispatch {
  const blocks = Math.ceil(R / (tiling.own * tiling.threads));
  return {
    name,
    operands,
    dims: { R, blocks },
    floats: { scale },
    declarations: times(vectors.type) + stage(vectors, tiling),
    body: blockOf(tiling, heads) + body,
    workgroup: tiling.threads,
    groups: heads * blocks,
  };
}

/** What a thread that owns queries does: before it walks over the keys they see, with each key, and for each query after. */
interface QueryWork {
  before: string;
  use: string;
  after: (r: number) => string;
}

/** What all kernels of one operation are made with. */
export function attentionParts(op: AttentionShape, target: KernelTarget) {
  const vectors = vectorsOf(op.d);
  const tiling = tilingOf(target, vectors);
  const at = shapeWords(op, vectors);
  const walked = (w: Walk) => walk(w, vectors, tiling);
  return {
    ...vectors,
    ...tiling,
    at,
    walk: walked,
    /** The body of a kernel whose threads own queries. */
    overKeys: ({ before, use, after }: QueryWork) => `
  let kv = h * ${op.K}u / ${op.H}u;
  ${queryBounds(tiling)}
  ${before}
  ${walked({
    from: "start",
    to: "stop",
    low: "f0",
    high: `t${tiling.own - 1} + 1u`,
    xArray: "qkv",
    yArray: "qkv",
    use,
    x: (row) => at.k(row, "kv"),
    y: (row) => at.v(row, "kv"),
  })}
  ${eachOwn(tiling.own, after)}`,
    dispatch: (kernel: AttentionKernel) => dispatchOf(kernel, op, vectors, tiling),
  };
}

/** Text for each own row that is one of the operation's: what is past the end is not written. */
export const eachOwn = (own: number, text: (r: number) => string) =>
  repeat(own, (r) => `if (row0 + ${r}u < d.R) {${text(r)}}`);

/** With one own row every j of the walk is seen; with more, some see it and others not. */
export const seen = (own: number, yes: string, no: string, condition: string) =>
  own === 1 ? yes : `select(${no}, ${yes}, ${condition})`;

/** The dot product of two rows whose vectors are variables `x0`, `x1`, ... */
export const headDot = (x: string, y: string, n: number) =>
  headProduct(
    (c) => `${x}${c}`,
    (c) => `${y}${c}`,
    n,
  );

/** Text for each own row r and vector c. */
export const each = (own: number, n: number, f: (r: number, c: number) => string) =>
  repeat(own, (r) => repeat(n, (c) => f(r, c)));

/** Keys that a block of queries sees: first and last rows bound those between, since sequences lie end to end. */
const queryBounds = ({ own, threads }: Tiling) => `
  ${repeat(own, (r) => `let t${r} = min(row0 + ${r}u, d.R - 1u); let f${r} = u32(first[t${r}]);`)}
  let start = u32(first[base]);
  let stop = min(base + ${own * threads}u, d.R);`;
