/**
 * Matrix products in 4x8 tiles. A is packed four rows at a time [K][4], B eight columns at a time
 * [K][8], so that the inner loop reads both sequentially. Each output is the sum over k in order,
 * in blocks of KC: it does not depend on M, N or its position in the matrix.
 */
import { exp1, sigmoid4, sum4 } from "./math";
import { PARTIAL_ROWS } from "./norms";

/** Packings of B: 0 float32, 1 BF16, 2 int8 with a scale for each row (plan/packing.ts). */
const BF16: i32 = 1;

/** Depth of a block: a packed panel of B (16 KiB) stays in the L1 cache. */
export const KC: i32 = 512;
/** Rows of a block: packed A (512 KiB) stays in the L2 cache. */
const MC: i32 = 256;

/** Bytes of the scratch that a product needs before its prologue's matrix. */
export const PACK_BYTES: i32 = MC * KC * 4 + 2 * KC * 8 * 4 + 128;

/** c[4][8] = A[kc][4]^T B[kc][8] (+ bias) (+ add); addresses of 0 mean none. Strides in bytes. */
export function tile(
  a: usize,
  b: usize,
  kc: i32,
  c: usize,
  ldc: usize,
  bias: usize,
  add: usize,
  ldadd: usize,
): void {
  let c00 = f32x4.splat(0);
  let c01 = f32x4.splat(0);
  let c10 = f32x4.splat(0);
  let c11 = f32x4.splat(0);
  let c20 = f32x4.splat(0);
  let c21 = f32x4.splat(0);
  let c30 = f32x4.splat(0);
  let c31 = f32x4.splat(0);
  const end = a + ((<usize>kc) << 4);
  while (a < end) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let x = v128.load32_splat(a);
    c00 = f32x4.add(c00, f32x4.mul(x, b0));
    c01 = f32x4.add(c01, f32x4.mul(x, b1));
    x = v128.load32_splat(a, 4);
    c10 = f32x4.add(c10, f32x4.mul(x, b0));
    c11 = f32x4.add(c11, f32x4.mul(x, b1));
    x = v128.load32_splat(a, 8);
    c20 = f32x4.add(c20, f32x4.mul(x, b0));
    c21 = f32x4.add(c21, f32x4.mul(x, b1));
    x = v128.load32_splat(a, 12);
    c30 = f32x4.add(c30, f32x4.mul(x, b0));
    c31 = f32x4.add(c31, f32x4.mul(x, b1));
    a += 16;
    b += 32;
  }
  if (bias) {
    const b0 = v128.load(bias);
    const b1 = v128.load(bias, 16);
    c00 = f32x4.add(c00, b0);
    c01 = f32x4.add(c01, b1);
    c10 = f32x4.add(c10, b0);
    c11 = f32x4.add(c11, b1);
    c20 = f32x4.add(c20, b0);
    c21 = f32x4.add(c21, b1);
    c30 = f32x4.add(c30, b0);
    c31 = f32x4.add(c31, b1);
  }
  if (add) {
    c00 = f32x4.add(c00, v128.load(add));
    c01 = f32x4.add(c01, v128.load(add, 16));
    add += ldadd;
    c10 = f32x4.add(c10, v128.load(add));
    c11 = f32x4.add(c11, v128.load(add, 16));
    add += ldadd;
    c20 = f32x4.add(c20, v128.load(add));
    c21 = f32x4.add(c21, v128.load(add, 16));
    add += ldadd;
    c30 = f32x4.add(c30, v128.load(add));
    c31 = f32x4.add(c31, v128.load(add, 16));
  }
  v128.store(c, c00);
  v128.store(c, c01, 16);
  c += ldc;
  v128.store(c, c10);
  v128.store(c, c11, 16);
  c += ldc;
  v128.store(c, c20);
  v128.store(c, c21, 16);
  c += ldc;
  v128.store(c, c30);
  v128.store(c, c31, 16);
}

/** Four 4-vectors as rows to columns, stored at `to`, `stride` bytes apart. */
function transpose4(x0: v128, x1: v128, x2: v128, x3: v128, to: usize, stride: usize): void {
  const a = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5);
  const b = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5);
  const c = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
  const d = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f64>(a, b, 0, 2));
  v128.store(to + stride, v128.shuffle<f64>(a, b, 1, 3));
  v128.store(to + 2 * stride, v128.shuffle<f64>(c, d, 0, 2));
  v128.store(to + 3 * stride, v128.shuffle<f64>(c, d, 1, 3));
}

/** Up to four rows of a row-major matrix as columns: to[k][0..3], `stride` bytes from k to k+1. Absent rows are 0. */
export function packRows(
  from: usize,
  ld: usize,
  rows: i32,
  n: i32,
  to: usize,
  stride: usize,
): void {
  let k = 0;
  if (rows >= 4) {
    for (; k + 4 <= n; k += 4) {
      const p = from + ((<usize>k) << 2);
      const x2 = v128.load(p + 2 * ld);
      const x3 = v128.load(p + 3 * ld);
      transpose4(v128.load(p), v128.load(p + ld), x2, x3, to + <usize>k * stride, stride);
    }
  }
  for (; k < n; k++) {
    const p = from + ((<usize>k) << 2);
    const q = to + <usize>k * stride;
    for (let r = 0; r < 4; r++)
      store<f32>(q + ((<usize>r) << 2), r < rows ? load<f32>(p + <usize>r * ld) : 0);
  }
}

/** Up to `width` (4 or 8) columns of a row-major matrix, row by row: to[k][0..width-1]. Absent columns are 0. */
export function packColumns(
  from: usize,
  ld: usize,
  columns: i32,
  width: i32,
  n: i32,
  to: usize,
): void {
  const step = (<usize>width) << 2;
  for (let k = 0; k < n; k++, from += ld, to += step) {
    if (columns >= width) {
      v128.store(to, v128.load(from));
      if (width == 8) v128.store(to, v128.load(from, 16), 16);
      continue;
    }
    for (let c = 0; c < width; c++) {
      const at = (<usize>c) << 2;
      store<f32>(to + at, c < columns ? load<f32>(from + at) : 0);
    }
  }
}

/** Numbers from `column` on of row `row` of a packed matrix as float32: `n`, `column` and `width` are multiples of 4. */
export function unpackNumbers(
  packing: i32,
  matrix: usize,
  scales: usize,
  row: i32,
  width: i32,
  column: i32,
  to: usize,
  n: i32,
): void {
  const first = <usize>row * <usize>width + <usize>column;
  const end = to + ((<usize>n) << 2);
  if (packing == BF16) {
    for (let from = matrix + (first << 1); to < end; to += 16, from += 8)
      v128.store(to, i32x4.shl(v128.load16x4_u(from), 16));
    return;
  }
  const scale = v128.load32_splat(scales + ((<usize>row) << 2));
  for (let from = matrix + first; to < end; to += 16, from += 4) {
    const x = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(from)));
    v128.store(to, f32x4.mul(f32x4.convert_i32x4_s(x), scale));
  }
}

/** Columns n0 .. n0+7 of B^T from B [N, K]: to[k][0..7]. */
export function packPanelOfRows(from: usize, ld: usize, rows: i32, n: i32, to: usize): void {
  packRows(from, ld, rows, n, to, 32);
  packRows(from + 4 * ld, ld, max(rows - 4, 0), n, to + 16, 32);
}

/** Layouts: 0 NT, 1 NN, 2 TN (plan/ops/layers.ts). `packing`: of B, whose rows are a multiple of 4 then. Outputs of a tile that crosses the edge are summed one by one. */
export function matmul(
  layout: i32,
  a: usize,
  b: usize,
  out: usize,
  bias: usize,
  add: usize,
  bounds: usize,
  M: i32,
  N: i32,
  K: i32,
  packing: i32,
  scales: usize,
  scratch: usize,
): void {
  const packed = scratch;
  const panel = packed + <usize>(MC * KC * 4);
  const edge = panel + <usize>(KC * 8 * 4);
  const ld = (<usize>N) << 2;
  for (let k0 = 0, block = 0; k0 < K; block++) {
    const end = bounds ? blockEnd(bounds, block, K) : k0 + KC;
    // Past a block's rows is only padding.
    const kc = min(KC, min(end, K) - k0);
    const base = block == 0 ? add : out;
    const offset = block == 0 ? bias : 0;
    for (let m0 = 0; m0 < M; m0 += MC) {
      const mc = min(MC, M - m0);
      packA(layout, a, M, K, m0, mc, k0, kc, packed);
      for (let n0 = 0; n0 < N; n0 += 8) {
        if (packing) unpackB(layout, packing, b, scales, N, K, n0, k0, kc, panel, edge + 128);
        else packB(layout, b, N, K, n0, k0, kc, panel);
        const shift = (<usize>n0) << 2;
        const at = <usize>m0 * ld + shift;
        const c = offset ? offset + shift : 0;
        column(packed, panel, kc, mc, min(8, N - n0), out + at, ld, c, base ? base + at : 0, edge);
      }
    }
    k0 = end;
  }
}

/** The kept rows before the end of a block of KC rows, some of which are kept. */
function blockEnd(bounds: usize, block: i32, K: i32): i32 {
  const partials = (block + 1) * (KC / PARTIAL_ROWS);
  let end = 0;
  for (let p = 0; p < partials && end < K; p++) end = load<i32>(bounds + ((<usize>(p + 1)) << 2));
  return end;
}

function packA(
  layout: i32,
  a: usize,
  M: i32,
  K: i32,
  m0: i32,
  mc: i32,
  k0: i32,
  kc: i32,
  packed: usize,
): void {
  for (let m = 0; m < mc; m += 4) {
    const to = packed + <usize>m * ((<usize>kc) << 2);
    if (layout == 2) {
      const from = a + ((<usize>k0 * <usize>M + <usize>(m0 + m)) << 2);
      packColumns(from, (<usize>M) << 2, mc - m, 4, kc, to);
    } else {
      const from = a + ((<usize>(m0 + m) * <usize>K + <usize>k0) << 2);
      packRows(from, (<usize>K) << 2, mc - m, kc, to, 16);
    }
  }
}

function packB(
  layout: i32,
  b: usize,
  N: i32,
  K: i32,
  n0: i32,
  k0: i32,
  kc: i32,
  panel: usize,
): void {
  if (layout == 0) {
    const from = b + ((<usize>n0 * <usize>K + <usize>k0) << 2);
    packPanelOfRows(from, (<usize>K) << 2, N - n0, kc, panel);
  } else {
    const from = b + ((<usize>k0 * <usize>N + <usize>n0) << 2);
    packColumns(from, (<usize>N) << 2, N - n0, 8, kc, panel);
  }
}

/** packB of a packed matrix; `rows` has room for eight rows of kc. */
function unpackB(
  layout: i32,
  packing: i32,
  b: usize,
  scales: usize,
  N: i32,
  K: i32,
  n0: i32,
  k0: i32,
  kc: i32,
  panel: usize,
  rows: usize,
): void {
  const width = min(8, N - n0);
  if (layout == 0) {
    const bytes = (<usize>kc) << 2;
    for (let r = 0; r < width; r++)
      unpackNumbers(packing, b, scales, n0 + r, K, k0, rows + <usize>r * bytes, kc);
    packPanelOfRows(rows, bytes, width, kc, panel);
    return;
  }
  for (let k = 0; k < kc; k++) {
    const to = panel + ((<usize>k) << 5);
    unpackNumbers(packing, b, scales, k0 + k, N, n0, to, width);
    if (width < 8) v128.store(to, f32x4.splat(0), 16);
  }
}

/** All tiles of one panel: mc rows, `width` columns of eight. */
function column(
  packed: usize,
  panel: usize,
  kc: i32,
  mc: i32,
  width: i32,
  out: usize,
  ld: usize,
  bias: usize,
  add: usize,
  edge: usize,
): void {
  for (let m = 0; m < mc; m += 4) {
    const rows = min(4, mc - m);
    const from = packed + <usize>m * ((<usize>kc) << 2);
    const at = <usize>m * ld;
    if (rows == 4 && width == 8) {
      tile(from, panel, kc, out + at, ld, bias, add ? add + at : 0, ld);
      continue;
    }
    tile(from, panel, kc, edge, 32, 0, 0, 0);
    for (let r = 0; r < rows; r++) {
      const row = at + <usize>r * ld;
      for (let c = 0; c < width; c++) {
        const shift = (<usize>c) << 2;
        let sum = load<f32>(edge + ((<usize>r) << 5) + shift);
        if (bias) sum += load<f32>(bias + shift);
        if (add) sum += load<f32>(add + row + shift);
        store<f32>(out + row + shift, sum);
      }
    }
  }
}

/** to[m] = a[m] / sqrt(mean(a[m]^2) + eps) * weight. [M, K] */
export function normRows(a: usize, weight: usize, to: usize, M: i32, K: i32, eps: f32): void {
  for (let m = 0; m < M; m++) {
    const row = (<usize>m * <usize>K) << 2;
    const inverse = inverseRms(a + row, K, eps);
    scaleRow(a + row, weight, inverse, to + row, K);
  }
}

/** 1 / sqrt(mean(x^2) + eps) */
export function inverseRms(x: usize, n: i32, eps: f32): f32 {
  let sum = f32x4.splat(0);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const v = v128.load(x + ((<usize>i) << 2));
    sum = f32x4.add(sum, f32x4.mul(v, v));
  }
  let total = sum4(sum);
  for (; i < n; i++) {
    const v = load<f32>(x + ((<usize>i) << 2));
    total += v * v;
  }
  return <f32>1 / sqrt<f32>(total / <f32>n + eps);
}

/** to = x factor weight */
export function scaleRow(x: usize, weight: usize, factor: f32, to: usize, n: i32): void {
  const f = f32x4.splat(factor);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = (<usize>i) << 2;
    const u = f32x4.mul(v128.load(x + at), f);
    v128.store(to + at, f32x4.mul(u, v128.load(weight + at)));
  }
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    store<f32>(to + at, load<f32>(x + at) * factor * load<f32>(weight + at));
  }
}

/** to = silu(gate) up, of rows [gate | up]. [R, 2F] -> [R, F] */
export function swiglu(gateUp: usize, to: usize, R: i32, F: i32): void {
  for (let r = 0; r < R; r++) {
    const gate = gateUp + ((<usize>r * <usize>F) << 3);
    const up = gate + ((<usize>F) << 2);
    const out = to + ((<usize>r * <usize>F) << 2);
    let i = 0;
    for (; i + 4 <= F; i += 4) {
      const at = (<usize>i) << 2;
      const g = v128.load(gate + at);
      v128.store(out + at, f32x4.mul(f32x4.mul(g, sigmoid4(g)), v128.load(up + at)));
    }
    for (; i < F; i++) {
      const at = (<usize>i) << 2;
      const g = load<f32>(gate + at);
      store<f32>(out + at, g * (<f32>1 / (<f32>1 + exp1(-g))) * load<f32>(up + at));
    }
  }
}
