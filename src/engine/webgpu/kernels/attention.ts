/**
 * Causal grouped-query attention, forward and backward. A thread has a few queries (or keys) of one head in registers and
 * walks over the keys (or queries) of its sequence. On a GPU that is one query per thread, and a workgroup stages what it walks
 * over in workgroup memory; on a software adapter it is several, so that a load serves them all, and nothing is staged.
 */
import type { Op } from "../../plan/ops.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { repeat, type KernelTarget } from "./lanes.ts";

type Attention = Extract<Op, { op: "attention" }>;
type Backward = Extract<Op, { op: "attentionBackward" }>;
interface Shape {
  R: number;
  H: number;
  K: number;
  d: number;
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
  return { own: 1, threads: 64, staged: n <= 16 ? 32 : 16 };
}

interface Tiling {
  own: number;
  threads: number;
  staged: number;
}

const shapeWords = ({ H, K, d }: Shape, { width }: Vectors) => {
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
const product = (a: (c: number) => string, b: (c: number) => string, n: number) =>
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

interface Kernel {
  name: string;
  heads: number;
  operands: Operand[];
  body: string;
  shape: Shape;
  floats?: Record<string, number>;
}

function dispatch(kernel: Kernel, vectors: Vectors, tiling: Tiling): Dispatch {
  const { name, heads, operands, body, shape, floats = {} } = kernel;
  const blocks = Math.ceil(shape.R / (tiling.own * tiling.threads));
  return {
    name,
    operands,
    dims: { R: shape.R, blocks },
    floats,
    declarations: times(vectors.type) + stage(vectors, tiling),
    body: blockOf(tiling, heads) + body,
    workgroup: tiling.threads,
    groups: heads * blocks,
  };
}

/** With one own row every j of the walk is seen; with more, some see it and others not. */
const seen = (own: number, yes: string, no: string, condition: string) =>
  own === 1 ? yes : `select(${no}, ${yes}, ${condition})`;

/** The dot product of two rows whose vectors are variables `x0`, `x1`, ... */
const dot = (x: string, y: string, n: number) =>
  product(
    (c) => `${x}${c}`,
    (c) => `${y}${c}`,
    n,
  );

/** Text for each own row r and vector c. */
const each = (own: number, n: number, f: (r: number, c: number) => string) =>
  repeat(own, (r) => repeat(n, (c) => f(r, c)));

/** Keys that a block of queries sees: first and last rows bound those between, since sequences lie end to end. */
const queryBounds = (own: number, threads: number) => `
  ${repeat(own, (r) => `let t${r} = min(row0 + ${r}u, d.R - 1u); let f${r} = u32(first[t${r}]);`)}
  let start = u32(first[base]);
  let stop = min(base + ${own * threads}u, d.R);`;

export function attention(op: Attention, target: KernelTarget): Dispatch[] {
  const { H, K, d } = op;
  const vectors = vectorsOf(d);
  const tiling = tilingOf(target, vectors);
  const { n, array, type } = vectors;
  const { own, threads } = tiling;
  const at = shapeWords(op, vectors);
  const operands: Operand[] = [
    { name: "qkv", type: array, view: op.qkv },
    { name: "first", type: "array<i32>", view: op.first },
    { name: "out", type: array, view: op.out, writes: true },
    ...(op.lse ? [{ name: "lse", type: "array<f32>", view: op.lse, writes: true } as const] : []),
  ];
  const use = repeat(
    own,
    (r) => `{
      let s = d.scale * (${dot(`q${r}_`, "x", n)});
      let top = ${seen(own, `max(m${r}, s)`, `m${r}`, `j >= f${r} && j <= t${r}`)};
      let keep = exp(m${r} - top);
      let p = ${seen(own, "exp(s - top)", "0.0", `j >= f${r} && j <= t${r}`)};
      m${r} = top;
      sum${r} = sum${r} * keep + p;
      ${repeat(n, (c) => `o${r}_${c} = o${r}_${c} * keep + p * y${c};`)}
    }`,
  );
  const body = `
  let kv = h * ${K}u / ${H}u;
  ${queryBounds(own, threads)}
  ${repeat(own, (r) => `let a${r} = ${at.q(`t${r}`, "h")}; var m${r} = -3.4e38; var sum${r} = 0.0;`)}
  ${each(own, n, (r, c) => `let q${r}_${c} = qkv[a${r} + ${c}u]; var o${r}_${c} = ${type}();`)}
  ${walk(
    {
      from: "start",
      to: "stop",
      low: "f0",
      high: `t${own - 1} + 1u`,
      xArray: "qkv",
      yArray: "qkv",
      use,
      x: (row) => at.k(row, "kv"),
      y: (row) => at.v(row, "kv"),
    },
    vectors,
    tiling,
  )}
  ${repeat(
    own,
    (r) => `if (row0 + ${r}u < d.R) {
      let into${r} = ${at.o(`t${r}`, "h")};
      ${repeat(n, (c) => `out[into${r} + ${c}u] = o${r}_${c} / sum${r};`)}
      ${op.lse ? `lse[t${r} * ${H}u + h] = m${r} + log(sum${r});` : ""}
    }`,
  )}`;
  const floats = { scale: op.scale };
  return [
    dispatch({ name: "attention", heads: H, operands, body, shape: op, floats }, vectors, tiling),
  ];
}

/** Queries first: delta and dq. Then keys: dk and dv, over the queries that see them. */
export function attentionBackward(op: Backward, target: KernelTarget): Dispatch[] {
  return [queries(op, target), keys(op, target)];
}

/** A key that a query sees, in the backward pass: adds to dq. */
const queryUse = (own: number, n: number) =>
  repeat(
    own,
    (r) => `{
      let s = d.scale * (${dot(`q${r}_`, "x", n)});
      let p = ${seen(own, `exp(s - l${r})`, "0.0", `j >= f${r} && j <= t${r}`)};
      let dp = ${dot(`g${r}_`, "y", n)};
      let ds = d.scale * p * (dp - delta${r});
      ${repeat(n, (c) => `dq${r}_${c} += ds * x${c};`)}
    }`,
  );

/** A query that sees a key, in the backward pass: adds to dk and dv. */
const keyUse = (own: number, n: number, H: number) => `
    let own = j * ${H}u + qh;
    let l = lse[own];
    let del = delta[own];
    ${repeat(
      own,
      (r) => `{
      let s = d.scale * (${dot(`k${r}_`, "x", n)});
      let p = ${seen(own, "exp(s - l)", "0.0", `j >= t${r} && j < e${r}`)};
      let dp = ${dot(`v${r}_`, "y", n)};
      let ds = d.scale * p * (dp - del);
      ${repeat(n, (c) => `dk${r}_${c} += ds * x${c}; dv${r}_${c} += p * y${c};`)}
    }`,
    )}`;

function queries(op: Backward, target: KernelTarget): Dispatch {
  const { H, K, d } = op;
  const vectors = vectorsOf(d);
  const tiling = tilingOf(target, vectors);
  const { n, array, type } = vectors;
  const { own, threads } = tiling;
  const at = shapeWords(op, vectors);
  const operands: Operand[] = [
    { name: "qkv", type: array, view: op.qkv },
    { name: "first", type: "array<i32>", view: op.first },
    { name: "out", type: array, view: op.out },
    { name: "lse", type: "array<f32>", view: op.lse },
    { name: "dOut", type: array, view: op.dOut },
    { name: "delta", type: "array<f32>", view: op.delta, writes: true },
    { name: "dQkv", type: array, view: op.dQkv, writes: true },
  ];
  const use = queryUse(own, n);
  const body = `
  let kv = h * ${K}u / ${H}u;
  ${queryBounds(own, threads)}
  ${repeat(
    own,
    (r) => `
  let a${r} = ${at.q(`t${r}`, "h")};
  let b${r} = ${at.o(`t${r}`, "h")};
  let l${r} = lse[t${r} * ${H}u + h];
  ${repeat(n, (c) => `let q${r}_${c} = qkv[a${r} + ${c}u]; let g${r}_${c} = dOut[b${r} + ${c}u]; var dq${r}_${c} = ${type}();`)}
  let delta${r} = ${product(
    (c) => `g${r}_${c}`,
    (c) => `out[b${r} + ${c}u]`,
    n,
  )};`,
  )}
  ${walk(
    {
      from: "start",
      to: "stop",
      low: "f0",
      high: `t${own - 1} + 1u`,
      xArray: "qkv",
      yArray: "qkv",
      use,
      x: (row) => at.k(row, "kv"),
      y: (row) => at.v(row, "kv"),
    },
    vectors,
    tiling,
  )}
  ${repeat(
    own,
    (r) => `if (row0 + ${r}u < d.R) {
      delta[t${r} * ${H}u + h] = delta${r};
      ${repeat(n, (c) => `dQkv[a${r} + ${c}u] = dq${r}_${c};`)}
    }`,
  )}`;
  const floats = { scale: op.scale };
  const name = "attentionBackward queries";
  return dispatch({ name, heads: H, operands, body, shape: op, floats }, vectors, tiling);
}

function keys(op: Backward, target: KernelTarget): Dispatch {
  const { H, K, d } = op;
  const vectors = vectorsOf(d);
  const tiling = tilingOf(target, vectors);
  const { n, array, type } = vectors;
  const { own, threads } = tiling;
  const at = shapeWords(op, vectors);
  const operands: Operand[] = [
    { name: "qkv", type: array, view: op.qkv },
    { name: "end", type: "array<i32>", view: op.end },
    { name: "lse", type: "array<f32>", view: op.lse },
    { name: "dOut", type: array, view: op.dOut },
    { name: "delta", type: "array<f32>", view: op.delta },
    { name: "dQkv", type: array, view: op.dQkv, writes: true },
  ];
  const use = keyUse(own, n, H);
  const body = `
  ${repeat(
    own,
    (r) => `
  let t${r} = min(row0 + ${r}u, d.R - 1u);
  let e${r} = u32(end[t${r}]);
  let a${r} = ${at.k(`t${r}`, "h")};
  let b${r} = ${at.v(`t${r}`, "h")};
  ${repeat(n, (c) => `let k${r}_${c} = qkv[a${r} + ${c}u]; let v${r}_${c} = qkv[b${r} + ${c}u]; var dk${r}_${c} = ${type}(); var dv${r}_${c} = ${type}();`)}`,
  )}
  let stop = u32(end[min(base + ${own * threads - 1}u, d.R - 1u)]);
  for (var g = 0u; g < ${H / K}u; g++) {
    let qh = h * ${H / K}u + g;
    ${walk(
      {
        from: "base",
        to: "stop",
        low: "t0",
        high: `e${own - 1}`,
        xArray: "qkv",
        yArray: "dOut",
        use,
        x: (row) => at.q(row, "qh"),
        y: (row) => at.o(row, "qh"),
      },
      vectors,
      tiling,
    )}
  }
  ${repeat(
    own,
    (r) => `if (row0 + ${r}u < d.R) {
      ${repeat(n, (c) => `dQkv[a${r} + ${c}u] = dk${r}_${c}; dQkv[b${r} + ${c}u] = dv${r}_${c};`)}
    }`,
  )}`;
  const floats = { scale: op.scale };
  const name = "attentionBackward keys";
  return dispatch({ name, heads: K, operands, body, shape: op, floats }, vectors, tiling);
}
