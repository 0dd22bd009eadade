/**
 * The operations a plan is made of: plain data, with exact meaning, for any executor.
 *
 * Operands are views: a range of 32-bit words of a store. Matrices are dense and row-major. Words are float32
 * unless a field says i32. Every view starts at a multiple of ALIGN words, so that WebGPU can bind it as a range,
 * and no two views of one operation overlap, except the pairs of MAY_COINCIDE
 * below, which may be one and the same.
 *
 * Letters: R token rows of a pass; D hidden size; H query heads, K key-value heads, d head size, W = (H + 2K) d the
 * width of a row [q | k | v]; F inner size of the MLP; V vocabulary; M targets; B rows of a decode session.
 *
 * Sequences of a pass lie end to end among its R rows. Row t attends to rows first[t] .. t, and is seen by rows
 * t .. end[t]-1. Rows that fill the pass up (padding) see themselves only: first[t] = t, end[t] = t + 1.
 *
 * Determinism: each output word is summed in an order that depends on the shapes only; no atomics.
 */

/** Views start at multiples of this many words: 256 bytes, WebGPU's largest minStorageBufferOffsetAlignment. */
export const ALIGN = 64;

/** Rows that one partial sum of a column reduction covers: partial p holds rows p*64 .. p*64+63. */
export const PARTIAL_ROWS = 64;

/** Numbers that one partial of `sumSquares` covers. */
export const SQUARES_CHUNK = 4096;

/** Words of a row of the head's running state; see HeadStats. */
export const HEAD_STATE = 8;

/** Words of the rule that `sample` follows; see Sample. */
export const SAMPLE_RULE = 32;

export interface BufferView {
  /** "arena", "input", "output", or a store that outlives the run, e.g. "params". */
  store: string;
  /** In words. */
  offset: number;
  /** In words. */
  size: number;
}

/** out[r] = table[ids[r]]; negative ids give zeros. */
interface Embed {
  op: "embed";
  /** i32 [R] */
  ids: BufferView;
  /** [V, D] */
  table: BufferView;
  /** [R, D] */
  out: BufferView;
  R: number;
  D: number;
}

/**
 * grad[unique[u]] += sum of dx[order[i]] for i in start[u] .. start[u+1]-1, in that order. Entries past the last
 * unique id have start[u] = start[u+1]. Each unique id occurs once.
 */
interface EmbedGrad {
  op: "embedGrad";
  /** [R, D] */
  dx: BufferView;
  /** i32 [R] */
  unique: BufferView;
  /** i32 [R+1] */
  start: BufferView;
  /** i32 [R] */
  order: BufferView;
  /** [V, D], added to. */
  grad: BufferView;
  R: number;
  D: number;
}

/** inverse[r] = 1 / sqrt(mean(x[r]^2) + eps); out[r] = x[r] inverse[r] weight. (RMSNorm, Zhang and Sennrich 2019) */
interface Norm {
  op: "norm";
  /** [R, D] */
  x: BufferView;
  /** [D] */
  weight: BufferView;
  /** [R, D] */
  out: BufferView;
  /** [R]; kept for the backward. */
  inverse?: BufferView;
  R: number;
  D: number;
  eps: number;
}

/**
 * With u = x inverse and g = dOut weight: dx (+)= inverse (g - u mean(g u)), and
 * partials[p] = sum over the rows r of partial p of dOut[r] u[r].
 * With `bounds`, partial p holds rows bounds[p] .. bounds[p+1]-1.
 */
interface NormBackward {
  op: "normBackward";
  /** [R, D] */
  x: BufferView;
  /** [R] */
  inverse: BufferView;
  /** [D] */
  weight: BufferView;
  /** [R, D] */
  dOut: BufferView;
  /** [R, D], added to when `accumulate`, else overwritten. */
  dx: BufferView;
  /** [P, D], P = ceil(R / PARTIAL_ROWS), or as `bounds` says. */
  partials: BufferView;
  /** i32 [P+1], ascending from 0 to R. */
  bounds?: BufferView;
  R: number;
  D: number;
  accumulate: boolean;
}

/** out[j*outStride + i] += sum over p = 0 .. P-1 (in order) of partials[j*stride + p*n + i], for j < J, i < n. */
interface ReducePartials {
  op: "reducePartials";
  partials: BufferView;
  /** Added to. */
  out: BufferView;
  J: number;
  P: number;
  n: number;
  stride: number;
  outStride: number;
}

/**
 * C[M, N], from one of three layouts, then the epilogue:
 *   NT  C = A[M, K] B[N, K]^T   (a layer's output)
 *   NN  C = A[M, K] B[K, N]     (gradient of its input)
 *   TN  C = A[K, M]^T B[K, N]   (gradient of its weight)
 *   out = C + bias (each row) + add
 * With `prologue`, A is made from `a` on the fly (NT only, the few rows of a decode step):
 *   norm    A[m] = a[m] / sqrt(mean(a[m]^2) + eps) * normWeight, a [M, K]
 *   swiglu  A[m, i] = silu(a[m, i]) a[m, K + i], a [M, 2K]
 */
export interface Matmul {
  op: "matmul";
  layout: "NT" | "NN" | "TN";
  a: BufferView;
  b: BufferView;
  out: BufferView;
  /** [N] */
  bias?: BufferView;
  /** [M, N]; may be `out` itself (accumulate). */
  add?: BufferView;
  prologue?: "norm" | "swiglu";
  /** [K], with prologue norm. */
  normWeight?: BufferView;
  eps?: number;
  M: number;
  N: number;
  K: number;
}

/**
 * Rotary positions (half rotation, as in Hugging Face's Qwen) on q and k, after the per-head RMSNorm of Qwen3:
 *   u = x, or with norms u = x inverse weight, inverse = 1 / sqrt(mean over the head of x^2 + eps)
 *   out[i] = u[i] cos - u[i + d/2] sin,  out[i + d/2] = u[i + d/2] cos + u[i] sin,  i < d/2,
 *   cos = cosines[position[r], i], sin likewise.
 * v passes unchanged. Without norms it may run in place (out = qkv). With a cache (row, keys, values, capacity), the
 * row's k and v also go to keys/values[row[r], head, position[r]] (row -1: nowhere).
 */
interface Rope {
  op: "rope";
  /** [R, W] */
  qkv: BufferView;
  /** [R, W], may be `qkv` where there are no norms. */
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
  /** [R, H+K], kept for the backward; with norms, where wanted. */
  inverse?: BufferView;
  /** i32 [R], row of the cache */
  row?: BufferView;
  /** [B, K, C, d] */
  keys?: BufferView;
  /** [B, K, C, d] */
  values?: BufferView;
  /** Slots per row of the cache, C. */
  capacity?: number;
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
 * Causal grouped-query attention within each sequence, by online softmax: query head h reads kv head floor(h K / H),
 *   s[t, j] = scale q[t] k[j], j in first[t] .. t;  p = softmax(s[t]);  out[t] = sum_j p[j] v[j];
 *   lse[t, h] = log(sum_j exp(s[t, j])).
 * The T x T scores are never in memory. (Dao et al. 2022, FlashAttention)
 * With `keep`, only rows whose place in it is not negative are wanted: out and lse of others mean nothing.
 */
interface Attention {
  op: "attention";
  /** [R, W], rotated. */
  qkv: BufferView;
  /** i32 [R] */
  first: BufferView;
  /** i32 [R]; bounds the queries of a tile of keys. */
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
 * With p[t, j] = exp(scale q[t] k[j] - lse[t]), delta[t] = dOut[t] . out[t], ds = p (dOut[t] . v[j] - delta[t]):
 *   dq[t] = scale sum_j ds k[j];  dk[j] = scale sum_t ds q[t];  dv[j] = sum_t p dOut[t];
 * dk, dv sum over the query heads of the group too. All of dQkv is overwritten. `delta` is scratch.
 * With `keep`, dOut is 0 in rows whose place in it is negative, and so is dq.
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

/** Attention of new rows over a cache that already holds them: slots 0 .. position[r] of cache row row[r] (-1: zeros). */
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
  scale: number;
}

/** out = silu(gate) up, silu(z) = z / (1 + e^-z), of rows [gate | up]. */
interface SwiGlu {
  op: "swiglu";
  /** [R, 2F] */
  gateUp: BufferView;
  /** [R, F] */
  out: BufferView;
  R: number;
  F: number;
}

/**
 * Both in place: gateUp becomes its gradient, dInner becomes the recomputed product silu(gate) up.
 * With s = 1 / (1 + e^-gate): dGate = dInner up (s + gate s (1 - s)); dUp = dInner gate s.
 */
interface SwiGluBackward {
  op: "swigluBackward";
  /** [R, 2F], in place. */
  gateUp: BufferView;
  /** [R, F], in place. */
  dInner: BufferView;
  R: number;
  F: number;
}

/** out[m] = x[index[m]], or zeros where index[m] is negative. */
interface GatherRows {
  op: "gatherRows";
  /** [R, D] */
  x: BufferView;
  /** i32 [M] */
  index: BufferView;
  /** [M, D] */
  out: BufferView;
  M: number;
  D: number;
}

/** out[r] = x[place[r]], or zeros where place[r] is negative: the inverse of a gather without repeats. */
interface ScatterRows {
  op: "scatterRows";
  /** [M, D] */
  x: BufferView;
  /** i32 [R] */
  place: BufferView;
  /** [R, D] */
  out: BufferView;
  R: number;
  D: number;
}

/**
 * Running statistics of softmax(z / temperature), chunk by chunk over the vocabulary (columns v0 .. v0+n-1), so that
 * the logits are never stored whole. y = z inverseTemperature; a row of the state holds
 *   0: m = max y   1: s = sum e^(y-m)   2: c = sum e^(y-m) (y - m)   3: y of the label
 *   with a reference (its logits zr, yr = zr inverseTemperature):
 *   4: mr = max yr   5: sr = sum e^(yr-mr)   6: x = sum e^(yr-mr) (yr - y)
 * The first chunk starts anew. After the last, `out` gets per row
 *   log-prob y_label - m - log s;  entropy log s - c / s;  KL(ref || this) = x / sr - mr - log sr + m + log s (else 0).
 * (Milakov and Gimelshein 2018, online softmax)
 */
interface HeadStats {
  op: "headStats";
  /** [M, n] */
  z: BufferView;
  /** [M, n] */
  zr?: BufferView;
  /** i32 [M] */
  label: BufferView;
  /** [1] */
  inverseTemperature: BufferView;
  /** [M, HEAD_STATE], in place. */
  state: BufferView;
  /** [3, M]: log-prob, entropy, KL; with `last`. */
  out?: BufferView;
  M: number;
  n: number;
  v0: number;
  first: boolean;
  last: boolean;
}

/**
 * z becomes dL/dz, in place. With p = softmax(y), H its entropy, pr the reference's softmax:
 *   dz = inverseTemperature (a (1[v = label] - p) - b p (log p + H) + c (p - pr)),
 * a, b, c the row's coefficients: dL/dlogprob, dL/dentropy, dL/dkl. Rows with all three 0 give zeros.
 */
interface HeadGrad {
  op: "headGrad";
  /** [M, n], in place. */
  z: BufferView;
  /** [M, n] */
  zr?: BufferView;
  /** i32 [M] */
  label: BufferView;
  /** [1] */
  inverseTemperature: BufferView;
  /** [M, HEAD_STATE] of HeadStats, all chunks seen. */
  state: BufferView;
  /** [3, M] */
  coefficients: BufferView;
  M: number;
  n: number;
  v0: number;
}

/** out[r] = h[r] . weight + bias */
interface Value {
  op: "value";
  /** [R, D] */
  h: BufferView;
  /** [D] */
  weight: BufferView;
  /** [1] */
  bias: BufferView;
  /** [R] */
  out: BufferView;
  R: number;
  D: number;
}

/**
 * dWeight += sum_r dValue[r] h[r]; dBias += sum_r dValue[r]; with dh (the shared head): dh[r] (+)= dValue[r] weight.
 */
interface ValueBackward {
  op: "valueBackward";
  /** [R, D] */
  h: BufferView;
  /** [R] */
  dValue: BufferView;
  /** [D] */
  weight: BufferView;
  /** [D], added to. */
  dWeight: BufferView;
  /** [1], added to. */
  dBias: BufferView;
  /** [R, D], added to when `accumulate`, else overwritten. */
  dh?: BufferView;
  R: number;
  D: number;
  accumulate: boolean;
}

/** partials[c] = sum of x[i]^2 over chunk c of SQUARES_CHUNK numbers. */
interface SumSquares {
  op: "sumSquares";
  /** [size] */
  x: BufferView;
  /** [ceil(size / SQUARES_CHUNK)] */
  partials: BufferView;
  size: number;
}

/** x *= factor; a factor of 0 gives zeros even where x is not finite. In place. */
interface Scale {
  op: "scale";
  /** [size], in place. */
  x: BufferView;
  /** [1] */
  factor: BufferView;
  size: number;
}

/**
 * One step of torch.optim.AdamW over a flat range; g is cleared. (Loshchilov and Hutter 2019)
 * scalars: 0 stepSize = lr / (1 - beta1^t), 1 vScale = 1 / sqrt(1 - beta2^t), 2 decay = 1 - lr weightDecay,
 *          3 beta1, 4 1 - beta1, 5 beta2, 6 1 - beta2, 7 eps, 8 gradScale
 *   g' = g gradScale;  m = beta1 m + (1 - beta1) g';  v = beta2 v + (1 - beta2) g'^2;
 *   p = p decay - stepSize m / (sqrt(v) vScale + eps);  g = 0
 */
interface AdamW {
  op: "adamw";
  /** [size], in place, as are g, m and v. */
  p: BufferView;
  g: BufferView;
  m: BufferView;
  v: BufferView;
  /** [9] */
  scalars: BufferView;
  size: number;
}

/**
 * Draws the next token of every active row (row[r] >= 0) from softmax(logits / temperature) over its legal ids, cut to
 * the top k and then to the nucleus, as engine/sample.ts does (ties to the smaller id; inverse CDF in order of id), with the
 * uniform of numeric/rng: Philox4x32-10, counter [step, trajectory, iteration, stream hash], key [seed low, seed high],
 * step = firstStep[r] + tick[r]. The log-prob is over the full vocabulary.
 * drawn[tick[r]][slot[r]] = (id, log-prob bits), where slot is the row's place; an id of -1 says the logits are not finite.
 * Then tick[r] += 1, and the row goes on with token[r] = id, position[r] += 1, unless id is a stop token or -1 or
 * tick[r] = maxNew: then row[r] = -1.
 * rule: 0 temperature (float; 0: greedy, log-prob at temperature 1), 1 topP (float), 2 topK (i32; 0: all), 3 seed low, 4 seed high,
 *       5 iteration, 6 stream hash, 7 maxNew, 8 number of stop tokens, 16 .. 31 stop tokens (all i32 from 2 on)
 */
interface Sample {
  op: "sample";
  /** [R, V] */
  logits: BufferView;
  /** [SAMPLE_RULE] mixed words. */
  rule: BufferView;
  /** i32 [R], in place, as are position, row and tick. */
  token: BufferView;
  position: BufferView;
  row: BufferView;
  tick: BufferView;
  /** i32 [R] */
  trajectory: BufferView;
  /** i32 [R] */
  firstStep: BufferView;
  /** i32 [R]: place of the row's draws in `drawn`. */
  slot: BufferView;
  /** [ticks, slots, 2]: id (i32) and log-prob. */
  drawn: BufferView;
  /** Bits of the ids that a slot may draw, see engine/sample.ts; absent: all. i32 [slots, ceil(V / 32)] */
  legal?: BufferView;
  R: number;
  V: number;
  slots: number;
}

export type Op =
  | Embed
  | EmbedGrad
  | Norm
  | NormBackward
  | ReducePartials
  | Matmul
  | Rope
  | RopeBackward
  | Attention
  | AttentionBackward
  | CachedAttention
  | SwiGlu
  | SwiGluBackward
  | GatherRows
  | ScatterRows
  | HeadStats
  | HeadGrad
  | Value
  | ValueBackward
  | SumSquares
  | Scale
  | AdamW
  | Sample;

export type OpName = Op["op"];

/** Fields of an operation that hold views. */
type ViewKeys<T> = { [K in keyof T]-?: NonNullable<T[K]> extends BufferView ? K : never }[keyof T];

/** What each operation writes; every other view is only read. */
export const WRITES: { [N in OpName]: readonly ViewKeys<Extract<Op, { op: N }>>[] } = {
  embed: ["out"],
  embedGrad: ["grad"],
  norm: ["out", "inverse"],
  normBackward: ["dx", "partials"],
  reducePartials: ["out"],
  matmul: ["out"],
  rope: ["out", "inverse", "keys", "values"],
  ropeBackward: ["dQkv", "qPartials", "kPartials", "biasPartials"],
  attention: ["out", "lse"],
  attentionBackward: ["delta", "dQkv"],
  cachedAttention: ["out"],
  swiglu: ["out"],
  swigluBackward: ["gateUp", "dInner"],
  gatherRows: ["out"],
  scatterRows: ["out"],
  headStats: ["state", "out"],
  headGrad: ["z"],
  value: ["out"],
  valueBackward: ["dWeight", "dBias", "dh"],
  sumSquares: ["partials"],
  scale: ["x"],
  adamw: ["p", "g", "m", "v"],
  sample: ["token", "position", "row", "tick", "drawn"],
};

/** Pairs of fields that may be one and the same view. */
export const MAY_COINCIDE: Partial<Record<OpName, readonly [string, string][]>> = {
  matmul: [["add", "out"]],
  rope: [["qkv", "out"]],
};

interface Operand {
  field: string;
  view: BufferView;
  writes: boolean;
}

const isView = (x: unknown): x is BufferView => typeof x === "object" && x !== null && "store" in x;

/** The views of an operation, in the order of its fields. */
export function operands(op: Op): Operand[] {
  const written: readonly string[] = WRITES[op.op];
  return Object.entries(op).flatMap(([field, value]) =>
    isView(value) ? [{ field, view: value, writes: written.includes(field) }] : [],
  );
}
