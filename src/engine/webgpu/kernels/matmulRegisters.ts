/**
 * Products on a software adapter: one tile of registers per thread, as large as divides the matrix,
 * since loads are expensive there and sums are not, without barriers or branches. Shapes that vec4s
 * do not fit have a small tile with guarded loads.
 */
import type { Dispatch } from "../shader.ts";
import { repeat } from "./lanes.ts";
import type { Matmul } from "../../plan/ops/layers.ts";
import {
  isAligned,
  common,
  inPlace,
  loaders,
  matmulName,
  unpacking,
  vectorOfB,
} from "./matmulParts.ts";
import { SIGMOID } from "./rows.ts";

interface RegisterTile {
  rows: number;
  /** vec4s of columns. */
  vectors: number;
}

const GROUP = 4;

export function registerTiles(op: Matmul): Dispatch {
  const tile = tileOf(op);
  const across = Math.ceil(op.N / 4 / tile.vectors);
  const threads = across * Math.ceil(op.M / tile.rows);
  const base = common(op);
  const whole = isAligned(op);
  const body = `
  let tile = group * ${GROUP}u + lid;
  if (tile >= d.threads) { return; }
  let m0 = tile / d.across * ${tile.rows}u;
  let n0 = tile % d.across * ${4 * tile.vectors}u;
  ${whole ? wholeTile(op, tile) : guardedTile(op, tile)}`;
  return {
    ...base,
    name: matmulName(op),
    dims: { ...base.dims, across, threads },
    declarations: whole ? SIGMOID + unpacking(op) : loaders(op),
    body,
    workgroup: GROUP,
    groups: Math.ceil(threads / GROUP),
  };
}

/** A product with fewer sums finishes before a large tile's shader is compiled (1 to 3 seconds; a quarter for a small one). */
const SMALL = 1 << 24;

/** The largest that divides the matrix, is worth its compilation and keeps all cores busy. */
function tileOf(op: Matmul): RegisterTile {
  if (!isAligned(op)) return { rows: 4, vectors: 1 };
  const { M, N, K, layout } = op;
  const most = M * N * K < SMALL ? { rows: 8, vectors: 4 } : { rows: 16, vectors: 8 };
  const heights = layout === "TN" ? [16, 12, 8, 4] : [16, 12, 8, 6, 4, 3, 2, 1];
  const rows = heights.find((r) => r <= most.rows && M % r === 0)!;
  const threads = (vectors: number) => (M / rows) * (N / 4 / vectors);
  const fits = (v: number) => v <= most.vectors && (N / 4) % v === 0 && threads(v) >= 32;
  return { rows, vectors: [8, 6, 4, 3, 2].find(fits) ?? 1 };
}

const each = ({ rows, vectors }: RegisterTile, f: (i: number, j: number) => string) =>
  repeat(rows, (i) => repeat(vectors, (j) => f(i, j)));

/** Indices count vec4s: depth K4, width N4; pointers into the rows of A and B advance. */
function wholeTile(op: Matmul, tile: RegisterTile): string {
  const { layout } = op;
  const { rows, vectors } = tile;
  const width = op.prologue === "swiglu" ? "2u * K4" : "K4";
  const rowsOfA =
    layout === "TN" ? "" : repeat(rows, (i) => `let a_${i} = (m0 + ${i}u) * ${width};`);
  const rowsOfB =
    layout === "NT"
      ? repeat(4 * vectors, (c) => `let b_${c} = (n0 + ${c}u) * K4;`)
      : "var pb = n0 / 4u;";
  const columns = layout === "TN" ? "var pa = m0 / 4u;" : "";
  return `
  let K4 = d.K / 4u;
  let N4 = d.N / 4u;
  ${rowsOfA} ${rowsOfB} ${columns}
  ${op.prologue === "norm" ? norms(rows) : ""}
  ${each(tile, (i, j) => `var c${i}_${j} = vec4f();`)}
  for (var k = 0u; k < K4; k++) {
    ${loadA(op, rows)}
    ${layout === "NT" ? timesRows(op, tile, (c) => vectorOfB(op, `b_${c} + k`, `n0 + ${c}u`)) : timesColumns(op, tile, (j, q) => vectorOfB(op, `pb + ${j}u`, `4u * k + ${q}u`))}
  }
  ${each(tile, (i, j) => write(op, i, j))}`;
}

const norms = (rows: number) => `
  ${repeat(rows, (i) => `var square${i} = 0.0;`)}
  for (var k = 0u; k < K4; k++) {
    ${repeat(rows, (i) => `{ let v = a[a_${i} + k]; square${i} += dot(v, v); }`)}
  }
  ${repeat(rows, (i) => `let inverse${i} = 1.0 / sqrt(square${i} / f32(d.K) + d.eps);`)}`;

/** The rows' numbers at depth 4k .. 4k + 3, prologue applied. */
function loadA({ layout, prologue }: Matmul, rows: number): string {
  if (layout === "TN")
    return repeat(4, (q) =>
      [repeat(rows / 4, (v) => `let a${q}_${v} = a[pa + ${v}u];`), "pa += d.M / 4u;"].join(" "),
    );
  if (prologue === "swiglu") return repeat(rows, swiglu);
  if (prologue === "norm")
    return `let w = normWeight[k];
    ${repeat(rows, (i) => `let a${i} = a[a_${i} + k] * inverse${i} * w;`)}`;
  return repeat(rows, (i) => `let a${i} = a[a_${i} + k];`);
}

const swiglu = (i: number) => `
    let g${i} = a[a_${i} + k];
    let e${i} = exp(-abs(g${i}));
    let s${i} = select(e${i}, vec4f(1.0), g${i} >= vec4f()) / (1.0 + e${i});
    let a${i} = g${i} * s${i} * a[a_${i} + K4 + k];`;

/** Value of A for row i at depth 4k + q. */
const numberOf = ({ layout }: Matmul, i: number, q: number) =>
  layout === "TN" ? `a${q}_${Math.floor(i / 4)}[${i % 4}]` : `a${i}[${q}]`;

function timesColumns(
  op: Matmul,
  { rows, vectors }: RegisterTile,
  load: (j: number, q: number) => string,
) {
  const step = isAligned(op) ? "pb += N4;" : "";
  return repeat(4, (q) => {
    const sums = (j: number) => repeat(rows, (i) => `c${i}_${j} += ${numberOf(op, i, q)} * b_q;`);
    return repeat(vectors, (j) => `{ let b_q = ${load(j, q)}; ${sums(j)} }`) + step;
  });
}

function timesRows(op: Matmul, { rows, vectors }: RegisterTile, load: (c: number) => string) {
  return repeat(vectors, (j) => {
    const column = (q: number) => {
      const b = [0, 1, 2, 3].map((c) => `b${c}[${q}]`).join(", ");
      const sums = repeat(rows, (i) => `c${i}_${j} += ${numberOf(op, i, q)} * b_q;`);
      return `{ let b_q = vec4f(${b}); ${sums} }`;
    };
    return `{ ${repeat(4, (c) => `let b${c} = ${load(4 * j + c)};`)} ${repeat(4, column)} }`;
  });
}

function write(op: Matmul, i: number, j: number): string {
  const addend = op.add ? (inPlace(op) ? "out" : "addend") : null;
  const at = `(m0 + ${i}u) * N4 + n0 / 4u + ${j}u`;
  const bias = op.bias ? ` + bias[n0 / 4u + ${j}u]` : "";
  return `{ let at = ${at}; out[at] = c${i}_${j}${bias}${addend ? ` + ${addend}[at]` : ""}; }`;
}

function guardedTile(op: Matmul, tile: RegisterTile): string {
  const { rows } = tile;
  const scaled = op.prologue === "norm";
  const lines =
    op.layout === "TN"
      ? repeat(4, (q) => `let a${q}_0 = load_a(k + ${q}u, m0);`)
      : repeat(
          rows,
          (i) => `let a${i} = load_a(m0 + ${i}u, k)${scaled ? ` * inverse${i} * w` : ""};`,
        );
  const sums =
    op.layout === "NT"
      ? timesRows(op, tile, (c) => `load_b(n0 + ${c}u, k)`)
      : timesColumns(op, tile, (_, q) => `load_b(k + ${q}u, n0)`);
  return `
  ${scaled ? guardedNorms(rows) : ""}
  ${each(tile, (i, j) => `var c${i}_${j} = vec4f();`)}
  for (var k = 0u; k < d.K; k += 4u) {
    ${scaled ? "let w = rows_w(0u, k, 1u, d.K);" : ""}
    ${lines}
    ${sums}
  }
  ${each(tile, (i) => `store(m0 + ${i}u, n0, c${i}_0);`)}`;
}

const guardedNorms = (rows: number) => `
  ${repeat(rows, (i) => `var square${i} = 0.0;`)}
  for (var k = 0u; k < d.K; k += 4u) {
    ${repeat(rows, (i) => `{ let v = load_a(m0 + ${i}u, k); square${i} += dot(v, v); }`)}
  }
  ${repeat(rows, (i) => `let inverse${i} = 1.0 / sqrt(square${i} / f32(d.K) + d.eps);`)}`;
