/** Outputs from the final hidden states: log-prob, entropy and KL of the next token, and the value. */
import * as tf from "@tensorflow/tfjs-core";
import type { Constants } from "./constants.ts";
import { columnSums, withGradient, type Matrix } from "./ops.ts";
import { gatherRows } from "./wasmKernels.ts";

/** A softmax and its logarithm. */
interface Distribution {
  /** [M, V] */
  p: tf.Tensor2D;
  /** [M, V] */
  logp: tf.Tensor2D;
}

/** softmax(h W^T / temperature). h [M, D] -> [M, V] */
function distribution(
  k: Constants,
  h: tf.Tensor2D,
  head: Matrix,
  temperature: number,
): Distribution {
  const z = tf.mul(tf.matMul(h, head.wT), k.scalar(1 / temperature)); // [M, V]
  const shifted = tf.sub(z, tf.max(z, -1, true)); // [M, V]
  const e = tf.exp(shifted); // [M, V]
  const sum = tf.sum(e, -1, true); // [M, 1]
  return {
    p: tf.div(e, sum) as tf.Tensor2D, // [M, V]
    logp: tf.sub(shifted, tf.log(sum)) as tf.Tensor2D, // [M, V]
  };
}

export interface PolicyRequest {
  /** Hidden states that predict the targets. [M, D] */
  h: tf.Tensor2D;
  head: Matrix;
  /** [M] */
  labels: tf.Tensor1D;
  temperature: number;
  /** The reference model's hidden states of the same tokens, and its head. */
  reference?: { h: tf.Tensor2D; head: Matrix };
}

const entropyOf = ({ p, logp }: Distribution) => tf.neg(tf.sum(tf.mul(p, logp), -1)); // [M]

const oneHot = (labels: tf.Tensor1D, V: number) => tf.oneHot(labels, V) as tf.Tensor2D; // [M, V]

/** Rows [log-prob of the label, entropy, KL(reference || this)] as requested; one tensor, so that one read fetches all. [1 to 3, M] */
export function policyOutputs(k: Constants, request: PolicyRequest, entropy: boolean): tf.Tensor2D {
  const { h, head, labels, temperature, reference } = request;
  const d = distribution(k, h, head, temperature);
  const hot = oneHot(labels, d.p.shape[1]); // [M, V]
  const rows: tf.Tensor[] = [tf.sum(tf.mul(d.logp, hot), -1)]; // [M]
  if (entropy) rows.push(entropyOf(d)); // [M]
  if (reference) {
    const r = distribution(k, reference.h, reference.head, temperature);
    rows.push(tf.sum(tf.mul(r.p, tf.sub(r.logp, d.logp)), -1)); // [M]
  }
  return tf.stack(rows) as tf.Tensor2D; // [rows, M]
}

/** Gradients arriving at each target. */
export interface PolicyGradients {
  /** [M, 1] */
  dLogprob: tf.Tensor2D;
  /** [M, 1] */
  dEntropy?: tf.Tensor2D;
  /** [M, 1] */
  dKl?: tf.Tensor2D;
}

/**
 * dL/dlogits, by hand: log-prob gives onehot - p, entropy -p (log p + H), KL(ref || this) p - p_ref;
 * all over the temperature. [M, V]
 */
export function logitGradients(
  k: Constants,
  request: PolicyRequest,
  { dLogprob, dEntropy, dKl }: PolicyGradients,
): tf.Tensor2D {
  const { h, head, labels, temperature, reference } = request;
  const d = distribution(k, h, head, temperature);
  const hot = oneHot(labels, d.p.shape[1]); // [M, V]
  let dz = tf.mul(tf.sub(hot, d.p), dLogprob); // [M, V]
  if (dEntropy) {
    const H = tf.reshape(entropyOf(d), [-1, 1]); // [M, 1]
    dz = tf.sub(dz, tf.mul(tf.mul(d.p, tf.add(d.logp, H)), dEntropy)); // [M, V]
  }
  if (dKl && reference) {
    const r = distribution(k, reference.h, reference.head, temperature);
    dz = tf.add(dz, tf.mul(tf.sub(d.p, r.p), dKl)); // [M, V]
  }
  return tf.mul(dz, k.scalar(1 / temperature)); // [M, V]
}

/** A scalar whose value is unused and whose gradients are the given ones: the entry point of backward on the tape. */
function entry(
  k: Constants,
  inputs: tf.Tensor[],
  gradients: (saved: tf.Tensor[]) => tf.Tensor[],
  /** Used by the gradients without receiving one; saved with the inputs, or they would be freed by then. */
  constants: tf.Tensor[] = [],
): tf.Scalar {
  const zero = (save: tf.GradSaveFunc) => {
    save([...inputs, ...constants]);
    return tf.clone(k.scalar(0));
  };
  return withGradient(inputs, zero, (_, saved) => gradients(saved)) as tf.Scalar;
}

/**
 * Backpropagates the policy's gradients into the hidden states and the language head. hidden [R,
 * D]; rows [M] selects the targets' predecessors; place [R] is the inverse (M: no target).
 */
export function policyEntry(
  k: Constants,
  hidden: tf.Tensor2D,
  rows: Int32Array,
  place: Int32Array,
  request: Omit<PolicyRequest, "h">,
  incoming: PolicyGradients,
): tf.Scalar {
  const { w } = request.head;
  return entry(k, [hidden, w], ([hidden]) => {
    const h = gatherRows(hidden!, rows); // [M, D]
    const dz = logitGradients(k, { ...request, h }, incoming); // [M, V]
    const dh = tf.matMul(dz, w); // [M, D]
    const dw = tf.matMul(tf.transpose(dz), h); // [V, D]
    // A scatter without atomics: rows that predict nothing read the zero row at M.
    const padded = tf.concat([dh, k.zeros([1, dh.shape[1]!])], 0); // [M+1, D]
    return [gatherRows(padded, place), dw];
  });
}

/** V of every prefix. hidden [R, D] -> [R] */
export function values(hidden: tf.Tensor2D, { wT }: Matrix, bias: tf.Tensor1D): tf.Tensor1D {
  return tf.reshape(tf.add(tf.matMul(hidden, wT), bias), [-1]); // [R]
}

/** Backpropagates dValue [R, 1] into the value head and, if `shared`, into the hidden states. */
export function valueEntry(
  k: Constants,
  hidden: tf.Tensor2D,
  { w }: Matrix,
  bias: tf.Tensor1D,
  dValue: tf.Tensor2D,
  shared: boolean,
): tf.Scalar {
  const head = (x: tf.Tensor) => [
    tf.matMul(tf.transpose(dValue), x as tf.Tensor2D), // [1, D]
    columnSums(dValue), // [1]
  ];
  if (!shared) return entry(k, [w, bias], ([, , x]) => head(x!), [hidden]);
  return entry(k, [hidden, w, bias], ([x]) => [tf.matMul(dValue, w), ...head(x!)]); // [R, D], ...
}
