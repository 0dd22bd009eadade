/**
 * Grouped-query attention. The G = H/K query heads that share a KV head are folded into the query's
 * rows, so that one plain batched product serves the group; tfjs's batch broadcast is wrong on
 * webgpu.
 */
import * as tf from "@tensorflow/tfjs-core";
import type { Constants } from "./constants.ts";
import { reshape, transpose, withGradient } from "./ops.ts";
import { batchedProduct } from "./wasmKernels.ts";

/** Tokens-first heads to heads-first, `groups` batches per row. [N*T, H*d] -> [N*groups, (H/groups)*T, d] */
export function splitHeads(
  x: tf.Tensor,
  N: number,
  heads: number,
  groups: number,
  d: number,
): tf.Tensor3D {
  const byToken = reshape(x, [N, -1, heads, d]); // [N, T, H, d]
  return reshape(transpose(byToken, [0, 2, 1, 3]), [N * groups, -1, d]) as tf.Tensor3D; // [N*groups, H/groups*T, d]
}

/** The inverse. [N*K, G*T, d] -> [N*T, H*d] */
export function mergeHeads(o: tf.Tensor3D, N: number, heads: number): tf.Tensor2D {
  const d = o.shape[2];
  const byHead = reshape(o, [N, heads, -1, d]); // [N, H, T, d]
  return reshape(transpose(byHead, [0, 2, 1, 3]), [-1, heads * d]) as tf.Tensor2D; // [N*T, H*d]
}

const flip = (x: tf.Tensor) => tf.transpose(x as tf.Tensor3D, [0, 2, 1]);

/** softmax(q k^T / sqrt(d) + causal) v. q [Z, G*T, d], k and v [Z, T, d] -> [Z, G*T, d] */
export function causalAttention(
  c: Constants,
  q: tf.Tensor3D,
  k: tf.Tensor3D,
  v: tf.Tensor3D,
): tf.Tensor3D {
  const [, T, d] = k.shape;
  const scale = c.scalar(1 / Math.sqrt(d));
  const mask = c.causalMask(q.shape[1] / T, T); // [G*T, T]
  const forward = (save: tf.GradSaveFunc) => {
    const scores = tf.add(tf.mul(batchedProduct(q, flip(k)), scale), mask); // [Z, G*T, T]
    const p = tf.softmax(scores); // [Z, G*T, T]
    save([q, k, v, p]);
    return batchedProduct(p, v); // [Z, G*T, d]
  };
  const backward = (dy: tf.Tensor, [q, k, v, p]: tf.Tensor[]) => {
    const dv = batchedProduct(flip(p!), dy); // [Z, T, d]
    const dp = batchedProduct(dy, flip(v!)); // [Z, G*T, T]
    const pdp = tf.mul(p!, dp); // [Z, G*T, T]
    const total = tf.sum(pdp, -1, true); // [Z, G*T, 1]
    const ds = tf.mul(tf.sub(pdp, tf.mul(p!, total)), scale); // [Z, G*T, T]
    return [batchedProduct(ds, k!), batchedProduct(flip(ds), q!), dv];
  };
  return withGradient([q, k, v], forward, backward) as tf.Tensor3D;
}

/**
 * The same against a cache of C slots, with the visible slots given as an additive mask.
 * q [N*K, G*T, d], k and v [N*K, C, d], mask [N, 1, T, C] -> [N*K, G*T, d]
 */
export function cachedAttention(
  c: Constants,
  q: tf.Tensor3D,
  k: tf.Tensor3D,
  v: tf.Tensor3D,
  mask: tf.Tensor4D,
): tf.Tensor3D {
  const [Z, rows, d] = q.shape;
  const [N, , T, C] = mask.shape;
  const scale = c.scalar(1 / Math.sqrt(d));
  const few = rows <= 8; // setting up a product costs more than a slow one
  const raw = few ? tf.matMul(q, k, false, true) : batchedProduct(q, flip(k)); // [N*K, G*T, C]
  const scores = tf.reshape(tf.mul(raw, scale), [N, -1, T, C]); // [N, H, T, C]
  const p = tf.reshape(tf.softmax(tf.add(scores, mask)), [Z, rows, C]) as tf.Tensor3D; // [N*K, G*T, C]
  return few ? tf.matMul(p, v) : batchedProduct(p, v); // [N*K, G*T, d]
}
