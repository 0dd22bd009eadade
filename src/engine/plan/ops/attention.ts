/** Rotary positions and attention, within sequences and over a cache. Letters as in ../ops.ts. */
import type { BufferView } from "./view.ts";

/**
 * Rotary positions (half rotation, as in Hugging Face's Qwen) on q and k, after the per-head
 * RMSNorm of Qwen3:
 *   u = x, or with norms u = x inverse weight, inverse = 1 / sqrt(mean over the head of x^2 + eps)
 *   out[i] = u[i] cos - u[i + d/2] sin,  out[i + d/2] = u[i + d/2] cos + u[i] sin,  i < d/2,
 *   cos = cosines[position[r], i], sin likewise. v passes unchanged. Without norms it may run in
 *   place (out = qkv). With a cache (row, keys, values, capacity), the row's k and v also go to
 *   keys/values[row[r], head, position[r]] (row -1: nowhere).
 */
interface Rope {
  op: "rope";
  /** [R, W] */
  qkv: BufferView;
  /** [R, W], may be `qkv` if there are no norms. */
  out: BufferView;
  /** i32 [R] */
  position: BufferView;
  /** [positions, d/2] */
  cosines: BufferView;
  /** [positions, d/2] */
  sines: BufferView;
  /** [d] */
  qNorm?: BufferView;
  /** [d] */
  kNorm?: BufferView;
  /** [R, H+K], kept for the backward; with norms, if needed. */
  inverse?: BufferView;
  /** i32 [R], row of the cache */
  row?: BufferView;
  /** [B, K, C, d] */
  keys?: BufferView;
  /** [B, K, C, d] */
  values?: BufferView;
  /** Slots per row of the cache, C. */
  capacity?: number;
  /** Keys and values are float16: word i of a slot has elements i (its lower half) and i + d/2. */
  halves?: boolean;
  R: number;
  H: number;
  K: number;
  d: number;
  eps: number;
}

/**
 * In place on the gradient of Rope's output, to that of its input. First the rotation back,
 *   g[i] = dy[i] cos + dy[i + d/2] sin,  g[i + d/2] = dy[i + d/2] cos - dy[i] sin;
 * with norms then, u = x inverse: normPartials[q or k][p] = sum over rows of partial p and heads of g u, and
 *   dx = inverse (g w - u mean(g w u)).
 * biasPartials[p] = sum over the rows of partial p of the final [dq | dk | dv].
 */
interface RopeBackward {
  op: "ropeBackward";
  /** [R, W], in place. */
  dQkv: BufferView;
  /** i32 [R] */
  position: BufferView;
  cosines: BufferView;
  sines: BufferView;
  /** [R, W], Rope's input; with norms. */
  qkv?: BufferView;
  qNorm?: BufferView;
  kNorm?: BufferView;
  /** [R, H+K] */
  inverse?: BufferView;
  /** [P, d] for q_norm. */
  qPartials?: BufferView;
  /** [P, d] for k_norm. */
  kPartials?: BufferView;
  /** [P, W] */
  biasPartials?: BufferView;
  R: number;
  H: number;
  K: number;
  d: number;
}

/**
 * Causal grouped-query attention within each sequence, by online softmax: query head h reads kv
 * head floor(h K / H),
 *   s[t, j] = scale q[t] k[j], j in first[t] .. t;  p = softmax(s[t]);  out[t] = sum_j p[j] v[j];
 *   lse[t, h] = log(sum_j exp(s[t, j])). The T x T scores are never in memory. (Dao et al. 2022,
 *   FlashAttention) With `keep`, only rows with a nonnegative entry are computed: out and lse of
 *   others are undefined.
 */
interface Attention {
  op: "attention";
  /** [R, W], rotated. */
  qkv: BufferView;
  /** i32 [R] */
  first: BufferView;
  /** i32 [R]; limits the queries of a tile of keys. */
  end: BufferView;
  /** [R, H*d] */
  out: BufferView;
  /** [R, H], for the backward. */
  lse?: BufferView;
  /** i32 [R] */
  keep?: BufferView;
  R: number;
  H: number;
  K: number;
  d: number;
  scale: number;
}

/**
 * With p[t, j] = exp(scale q[t] k[j] - lse[t]), delta[t] = dOut[t] . out[t], ds = p (dOut[t] . v[j]
 * - delta[t]):
 *   dq[t] = scale sum_j ds k[j];  dk[j] = scale sum_t ds q[t];  dv[j] = sum_t p dOut[t]; dk, dv
 *   sum over the query heads of the group too. All of dQkv is overwritten. `delta` is scratch.
 *   With `keep`, dOut is 0 in rows with a negative entry, and so is dq.
 */
interface AttentionBackward {
  op: "attentionBackward";
  /** [R, W], rotated. */
  qkv: BufferView;
  /** i32 [R] */
  first: BufferView;
  /** i32 [R] */
  end: BufferView;
  /** [R, H*d] */
  out: BufferView;
  /** [R, H] */
  lse: BufferView;
  /** [R, H*d] */
  dOut: BufferView;
  /** i32 [R] */
  keep?: BufferView;
  /** [R, H], written. */
  delta: BufferView;
  /** [R, W] */
  dQkv: BufferView;
  R: number;
  H: number;
  K: number;
  d: number;
  scale: number;
}

/** Attention of new rows over a cache that already contains them: slots 0 .. position[r] of cache row row[r] (-1: zeros). */
interface CachedAttention {
  op: "cachedAttention";
  /** [R, W], rotated; only q is read. */
  qkv: BufferView;
  /** i32 [R] */
  row: BufferView;
  /** i32 [R] */
  position: BufferView;
  /** [B, K, C, d] */
  keys: BufferView;
  /** [B, K, C, d] */
  values: BufferView;
  /** [R, H*d] */
  out: BufferView;
  R: number;
  H: number;
  K: number;
  d: number;
  /** Slots per row of the cache, C. */
  capacity: number;
  /** As Rope's. */
  halves?: boolean;
  scale: number;
}

export type AttentionOp = Rope | RopeBackward | Attention | AttentionBackward | CachedAttention;
