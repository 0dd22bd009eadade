/**
 * Shared by attention's kernels. A thread has a few queries (or keys) of one head in registers and
 * loops over the keys (or queries) of its sequence. On a GPU that is one query per thread, and a
 * workgroup stages the loop's rows in workgroup memory; on a software adapter it is several, so
 * that one load serves them all, and nothing is staged. A large head does not fit the registers of
 * one thread: several threads share it, and add up their parts of a staged tile's dot products in
 * workgroup memory.
 */
import type { Dispatch, Operand } from "../shader.ts";
import {
  attentionTile,
  vectorsOf,
  type AttentionTile,
  type RowWork,
  type Vectors,
} from "./attentionTile.ts";
import { repeat, type KernelTarget } from "./lanes.ts";

interface AttentionShape {
  R: number;
  H: number;
  K: number;
  d: number;
  scale: number;
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

/**
 * Row blocks of one head, heads outermost; rows past the end repeat the last and are not written.
 */
const blockOf = (tile: AttentionTile, heads: number) => `
  let h = group / d.blocks;
  let base = (group % d.blocks) * ${rowsOf(tile)}u;
  ${
    tile.parts > 1
      ? `let part = lid % ${tile.parts}u; let row0 = base + lid / ${tile.parts}u;`
      : `let row0 = base + lid * ${tile.own}u;`
  }
  if (h >= ${heads}u) { return; }`;

/** Per workgroup. */
const rowsOf = ({ own, threads, parts }: AttentionTile) => (own * threads) / parts;

/** Index of a thread's c-th vector in its head: parts are interleaved, to avoid bank conflicts. */
const vectorAt = ({ parts }: AttentionTile, c: number) =>
  parts > 1 ? `${c * parts}u + part` : `${c}u`;

/** A sum over the vectors of a head. */
export const headProduct = (a: (c: number) => string, b: (c: number) => string, n: number) =>
  Array.from({ length: n }, (_, c) => `inner(${a(c)}, ${b(c)})`).join(" + ");

/**
 * Loops over rows j = low .. high - 1 (each thread's own bounds; the workgroup's are base's),
 * loading two heads of row j, x and y; `use` is the WGSL that uses x0.., y0.., the dot products and
 * j.
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
  dots: Dots;
  use: string;
}

/** Dot products of an own head's variables with x or y, by name: `qk: ["q0_", "x"]` is that of q0_0, q0_1, ... with x0, x1, ... */
type Dots = Record<string, readonly [own: string, met: "x" | "y"]>;

/** For all own rows. */
export const dotsOf = (own: number, dots: (r: number) => Dots): Dots =>
  Object.assign({}, ...Array.from({ length: own }, (_, r) => dots(r))) as Dots;

function walk(w: Walk, { n }: Vectors, tile: AttentionTile): string {
  const { staged, threads, parts } = tile;
  const dotted = Object.entries(w.dots)
    .map(([name, [own, met]]) => `let ${name} = ${headDot(own, met, n)};`)
    .join("\n");
  if (staged === 0)
    return `
  for (var j = ${w.low}; j < ${w.high}; j++) {
    let xAt = ${w.x("j")};
    let yAt = ${w.y("j")};
    ${repeat(n, (c) => `let x${c} = ${w.xArray}[xAt + ${c}u]; let y${c} = ${w.yArray}[yAt + ${c}u];`)}
    ${dotted}
    ${w.use}
  }`;
  const meet = (text: string) => `
    for (var j = max(tile, ${w.low}); j < min(tile + ${staged}u, ${w.high}); j++) {
      let at = (j - tile) * ${n}u;
      ${repeat(n / parts, (c) => `let x${c} = sx[at + ${vectorAt(tile, c)}]; let y${c} = sy[at + ${vectorAt(tile, c)}];`)}
      ${text}
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
    ${parts > 1 ? addedUp(w, n, tile, meet) : meet(`${dotted}\n${w.use}`)}
  }`;
}

/** Dot products of a tile in two loops: first each thread's part of them, then the sum of all parts of its row, in a fixed order. */
function addedUp(
  { dots, use }: Walk,
  n: number,
  { threads, parts }: AttentionTile,
  meet: (text: string) => string,
): string {
  const all = Object.entries(dots);
  const place = `(j - tile) * ${all.length * threads}u`;
  const shares = all.map(
    ([, [own, met]], i) =>
      `dots[${place} + ${i * threads}u + lid] = ${headDot(own, met, n / parts)};`,
  );
  const sums = all.map(([name], i) => {
    const share = (p: number) => `dots[mates + ${i * threads + p}u]`;
    return `let ${name} = ${Array.from({ length: parts }, (_, p) => share(p)).join(" + ")};`;
  });
  return `
    ${meet(shares.join("\n"))}
    workgroupBarrier();
    ${meet(`let mates = ${place} + lid - part;\n${sums.join("\n")}\n${use}`)}`;
}

function stage({ n, type }: Vectors, { staged, threads, parts }: AttentionTile, dots: number) {
  if (staged === 0) return "";
  const tiles = ["sx", "sy"].map(
    (name) => `var<workgroup> ${name}: array<${type}, ${staged * n}>;`,
  );
  const shares = `var<workgroup> dots: array<f32, ${dots * staged * threads}>;`;
  return [...tiles, parts > 1 ? shares : ""].join(" ");
}

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
  tile: AttentionTile,
  dots: number,
): Dispatch {
  const blocks = Math.ceil(R / rowsOf(tile));
  return {
    name,
    operands,
    dims: { R, blocks },
    floats: { scale },
    declarations: times(vectors.type) + stage(vectors, tile, dots),
    body: blockOf(tile, heads) + body,
    workgroup: tile.threads,
    groups: heads * blocks,
  };
}

/** Code for a thread that owns queries: before it loops over the keys they see, with each key, and for each query after. */
interface QueryWork {
  before: string;
  dots: Dots;
  use: string;
  after: (r: number) => string;
}

/** Parameters of a kernel. */
export function attentionParts(op: AttentionShape, target: KernelTarget, work: RowWork) {
  const whole = vectorsOf(op.d);
  const tile = attentionTile(target, whole, work);
  const at = shapeWords(op, whole);
  const walked = (w: Walk) => walk(w, whole, tile);
  return {
    ...whole,
    ...tile,
    /** Vectors of a thread, and their positions in their head. */
    n: whole.n / tile.parts,
    vector: (c: number) => vectorAt(tile, c),
    /** Code for one of the threads of a row. */
    once: (text: string) => (tile.parts > 1 ? `if (part == 0u) { ${text} }` : text),
    /** Rows per workgroup. */
    rows: rowsOf(tile),
    at,
    walk: walked,
    /** The body of a kernel whose threads own queries. */
    overKeys: ({ before, dots, use, after }: QueryWork) => `
  let kv = h * ${op.K}u / ${op.H}u;
  ${queryBounds(tile)}
  ${before}
  ${walked({
    from: "start",
    to: "stop",
    low: "f0",
    high: `t${tile.own - 1} + 1u`,
    xArray: "qkv",
    yArray: "qkv",
    dots,
    use,
    x: (row) => at.k(row, "kv"),
    y: (row) => at.v(row, "kv"),
  })}
  ${eachOwn(tile.own, after)}`,
    dispatch: (kernel: AttentionKernel) => dispatchOf(kernel, op, whole, tile, work.dots),
  };
}

/** WGSL for each own row inside the operation: rows past the end are not written. */
export const eachOwn = (own: number, text: (r: number) => string) =>
  repeat(own, (r) => `if (row0 + ${r}u < d.R) {${text(r)}}`);

/** With one own row every j of the loop is seen; with more, some rows see it and others not. */
export const seen = (own: number, yes: string, no: string, condition: string) =>
  own === 1 ? yes : `select(${no}, ${yes}, ${condition})`;

/** The dot product of two rows whose vectors are variables `x0`, `x1`, ... */
const headDot = (x: string, y: string, n: number) =>
  headProduct(
    (c) => `${x}${c}`,
    (c) => `${y}${c}`,
    n,
  );

/** WGSL for each own row r and vector c. */
export const each = (own: number, n: number, f: (r: number, c: number) => string) =>
  repeat(own, (r) => repeat(n, (c) => f(r, c)));

/** Keys that a block of queries sees: the first and last rows bound those between, since sequences are concatenated. */
const queryBounds = (tile: AttentionTile) => `
  ${repeat(tile.own, (r) => `let t${r} = min(row0 + ${r}u, d.R - 1u); let f${r} = u32(first[t${r}]);`)}
  let start = u32(first[base]);
  let stop = min(base + ${rowsOf(tile)}u, d.R);`;
