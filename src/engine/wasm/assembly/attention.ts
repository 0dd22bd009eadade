/**
 * Attention within sequences, four queries at a time: only the scores of four queries are in memory
 * at a time. See plan/ops/attention.ts for the formulas.
 */
import { log64 } from "./math";
import { packRows } from "./matmul";
import {
  exponentials,
  headAt,
  largest,
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
    const T = lengthAt(end, t);
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
  const W = rowBytes(H, K, d);
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
    panelsOfRows(base + headAt(H + k, d), W, T, d, keys);
    panelsOfColumns(base + headAt(H + K + k, d), W, T, d, values);
    for (let h = k * group; h < (k + 1) * group; h++) {
      for (let t = 0; t < T; t += 4) {
        const rows = min(4, T - t);
        if (skips(keep, start + t, rows)) continue;
        const columns = t + rows;
        packQuery(base + <usize>t * W + headAt(h, d), W, rows, d, scale, x);
        products(x, keys, d, columns, S, ld);
        for (let r = 0; r < rows; r++) {
          const s = S + <usize>r * ld;
          const most = largest(s, t + r + 1);
          const sum = exponentials(s, most, t + r + 1, columns);
          // The row's normalisation is applied to the output; its slot after O stores it until
          // then.
          store<f32>(O + ((<usize>(32 + r)) << 2), <f32>1 / sum);
          const at = (<usize>((start + t + r) * H + h)) << 2;
          if (lse) store<f32>(lse + at, most + <f32>log64(<f64>sum));
        }
        packRows(S, ld, rows, columns, P, 16);
        const to = out + ((<usize>(((start + t) * H + h) * d)) << 2);
        weighted(P, values, columns, T, rows, d, O, to, headAt(H, d));
      }
    }
  }
}

function ceil8(n: i32): i32 {
  return (n + 7) >> 3;
}

/** Bytes of scratch that a sequence of T rows needs. */
export function attentionBytes(T: i32, d: i32): i32 {
  const d8 = up8(d);
  return (5 * up8(T) * d8 + 8 * d + 12 * up8(T) + 64 + 8 * ceil8(d)) * 4;
}
