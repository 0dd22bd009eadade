/** The policy head's statistics and gradient, the value head, and the rows that they use. Letters as in ../ops.ts. */
import type { BufferView } from "./view.ts";

/** Words of a row of the head's running state; see HeadStats. */
export const HEAD_STATE = 8;

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
 * Running statistics of softmax(z / temperature), chunk by chunk over the vocabulary (columns v0 ..
 * v0+n-1), so that the full logits are never stored. y = z inverseTemperature; a row of the state
 * holds
 *   0: m = max y   1: s = sum e^(y-m)   2: c = sum e^(y-m) (y - m)   3: y of the label
 *   with a reference (its logits zr, yr = zr inverseTemperature):
 *   4: mr = max yr   5: sr = sum e^(yr-mr)   6: x = sum e^(yr-mr) (yr - y) The first chunk resets
 *   the state. After the last, `out` gets per row
 *   log-prob y_label - m - log s;  entropy log s - c / s;  KL(ref || this) = x / sr - mr - log sr
 *   + m + log s (else 0). (Milakov and Gimelshein 2018, online softmax)
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
interface ValueOutput {
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
  /** [R, D], added to with `accumulate`, else overwritten. */
  dh?: BufferView;
  R: number;
  D: number;
  accumulate: boolean;
}

export type HeadOp = GatherRows | ScatterRows | HeadStats | HeadGrad | ValueOutput | ValueBackward;
