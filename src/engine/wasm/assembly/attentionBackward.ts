/** The gradient of attention within sequences, four queries at a time. See plan/ops/attention.ts for the formulas. */
import { dot } from "./math";
import { packRows } from "./matmul";
import {
  exponentials,
  headAt,
  lengthAt,
  packQuery,
  panelsOfColumns,
  panelsOfRows,
  products,
  rowBytes,
  skips,
  up8,
  weighted,
} from "./attentionTiles";

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
  const width = rowBytes(H, K, d);
  let t = 0;
  while (t < R) {
    const T = lengthAt(end, t);
    if (skips(keep, t, T)) {
      memory.fill(dQkv + <usize>t * width, 0, <usize>T * width);
    } else {
      deltas(out, dOut, delta, keep, t, T, H, d);
      sequenceBackward(qkv, lse, dOut, delta, dQkv, keep, t, T, H, K, d, scale, scratch);
    }
    t += T;
  }
}

/** delta = dOut . out of the kept rows: others have no out. */
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
  const W = rowBytes(H, K, d);
  const D = headAt(H, d);
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
    const keyAt = headAt(H + k, d);
    const valueAt = headAt(H + K + k, d);
    panelsOfRows(base + keyAt, W, T, d, keys);
    panelsOfRows(base + valueAt, W, T, d, values);
    panelsOfColumns(base + keyAt, W, T, d, columnsOfKeys);
    memory.fill(dKeys, 0, 2 * panel);
    for (let h = k * group; h < (k + 1) * group; h++) {
      for (let t = 0; t < T; t += 4) {
        const rows = min(4, T - t);
        const to = dBase + <usize>t * W + headAt(h, d);
        if (skips(keep, start + t, rows)) {
          for (let r = 0; r < rows; r++) memory.fill(to + <usize>r * W, 0, (<usize>d) << 2);
          continue;
        }
        const columns = t + rows;
        const query = base + <usize>t * W + headAt(h, d);
        const dO = dOut + <usize>(start + t) * D + headAt(h, d);
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
