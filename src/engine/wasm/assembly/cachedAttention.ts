/** Attention of single queries over a KV cache. See plan/ops/attention.ts for the formulas. */
import { dot } from "./math";
import { exponentials, largest, rowBytes } from "./attentionTiles";

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
  const W = rowBytes(H, K, d);
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
