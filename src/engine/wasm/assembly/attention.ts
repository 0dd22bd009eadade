/**
 * Attention within sequences, four queries at a time, all products in the matmul's 4x8 tiles; scores of four queries
 * are all that is ever in memory. And attention over a KV cache. See plan/ops.ts for the formulas.
 */
import { dot, exp1, exp4, log64, max4, sum4 } from "./math";
import { packColumns, packPanelOfRows, packRows, tile } from "./matmul";

function up8(n: i32): i32 {
  return (n + 7) & ~7;
}

function ceil8(n: i32): i32 {
  return (n + 7) >> 3;
}

/** Keys (or values) of one head as panels of eight rows: to[row/8][d][8]. */
function panelsOfRows(from: usize, ld: usize, T: i32, d: i32, to: usize): void {
  for (let j = 0; j < T; j += 8) {
    packPanelOfRows(from + <usize>j * ld, ld, T - j, d, to + ((<usize>(j * d)) << 2));
  }
}

/** The same as panels of eight columns: to[column/8][T][8]. */
function panelsOfColumns(from: usize, ld: usize, T: i32, d: i32, to: usize): void {
  for (let c = 0; c < d; c += 8) {
    packColumns(from + ((<usize>c) << 2), ld, d - c, 8, T, to + ((<usize>(c * T)) << 2));
  }
}

/** S[4][..] = X[d][4]^T panels, for the first `columns` columns. */
function products(x: usize, panels: usize, d: i32, columns: i32, S: usize, ld: usize): void {
  for (let j = 0; j < columns; j += 8) {
    tile(x, panels + ((<usize>(j * d)) << 2), d, S + ((<usize>j) << 2), ld, 0, 0, 0);
  }
}

/** s = e^(s - shift) over the first `limit` columns, 0 up to `columns`; the sum. */
function exponentials(s: usize, shift: f32, limit: i32, columns: i32): f32 {
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

function largest(s: usize, n: i32): f32 {
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

/** Packs up to four rows as x[d][4], times a factor. */
function packQuery(from: usize, ld: usize, rows: i32, d: i32, factor: f32, x: usize): void {
  packRows(from, ld, rows, d, x, 16);
  const f = f32x4.splat(factor);
  for (let i = 0; i < d; i++) {
    const at = x + ((<usize>i) << 4);
    v128.store(at, f32x4.mul(v128.load(at), f));
  }
}

/** Whether none of so many rows from `row` on is kept; with a `keep` of 0 all are. */
function skips(keep: usize, row: i32, rows: i32): bool {
  if (!keep) return false;
  for (let r = 0; r < rows; r++) {
    if (load<i32>(keep + ((<usize>(row + r)) << 2)) >= 0) return false;
  }
  return true;
}

export function attention(
  qkv: usize,
  first: usize,
  end: usize,
  out: usize,
  lse: usize,
  keep: usize,
  R: i32,
  H: i32,
  K: i32,
  d: i32,
  scale: f32,
  scratch: usize,
): void {
  let t = 0;
  while (t < R) {
    const T = load<i32>(end + ((<usize>t) << 2)) - t;
    if (!skips(keep, t, T)) sequence(qkv, out, lse, keep, t, T, H, K, d, scale, scratch);
    t += T;
  }
}

/** One sequence: T rows from `start` on. */
function sequence(
  qkv: usize,
  out: usize,
  lse: usize,
  keep: usize,
  start: i32,
  T: i32,
  H: i32,
  K: i32,
  d: i32,
  scale: f32,
  scratch: usize,
): void {
  const W = (<usize>((H + 2 * K) * d)) << 2;
  const base = qkv + <usize>start * W;
  const keys = scratch;
  const values = keys + ((<usize>(up8(T) * d)) << 2);
  const x = values + ((<usize>(up8(d) * T)) << 2);
  const S = x + ((<usize>d) << 4);
  const ld = (<usize>up8(T)) << 2;
  const P = S + 4 * ld;
  const O = P + ((<usize>T) << 4);
  const group = H / K;
  for (let k = 0; k < K; k++) {
    panelsOfRows(base + ((<usize>((H + k) * d)) << 2), W, T, d, keys);
    panelsOfColumns(base + ((<usize>((H + K + k) * d)) << 2), W, T, d, values);
    for (let h = k * group; h < (k + 1) * group; h++) {
      for (let t = 0; t < T; t += 4) {
        const rows = min(4, T - t);
        if (skips(keep, start + t, rows)) continue;
        const columns = t + rows;
        packQuery(base + <usize>t * W + ((<usize>(h * d)) << 2), W, rows, d, scale, x);
        products(x, keys, d, columns, S, ld);
        for (let r = 0; r < rows; r++) {
          const s = S + <usize>r * ld;
          const most = largest(s, t + r + 1);
          const sum = exponentials(s, most, t + r + 1, columns);
          // The row's share of 1 is applied to the output; its slot behind O keeps it until then.
          store<f32>(O + ((<usize>(32 + r)) << 2), <f32>1 / sum);
          const at = (<usize>((start + t + r) * H + h)) << 2;
          if (lse) store<f32>(lse + at, most + <f32>log64(<f64>sum));
        }
        packRows(S, ld, rows, columns, P, 16);
        const to = out + ((<usize>(((start + t) * H + h) * d)) << 2);
        weighted(P, values, columns, T, rows, d, O, to, (<usize>(H * d)) << 2);
      }
    }
  }
}

/** to[rows][d] = P[columns][4]^T values, each row times its share (O[32 + r]). */
function weighted(
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

export function attentionBackward(
  qkv: usize,
  first: usize,
  end: usize,
  out: usize,
  lse: usize,
  dOut: usize,
  delta: usize,
  dQkv: usize,
  keep: usize,
  R: i32,
  H: i32,
  K: i32,
  d: i32,
  scale: f32,
  scratch: usize,
): void {
  const width = (<usize>((H + 2 * K) * d)) << 2;
  let t = 0;
  while (t < R) {
    const T = load<i32>(end + ((<usize>t) << 2)) - t;
    if (skips(keep, t, T)) {
      memory.fill(dQkv + <usize>t * width, 0, <usize>T * width);
    } else {
      deltas(out, dOut, delta, keep, t, T, H, d);
      sequenceBackward(qkv, lse, dOut, delta, dQkv, keep, t, T, H, K, d, scale, scratch);
    }
    t += T;
  }
}

/** delta = dOut . out of the kept rows: there is no out of others. */
function deltas(
  out: usize,
  dOut: usize,
  delta: usize,
  keep: usize,
  start: i32,
  T: i32,
  H: i32,
  d: i32,
): void {
  for (let t = start; t < start + T; t++) {
    const kept = !skips(keep, t, 1);
    for (let i = t * H; i < (t + 1) * H; i++) {
      const row = (<usize>(i * d)) << 2;
      store<f32>(delta + ((<usize>i) << 2), kept ? dot(dOut + row, out + row, d) : 0);
    }
  }
}

function sequenceBackward(
  qkv: usize,
  lse: usize,
  dOut: usize,
  delta: usize,
  dQkv: usize,
  keep: usize,
  start: i32,
  T: i32,
  H: i32,
  K: i32,
  d: i32,
  scale: f32,
  scratch: usize,
): void {
  const W = (<usize>((H + 2 * K) * d)) << 2;
  const D = (<usize>(H * d)) << 2;
  const base = qkv + <usize>start * W;
  const dBase = dQkv + <usize>start * W;
  const d8 = up8(d);
  const panel = (<usize>(up8(T) * d8)) << 2;
  const keys = scratch; // [T/8][d][8]
  const values = keys + panel; // [T/8][d][8]
  const columnsOfKeys = values + panel; // [d/8][T][8]
  const dKeys = columnsOfKeys + panel; // [T][d8]
  const dValues = dKeys + panel; // [T][d8]
  const x = dValues + panel; // [d][4]
  const y = x + ((<usize>d) << 4); // [d][4]
  const ld = (<usize>up8(T)) << 2;
  const S = y + ((<usize>d) << 4); // [4][T]
  const G = S + 4 * ld; // [4][T]
  const P = G + 4 * ld; // [T][4]
  const O = P + 4 * ld; // [4][8]
  const group = H / K;
  for (let k = 0; k < K; k++) {
    const keyAt = (<usize>((H + k) * d)) << 2;
    const valueAt = (<usize>((H + K + k) * d)) << 2;
    panelsOfRows(base + keyAt, W, T, d, keys);
    panelsOfRows(base + valueAt, W, T, d, values);
    panelsOfColumns(base + keyAt, W, T, d, columnsOfKeys);
    memory.fill(dKeys, 0, 2 * panel);
    for (let h = k * group; h < (k + 1) * group; h++) {
      for (let t = 0; t < T; t += 4) {
        const rows = min(4, T - t);
        const to = dBase + <usize>t * W + ((<usize>(h * d)) << 2);
        if (skips(keep, start + t, rows)) {
          for (let r = 0; r < rows; r++) memory.fill(to + <usize>r * W, 0, (<usize>d) << 2);
          continue;
        }
        const columns = t + rows;
        const query = base + <usize>t * W + ((<usize>(h * d)) << 2);
        const dO = dOut + <usize>(start + t) * D + ((<usize>(h * d)) << 2);
        packQuery(query, W, rows, d, scale, x);
        packRows(dO, D, rows, d, y, 16);
        products(x, keys, d, columns, S, ld);
        products(y, values, d, columns, G, ld);
        for (let r = 0; r < rows; r++) {
          const at = (<usize>((start + t + r) * H + h)) << 2;
          const s = S + <usize>r * ld;
          exponentials(s, load<f32>(lse + at), t + r + 1, columns);
          scoreGradient(s, G + <usize>r * ld, load<f32>(delta + at), columns);
        }
        packRows(S, ld, rows, columns, P, 16);
        outerSum(dValues, P, y, columns, d, d8);
        packRows(G, ld, rows, columns, P, 16);
        outerSum(dKeys, P, x, columns, d, d8);
        for (let r = 0; r < 4; r++) store<f32>(O + ((<usize>(32 + r)) << 2), scale);
        weighted(P, columnsOfKeys, columns, T, rows, d, O, to, W);
      }
    }
    copyOut(dKeys, d8, dBase + keyAt, W, T, d);
    copyOut(dValues, d8, dBase + valueAt, W, T, d);
  }
}

/** g = s (g - delta) */
function scoreGradient(s: usize, g: usize, delta: f32, n: i32): void {
  const d4 = f32x4.splat(delta);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const at = (<usize>i) << 2;
    v128.store(g + at, f32x4.mul(v128.load(s + at), f32x4.sub(v128.load(g + at), d4)));
  }
  for (; i < n; i++) {
    const at = (<usize>i) << 2;
    store<f32>(g + at, load<f32>(s + at) * (load<f32>(g + at) - delta));
  }
}

/** sum[T][d8] += P[T][4] X, with X as x[d][4]: four columns of d at a time stay in registers. */
function outerSum(sum: usize, P: usize, x: usize, T: i32, d: i32, d8: i32): void {
  const ld = (<usize>d8) << 2;
  for (let c = 0; c < d; c += 4) {
    // Transposed back to rows of four columns; d is even, so at most two are absent.
    const at = x + ((<usize>c) << 4);
    const zero = f32x4.splat(0);
    const u0 = v128.load(at);
    const u1 = v128.load(at, 16);
    const u2 = c + 2 < d ? v128.load(at, 32) : zero;
    const u3 = c + 3 < d ? v128.load(at, 48) : zero;
    const a = v128.shuffle<f32>(u0, u1, 0, 4, 1, 5);
    const b = v128.shuffle<f32>(u2, u3, 0, 4, 1, 5);
    const e = v128.shuffle<f32>(u0, u1, 2, 6, 3, 7);
    const f = v128.shuffle<f32>(u2, u3, 2, 6, 3, 7);
    const x0 = v128.shuffle<f64>(a, b, 0, 2);
    const x1 = v128.shuffle<f64>(a, b, 1, 3);
    const x2 = v128.shuffle<f64>(e, f, 0, 2);
    const x3 = v128.shuffle<f64>(e, f, 1, 3);
    let to = sum + ((<usize>c) << 2);
    let p = P;
    for (let j = 0; j < T; j++, p += 16, to += ld) {
      const y0 = f32x4.mul(v128.load32_splat(p), x0);
      const y1 = f32x4.mul(v128.load32_splat(p, 4), x1);
      const y2 = f32x4.mul(v128.load32_splat(p, 8), x2);
      const y3 = f32x4.mul(v128.load32_splat(p, 12), x3);
      const y = f32x4.add(f32x4.add(y0, y1), f32x4.add(y2, y3));
      v128.store(to, f32x4.add(v128.load(to), y));
    }
  }
}

function copyOut(from: usize, d8: i32, to: usize, ld: usize, T: i32, d: i32): void {
  for (let j = 0; j < T; j++) {
    memory.copy(to + <usize>j * ld, from + ((<usize>(j * d8)) << 2), (<usize>d) << 2);
  }
}

export function cachedAttention(
  qkv: usize,
  row: usize,
  position: usize,
  keys: usize,
  values: usize,
  out: usize,
  R: i32,
  H: i32,
  K: i32,
  d: i32,
  capacity: i32,
  scale: f32,
  scratch: usize,
): void {
  const W = (<usize>((H + 2 * K) * d)) << 2;
  const bytes = (<usize>d) << 2;
  const group = H / K;
  for (let r = 0; r < R; r++) {
    const cache = load<i32>(row + ((<usize>r) << 2));
    const n = load<i32>(position + ((<usize>r) << 2)) + 1;
    for (let h = 0; h < H; h++) {
      const to = out + <usize>(r * H + h) * bytes;
      memory.fill(to, 0, bytes);
      if (cache < 0) continue;
      const q = qkv + <usize>r * W + <usize>h * bytes;
      const at = <usize>((cache * K + h / group) * capacity) * bytes;
      attendCached(q, keys + at, values + at, to, n, d, scale, scratch);
    }
  }
}

/** One query over n slots; out starts as zeros. */
function attendCached(
  q: usize,
  keys: usize,
  values: usize,
  out: usize,
  n: i32,
  d: i32,
  scale: f32,
  scores: usize,
): void {
  const bytes = (<usize>d) << 2;
  for (let j = 0; j < n; j++) {
    store<f32>(scores + ((<usize>j) << 2), dot(q, keys + <usize>j * bytes, d) * scale);
  }
  const share = <f32>1 / exponentials(scores, largest(scores, n), n, n);
  for (let c = 0; c + 4 <= d; c += 4) {
    let sum = f32x4.splat(0);
    let v = values + ((<usize>c) << 2);
    for (let j = 0; j < n; j++, v += bytes) {
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(scores + ((<usize>j) << 2)), v128.load(v)));
    }
    v128.store(out + ((<usize>c) << 2), f32x4.mul(sum, f32x4.splat(share)));
  }
  for (let c = d & ~3; c < d; c++) {
    let sum: f32 = 0;
    for (let j = 0; j < n; j++)
      sum +=
        load<f32>(scores + ((<usize>j) << 2)) *
        load<f32>(values + <usize>j * bytes + ((<usize>c) << 2));
    store<f32>(out + ((<usize>c) << 2), sum * share);
  }
}

/** Bytes of scratch that a sequence of T rows needs. */
export function attentionBytes(T: i32, d: i32): i32 {
  const d8 = up8(d);
  return (5 * up8(T) * d8 + 8 * d + 12 * up8(T) + 64 + 8 * ceil8(d)) * 4;
}
