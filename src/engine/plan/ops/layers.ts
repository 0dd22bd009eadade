/** Operations of a layer, except for its attention: embedding, norm, product, SwiGLU. Letters as in ../ops.ts. */
import type { BufferView } from "./view.ts";

/** Rows that one partial sum of a column reduction covers: partial p holds rows p*64 .. p*64+63. */
export const PARTIAL_ROWS = 64;

/** out[r] = table[ids[r]]; negative ids give zeros. */
interface Embed {
  op: "embed";
  /** i32 [R] */
  ids: BufferView;
  /** [V, D] */
  table: BufferView;
  /** [V], if the table is int8. */
  scales?: BufferView;
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
  /** [R, D], added to with `accumulate`, else overwritten. */
  dx: BufferView;
  /** [P, D], P = ceil(R / PARTIAL_ROWS), or as given by `bounds`. */
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
 * With `bounds` (TN), A and B hold only the rows of a pass that are not zero; partial p of the pass has rows
 * bounds[p] .. bounds[p+1]-1, so that blocks of a sum can be those of the whole pass.
 * With `prologue`, A is made from `a` on the fly (NT only, the few rows of a decode step):
 *   norm    A[m] = a[m] / sqrt(mean(a[m]^2) + eps) * normWeight, a [M, K]
 *   swiglu  A[m, i] = silu(a[m, i]) a[m, K + i], a [M, 2K]
 */
export interface Matmul {
  op: "matmul";
  layout: "NT" | "NN" | "TN";
  a: BufferView;
  b: BufferView;
  /** Of B's rows as stored, if they are int8: [N] in NT, [K] in NN. */
  scales?: BufferView;
  out: BufferView;
  /** [N] */
  bias?: BufferView;
  /** [M, N]; may be `out` itself (accumulate). */
  add?: BufferView;
  /** i32 [P+1] */
  bounds?: BufferView;
  prologue?: "norm" | "swiglu";
  /** [K], with prologue norm. */
  normWeight?: BufferView;
  eps?: number;
  M: number;
  N: number;
  K: number;
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

export type LayerOp =
  Embed | EmbedGrad | Norm | NormBackward | ReducePartials | Matmul | SwiGlu | SwiGluBackward;
