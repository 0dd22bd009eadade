/** The optimiser's operations, over flat ranges. */
import type { BufferView } from "./view.ts";

/** Numbers covered by one partial of `sumSquares`. */
export const SQUARES_CHUNK = 4096;

/** partials[c] = sum of x[i]^2 over chunk c of SQUARES_CHUNK numbers. */
interface SumSquares {
  op: "sumSquares";
  /** [size] */
  x: BufferView;
  /** [ceil(size / SQUARES_CHUNK)] */
  partials: BufferView;
  size: number;
}

/** x *= factor; a factor of 0 gives zeros even if x is not finite. In place. */
interface ScaleGradient {
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

export type UpdateOp = SumSquares | ScaleGradient | AdamW;
