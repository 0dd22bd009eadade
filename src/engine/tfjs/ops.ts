/**
 * The decoder's building blocks, each with its gradient derived by hand in plain tfjs ops (the tape
 * connects them). Matrix products are always 2-D and untransposed: tfjs-wasm multiplies those
 * thirty times faster than others.
 */
import * as tf from "@tensorflow/tfjs-core";
import type { Constants } from "./constants.ts";
import { gatherRows } from "./wasmKernels.ts";

type Gradients = tf.Tensor | tf.Tensor[];

/**
 * A function with its own gradient; temporaries of both are freed at once. Everything on the tape
 * is built from these: tfjs's own gradients would have to be registered for the whole process, a
 * hundred of them.
 */
export function withGradient(
  inputs: tf.Tensor[],
  forward: (save: tf.GradSaveFunc) => tf.Tensor,
  backward: (dy: tf.Tensor, saved: tf.Tensor[]) => Gradients,
): tf.Tensor {
  if (!tf.engine().isTapeOn()) return tf.tidy(() => forward(() => undefined));
  const f = tf.customGrad((...args) => ({
    value: forward(args.at(-1) as unknown as tf.GradSaveFunc),
    gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => tf.tidy(() => backward(dy, saved)),
  }));
  return f(...inputs);
}

/** Same numbers, other shape. */
export function reshape(x: tf.Tensor, shape: number[]): tf.Tensor {
  const own = x.shape;
  return withGradient(
    [x],
    () => tf.reshape(x, shape),
    (dy) => tf.reshape(dy, own),
  );
}

export function transpose(x: tf.Tensor, perm: number[]): tf.Tensor {
  const inverse = perm.map((_, axis) => perm.indexOf(axis));
  return withGradient(
    [x],
    () => tf.transpose(x, perm),
    (dy) => tf.transpose(dy, inverse),
  );
}

/** Sum of two tensors of one shape. Each term gets its own handle: the tape disposes of what it adds up. */
export function add<T extends tf.Tensor>(a: T, b: T): T {
  const handle = (dy: tf.Tensor) => tf.reshape(dy, dy.shape);
  return withGradient(
    [a, b],
    () => tf.add(a, b),
    (dy) => [handle(dy), handle(dy)],
  ) as T;
}

/** A weight as stored and, for the forward product, transposed. */
export interface Matrix {
  /** [out, in] */
  w: tf.Tensor2D;
  /** [in, out] */
  wT: tf.Tensor2D;
}

/** y = x W^T (+ b). x [M, in] -> [M, out] */
export function linear(x: tf.Tensor2D, { w, wT }: Matrix, bias?: tf.Tensor1D): tf.Tensor2D {
  const inputs: tf.Tensor[] = bias ? [x, w, bias] : [x, w];
  const forward = (save: tf.GradSaveFunc) => {
    save([x]);
    const y = tf.matMul(x, wT); // [M, out]
    return bias ? tf.add(y, asRow(bias)) : y; // [M, out]
  };
  const backward = (dy: tf.Tensor, [x]: tf.Tensor[]) => {
    const dx = tf.matMul(dy as tf.Tensor2D, w); // [M, in]
    const dw = tf.matMul(tf.transpose(dy as tf.Tensor2D), x as tf.Tensor2D); // [out, in]
    return bias ? [dx, dw, columnSums(dy as tf.Tensor2D)] : [dx, dw];
  };
  return withGradient(inputs, forward, backward) as tf.Tensor2D;
}

/** Sum over rows, as one fast product. The row of ones is created each time: M varies, and cached ones would accumulate. [M, n] -> [n] */
export function columnSums(x: tf.Tensor2D): tf.Tensor1D {
  return tf.reshape(tf.matMul(tf.ones([1, x.shape[0]]), x), [x.shape[1]]); // [n]
}

/** tfjs-webgpu multiplies by a vector more slowly than by a one-row matrix. [n] -> [1, n] */
const asRow = (x: tf.Tensor) => tf.reshape(x, [1, -1]);

/** y = w * x / sqrt(mean(x^2) + eps), over the last axis. x [M, n], w [n] -> [M, n] */
export function rmsNorm(k: Constants, x: tf.Tensor2D, w: tf.Tensor1D, eps: number): tf.Tensor2D {
  const perColumn = k.scalar(1 / x.shape[1]);
  const forward = (save: tf.GradSaveFunc) => {
    const meanSquare = tf.mul(tf.sum(tf.square(x), -1, true), perColumn); // [M, 1]
    const r = tf.rsqrt(tf.add(meanSquare, k.scalar(eps))); // [M, 1]
    const unit = tf.mul(x, r); // [M, n]
    save([unit, r]);
    return tf.mul(unit, asRow(w)); // [M, n]
  };
  // With u = x r: dx = r (du - u mean(du u)), du = dy w.
  const backward = (dy: tf.Tensor, [unit, r]: tf.Tensor[]) => {
    const dw = columnSums(tf.mul(dy, unit!) as tf.Tensor2D); // [n]
    const du = tf.mul(dy, asRow(w)); // [M, n]
    const along = tf.mul(tf.sum(tf.mul(du, unit!), -1, true), perColumn); // [M, 1]
    const dx = tf.mul(tf.sub(du, tf.mul(unit!, along)), r!); // [M, n]
    return [dx, dw];
  };
  return withGradient([x, w], forward, backward) as tf.Tensor2D;
}

/** Cosines and sines of each token's position. */
export interface RopeAngles {
  /** [M, 1, d] */
  cos: tf.Tensor3D;
  /** [M, 1, d] */
  sin: tf.Tensor3D;
}

/** Looks up the angles of M positions. */
export function ropeAngles(
  k: Constants,
  theta: number,
  d: number,
  positions: Int32Array,
): RopeAngles {
  const last = positions.reduce((a, b) => Math.max(a, b), 0);
  const tables = k.ropeTables(theta, d, last + 1);
  const look = (table: tf.Tensor2D) =>
    tf.reshape(gatherRows(table, positions), [positions.length, 1, d]) as tf.Tensor3D; // [M, 1, d]
  return { cos: look(tables.cos), sin: look(tables.sin) };
}

/** Rotary positions, half-rotation layout: x cos + rotate_half(x) sin. x [M, H, d] -> [M, H, d] */
export function applyRope(k: Constants, x: tf.Tensor3D, { cos, sin }: RopeAngles): tf.Tensor3D {
  const [M, H, d] = x.shape;
  const R = k.rotation(d); // [d, d]; R^T = -R
  const rotate = (t: tf.Tensor) => tf.reshape(tf.matMul(tf.reshape(t, [M * H, d]), R), [M, H, d]);
  const forward = (save: tf.GradSaveFunc) => {
    save([cos, sin]);
    return tf.add(tf.mul(x, cos), tf.mul(rotate(x), sin)); // [M, H, d]
  };
  const backward = (dy: tf.Tensor, [cos, sin]: tf.Tensor[]) =>
    tf.sub(tf.mul(dy, cos!), rotate(tf.mul(dy, sin!))); // [M, H, d]
  return withGradient([x], forward, backward) as tf.Tensor3D;
}

/** silu(gate) * up, silu(z) = z sigmoid(z). [M, F], [M, F] -> [M, F] */
export function swiGlu(k: Constants, gate: tf.Tensor2D, up: tf.Tensor2D): tf.Tensor2D {
  const forward = (save: tf.GradSaveFunc) => {
    const s = tf.sigmoid(gate); // [M, F]
    save([gate, up, s]);
    return tf.mul(tf.mul(gate, s), up); // [M, F]
  };
  // silu'(z) = s (1 + z (1 - s)) = s + silu (1 - s)
  const backward = (dy: tf.Tensor, [gate, up, s]: tf.Tensor[]) => {
    const silu = tf.mul(gate!, s!); // [M, F]
    const slope = tf.add(s!, tf.mul(silu, tf.sub(k.scalar(1), s!))); // [M, F]
    return [tf.mul(tf.mul(dy, up!), slope), tf.mul(dy, silu)];
  };
  return withGradient([gate, up], forward, backward) as tf.Tensor2D;
}

/** Above this vocabulary the one-hot product costs more than a scatter. */
const ONE_HOT_LIMIT = 1024;

/** Rows of the embedding. table [V, D], ids [M] -> [M, D] */
export function embed(table: tf.Tensor2D, ids: Int32Array): tf.Tensor2D {
  const [V, D] = table.shape;
  const forward = () => gatherRows(table, ids); // [M, D]
  // tfjs's own gradient needs UnsortedSegmentSum, which wasm lacks.
  const backward = (dy: tf.Tensor) => {
    const index = tf.tensor1d(ids, "int32"); // [M]
    if (V > ONE_HOT_LIMIT) return tf.scatterND(tf.reshape(index, [-1, 1]), dy, [V, D]); // [V, D]
    return tf.matMul(tf.transpose(tf.oneHot(index, V) as tf.Tensor2D), dy as tf.Tensor2D); // [V, D]
  };
  return withGradient([table], forward, backward) as tf.Tensor2D;
}
