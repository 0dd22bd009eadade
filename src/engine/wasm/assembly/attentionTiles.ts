/**
 * Shared by attention's kernels: keys and values as panels of eight, products in the matmul's 4x8
 * tiles, exponentials of rows of scores.
 */
import { exp1, exp4, max4, sum4 } from "./math";
import { packColumns, packPanelOfRows, packRows, tile } from "./matmul";

export function up8(n: i32): i32 {
  return (n + 7) & ~7;
}

/** Bytes of a row of queries, keys and values. */
export function rowBytes(H: i32, K: i32, d: i32): usize {
  return (<usize>((H + 2 * K) * d)) << 2;
}

/** Offset of a head in a row, in bytes: queries' heads first, then keys', then values'. */
export function headAt(h: i32, d: i32): usize {
  return (<usize>(h * d)) << 2;
}

/** Rows of the sequence that begins at row t. */
export function lengthAt(end: usize, t: i32): i32 {
  return load<i32>(end + ((<usize>t) << 2)) - t;
}

/** Keys (or values) of one head as panels of eight rows: to[row/8][d][8]. */
export function panelsOfRows(from: usize, ld: usize, T: i32, d: i32, to: usize): void {
  for (let j = 0; j < T; j += 8) {
    packPanelOfRows(from + <usize>j * ld, ld, T - j, d, to + ((<usize>(j * d)) << 2));
  }
}

/** The same as panels of eight columns: to[column/8][T][8]. */
export function panelsOfColumns(from: usize, ld: usize, T: i32, d: i32, to: usize): void {
  for (let c = 0; c < d; c += 8) {
    packColumns(from + ((<usize>c) << 2), ld, d - c, 8, T, to + ((<usize>(c * T)) << 2));
  }
}

/** S[4][..] = X[d][4]^T panels, for the first `columns` columns. */
export function products(x: usize, panels: usize, d: i32, columns: i32, S: usize, ld: usize): void {
  for (let j = 0; j < columns; j += 8) {
    tile(x, panels + ((<usize>(j * d)) << 2), d, S + ((<usize>j) << 2), ld, 0, 0, 0);
  }
}

/** s = e^(s - shift) over the first `limit` columns, 0 up to `columns`; returns the sum. */
export function exponentials(s: usize, shift: f32, limit: i32, columns: i32): f32 {
  const m = f32x4.splat(shift);
  let sum = f32x4.splat(0);
  let i = 0;
  for (; i + 4 <= limit; i += 4) {
    const at = s + ((<usize>i) << 2);
    const e = exp4(f32x4.sub(v128.load(at), m));
    v128.store(at, e);
    sum = f32x4.add(sum, e);
  }
  let total = sum4(sum);
  for (; i < limit; i++) {
    const at = s + ((<usize>i) << 2);
    const e = exp1(load<f32>(at) - shift);
    store<f32>(at, e);
    total += e;
  }
  if (columns > limit) memory.fill(s + ((<usize>limit) << 2), 0, (<usize>(columns - limit)) << 2);
  return total;
}

export function largest(s: usize, n: i32): f32 {
  let most = load<f32>(s);
  let i = 0;
  if (n >= 4) {
    let m = v128.load(s);
    for (i = 4; i + 4 <= n; i += 4) m = f32x4.max(m, v128.load(s + ((<usize>i) << 2)));
    most = max4(m);
  }
  for (; i < n; i++) most = max(most, load<f32>(s + ((<usize>i) << 2)));
  return most;
}

/** Whether none of this many rows from `row` on is kept; with a `keep` of 0 all are. */
export function skips(keep: usize, row: i32, rows: i32): bool {
  if (!keep) return false;
  for (let r = 0; r < rows; r++) {
    if (load<i32>(keep + ((<usize>(row + r)) << 2)) >= 0) return false;
  }
  return true;
}

/** Packs up to four rows as x[d][4], times a factor. */
export function packQuery(from: usize, ld: usize, rows: i32, d: i32, factor: f32, x: usize): void {
  packRows(from, ld, rows, d, x, 16);
  const f = f32x4.splat(factor);
  for (let i = 0; i < d; i++) {
    const at = x + ((<usize>i) << 4);
    v128.store(at, f32x4.mul(v128.load(at), f));
  }
}

/** to[rows][d] = P[columns][4]^T values, each row times its factor (O[32 + r]). */
export function weighted(
  P: usize,
  values: usize,
  columns: i32,
  T: i32,
  rows: i32,
  d: i32,
  O: usize,
  to: usize,
  ld: usize,
): void {
  for (let c = 0; c < d; c += 8) {
    tile(P, values + ((<usize>(c * T)) << 2), columns, O, 32, 0, 0, 0);
    const width = min(8, d - c);
    for (let r = 0; r < rows; r++) {
      const share = load<f32>(O + ((<usize>(32 + r)) << 2));
      const row = to + <usize>r * ld + ((<usize>c) << 2);
      for (let i = 0; i < width; i++) {
        const at = (<usize>i) << 2;
        store<f32>(row + at, load<f32>(O + ((<usize>r) << 5) + at) * share);
      }
    }
  }
}
