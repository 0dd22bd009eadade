/**
 * Matrix products in three layouts, with their prologues and epilogues, in tiles staged in workgroup memory; what the grid lacks
 * in tiles, threads make up by sharing the depth of one tile and adding up in a fixed order. A software adapter has its own
 * kernel, see matmulRegisters.ts.
 */
import type { Op } from "../../plan/ops.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { repeat, type Target } from "./lanes.ts";
import { registerTiles } from "./matmulRegisters.ts";
import { SIGMOID } from "./rows.ts";

export type Matmul = Extract<Op, { op: "matmul" }>;

export function matmul(op: Matmul, target: Target): Dispatch[] {
  return [target.software ? registerTiles(op) : stagedTiles(op)];
}

/** Whether all rows that are read along are whole vec4s. */
export function aligned({ layout, M, N, K }: Matmul): boolean {
  return K % 4 === 0 && N % 4 === 0 && (layout !== "TN" || M % 4 === 0);
}

function operandsOf(op: Matmul): Operand[] {
  const array = aligned(op) ? "array<vec4f>" : "array<f32>";
  const operands: Operand[] = [
    { name: "a", type: array, view: op.a },
    { name: "b", type: array, view: op.b },
    { name: "out", type: array, view: op.out, writes: true },
  ];
  if (op.bias) operands.push({ name: "bias", type: array, view: op.bias });
  if (op.add && !inPlace(op)) operands.push({ name: "addend", type: array, view: op.add });
  if (op.normWeight) operands.push({ name: "normWeight", type: array, view: op.normWeight });
  return operands;
}

export const inPlace = ({ add, out }: Matmul) =>
  add?.store === out.store && add.offset === out.offset;

/** Four numbers of a matrix at (row, column ..), whose rows are `width` wide; zeros past row or width. */
function loader(name: string, array: string, whole: boolean): string {
  const inside = whole
    ? `return ${array}[(row * width + column) / 4u];`
    : `let at = row * width + column;
  let left = width - column;
  var x = vec4f(${array}[at], 0.0, 0.0, 0.0);
  if (left > 1u) { x.y = ${array}[at + 1u]; }
  if (left > 2u) { x.z = ${array}[at + 2u]; }
  if (left > 3u) { x.w = ${array}[at + 3u]; }
  return x;`;
  return `
fn ${name}(row: u32, column: u32, rows: u32, width: u32) -> vec4f {
  if (row >= rows || column >= width) { return vec4f(); }
  ${inside}
}`;
}

/** load_a(m, k): numbers along k, made by the prologue if there is one; TN: load_a(k, m), along m. load_b likewise. */
export function loaders(op: Matmul): string {
  const whole = aligned(op);
  const depth = op.prologue === "swiglu" ? "2u * d.K" : "d.K";
  const a =
    op.layout === "TN"
      ? `fn load_a(k: u32, m: u32) -> vec4f { return rows_a(k, m, d.K, d.M); }`
      : `fn load_a(m: u32, k: u32) -> vec4f { ${prologue(op, depth)} }`;
  const b =
    op.layout === "NT"
      ? `fn load_b(n: u32, k: u32) -> vec4f { return rows_b(n, k, d.N, d.K); }`
      : `fn load_b(k: u32, n: u32) -> vec4f { return rows_b(k, n, d.K, d.N); }`;
  const norm = op.normWeight ? loader("rows_w", "normWeight", whole) : "";
  return `${loader("rows_a", "a", whole)}${loader("rows_b", "b", whole)}${norm}
${op.prologue === "swiglu" ? SIGMOID : ""}
${a}
${b}
${epilogue(op)}`;
}

/** swiglu: a row is [gate | up]; vectors past the gate's end hold zeros of neither, since B's are zero there. */
function prologue({ prologue: kind }: Matmul, width: string): string {
  if (kind !== "swiglu") return `return rows_a(m, k, d.M, ${width});`;
  return `
  let gate = rows_a(m, k, d.M, ${width});
  let up = rows_a(m, d.K + k, d.M, ${width});
  let s = vec4f(sigmoid(gate.x), sigmoid(gate.y), sigmoid(gate.z), sigmoid(gate.w));
  return gate * s * up;`;
}

/** store(m, n, c): four columns of a row, with bias and addend. */
function epilogue(op: Matmul): string {
  const addend = op.add ? (inPlace(op) ? "out" : "addend") : null;
  const bias = op.bias !== undefined;
  if (aligned(op)) {
    const terms = [bias ? "bias[n / 4u]" : "", addend ? `${addend}[at]` : ""].filter(Boolean);
    return `
fn store(m: u32, n: u32, c: vec4f) {
  if (m >= d.M || n >= d.N) { return; }
  let at = (m * d.N + n) / 4u;
  out[at] = ${["c", ...terms].join(" + ")};
}`;
  }
  const terms = [bias ? "bias[n + i]" : "", addend ? `${addend}[at]` : ""].filter(Boolean);
  return `
fn store(m: u32, n: u32, c: vec4f) {
  if (m >= d.M) { return; }
  for (var i = 0u; i < min(4u, d.N - min(n, d.N)); i++) {
    let at = m * d.N + n + i;
    out[at] = ${["c[i]", ...terms].join(" + ")};
  }
}`;
}

export const common = (op: Matmul) => ({
  operands: operandsOf(op),
  dims: { M: op.M, N: op.N, K: op.K },
  floats: op.prologue === "norm" ? { eps: op.eps! } : {},
});

export const nameOf = ({ layout, M, N, K }: Matmul) => `matmul ${layout} ${M}x${N}x${K}`;

interface Tile {
  /** Rows and columns. */
  m: number;
  n: number;
  /** Depth staged at a time. */
  k: number;
  /** Groups of threads that share the depth. */
  split: number;
}

/** Enough workgroups to fill a GPU before large tiles; then large tiles, which load less. */
function tileOf({ M, N, K }: Matmul): Tile {
  const tiles = (m: number, n: number) => Math.ceil(M / m) * Math.ceil(N / n);
  if (M <= 8) return { m: 8, n: 32, k: 16, split: K >= 64 ? 4 : 1 };
  if (N <= 8) return { m: 32, n: 8, k: 16, split: K >= 64 ? 4 : 1 };
  if (tiles(64, 64) >= 96) return { m: 64, n: 64, k: 16, split: 1 };
  if (tiles(32, 32) >= 96 || K < 64) return { m: 32, n: 32, k: 16, split: 1 };
  return { m: 32, n: 32, k: 8, split: 4 };
}

function stagedTiles(op: Matmul): Dispatch {
  const tile = tileOf(op);
  const { m, n, k, split } = tile;
  const team = (m / 4) * (n / 4);
  const across = Math.ceil(op.N / n);
  const body = `
  let m0 = group / d.across * ${m}u;
  let n0 = group % d.across * ${n}u;
  if (m0 >= d.M) { return; }
  let s = lid / ${team}u;
  let l = lid % ${team}u;
  let x = l % ${n / 4}u * 4u;
  let y = l / ${n / 4}u * 4u;
  ${op.prologue === "norm" ? rowNorms(m, team * split) : ""}
  var c0 = vec4f(); var c1 = vec4f(); var c2 = vec4f(); var c3 = vec4f();
  for (var stage = 0u; stage < d.K; stage += ${k * split}u) {
    let k0 = stage + s * ${k}u;
    ${stageA(op, tile, team)}
    ${stageB(op, tile, team)}
    workgroupBarrier();
    for (var k = 0u; k < ${k}u; k++) {
      let pa = s * ${k * m}u + k * ${m}u + y;
      let pb = s * ${k * n}u + k * ${n}u + x;
      let bv = vec4f(sb[pb], sb[pb + 1u], sb[pb + 2u], sb[pb + 3u]);
      c0 += sa[pa] * bv;
      c1 += sa[pa + 1u] * bv;
      c2 += sa[pa + 2u] * bv;
      c3 += sa[pa + 3u] * bv;
    }
    workgroupBarrier();
  }
  ${split > 1 ? gather(split, team) : ""}
  if (s > 0u) { return; }
  store(m0 + y, n0 + x, c0);
  store(m0 + y + 1u, n0 + x, c1);
  store(m0 + y + 2u, n0 + x, c2);
  store(m0 + y + 3u, n0 + x, c3);`;
  const shared = [
    `var<workgroup> sa: array<f32, ${split * k * m}>;`,
    `var<workgroup> sb: array<f32, ${split * k * n}>;`,
    split > 1 ? `var<workgroup> sc: array<vec4f, ${team * 4}>;` : "",
    op.prologue === "norm"
      ? `var<workgroup> inverse: array<f32, ${m}>; var<workgroup> squares: array<f32, ${team * split}>;`
      : "",
  ];
  const base = common(op);
  return {
    ...base,
    name: nameOf(op),
    dims: { ...base.dims, across },
    declarations: [...shared, loaders(op)].join("\n"),
    body,
    workgroup: team * split,
    groups: across * Math.ceil(op.M / m),
  };
}

/** A's tile, k outermost; what lies past K is zeros. */
function stageA(op: Matmul, { m, k }: Tile, team: number): string {
  const scale = op.prologue === "norm" ? `* inverse[r] * rows_w(0u, k0 + q, 1u, d.K)` : "";
  const along =
    op.layout === "TN"
      ? `let q = e / ${m / 4}u; let r = e % ${m / 4}u * 4u;
      let v = load_a(k0 + q, m0 + r);
      let at = s * ${k * m}u + q * ${m}u + r;
      sa[at] = v.x; sa[at + 1u] = v.y; sa[at + 2u] = v.z; sa[at + 3u] = v.w;`
      : `let q = e % ${k / 4}u * 4u; let r = e / ${k / 4}u;
      let v = load_a(m0 + r, k0 + q) ${scale};
      let at = s * ${k * m}u + q * ${m}u + r;
      sa[at] = v.x; sa[at + ${m}u] = v.y; sa[at + ${2 * m}u] = v.z; sa[at + ${3 * m}u] = v.w;`;
  return `for (var e = l; e < ${(k * m) / 4}u; e += ${team}u) { ${along} }`;
}

function stageB({ layout }: Matmul, { n, k }: Tile, team: number): string {
  const along =
    layout === "NT"
      ? `let q = e % ${k / 4}u * 4u; let r = e / ${k / 4}u;
      let v = load_b(n0 + r, k0 + q);
      let at = s * ${k * n}u + q * ${n}u + r;
      sb[at] = v.x; sb[at + ${n}u] = v.y; sb[at + ${2 * n}u] = v.z; sb[at + ${3 * n}u] = v.w;`
      : `let q = e / ${n / 4}u; let r = e % ${n / 4}u * 4u;
      let v = load_b(k0 + q, n0 + r);
      let at = s * ${k * n}u + q * ${n}u + r;
      sb[at] = v.x; sb[at + 1u] = v.y; sb[at + 2u] = v.z; sb[at + 3u] = v.w;`;
  return `for (var e = l; e < ${(k * n) / 4}u; e += ${team}u) { ${along} }`;
}

/** The teams' sums, added to the first team's one after the other. */
const gather = (split: number, team: number) =>
  repeat(
    split - 1,
    (i) => `
  if (s == ${i + 1}u) { sc[l] = c0; sc[l + ${team}u] = c1; sc[l + ${2 * team}u] = c2; sc[l + ${3 * team}u] = c3; }
  workgroupBarrier();
  if (s == 0u) { c0 += sc[l]; c1 += sc[l + ${team}u]; c2 += sc[l + ${2 * team}u]; c3 += sc[l + ${3 * team}u]; }
  workgroupBarrier();`,
  );

/** 1 / rms of the tile's rows: several threads per row, then one adds up. */
function rowNorms(m: number, threads: number): string {
  const lanes = threads / m;
  return `
  let normRow = lid / ${lanes}u;
  var square = 0.0;
  for (var k = lid % ${lanes}u * 4u; k < d.K; k += ${4 * lanes}u) {
    let v = load_a(m0 + normRow, k);
    square += dot(v, v);
  }
  squares[lid] = square;
  workgroupBarrier();
  if (lid < ${m}u) {
    var sum = 0.0;
    for (var i = 0u; i < ${lanes}u; i++) { sum += squares[lid * ${lanes}u + i]; }
    inverse[lid] = 1.0 / sqrt(sum / f32(d.K) + d.eps);
  }
  workgroupBarrier();`;
}
