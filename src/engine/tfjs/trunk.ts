/** The Qwen decoder, top to bottom: embedding, blocks of attention and SwiGLU, final norm. */
import * as tf from "@tensorflow/tfjs-core";
import type { ModelConfig } from "../modelConfig.ts";
import { EMBEDDING, FINAL_NORM } from "../parameters.ts";
import { mergeHeads, splitHeads } from "./attention.ts";
import type { Constants } from "./constants.ts";
import {
  add,
  applyRope,
  embed,
  linear,
  reshape,
  rmsNorm,
  ropeAngles,
  swiGlu,
  type RopeAngles,
} from "./ops.ts";
import type { Parameters } from "./weights.ts";

/** How a layer mixes tokens: causally within a row, or against a cache. Heads first: q [N*K, G*T, d], k, v [N*K, T, d] -> like q. */
type Attend = (layer: number, q: tf.Tensor3D, k: tf.Tensor3D, v: tf.Tensor3D) => tf.Tensor3D;

export interface Tokens {
  /** Rows; each has T = ids.length / N tokens. */
  N: number;
  /** [N*T] */
  ids: Int32Array;
  /** [N*T] */
  positions: Int32Array;
}

/** Final-normed hidden states. [N*T, D] */
export function trunk(
  k: Constants,
  config: ModelConfig,
  weights: Parameters,
  tokens: Tokens,
  attend: Attend,
): tf.Tensor2D {
  const angles = ropeAngles(k, config.ropeTheta, config.headDim, tokens.positions);
  let x = embed(weights.tensor(EMBEDDING) as tf.Tensor2D, tokens.ids); // [N*T, D]
  for (let layer = 0; layer < config.layers; layer++) {
    const next = () => block(k, config, weights, layer, tokens.N, x, angles, attend);
    // Off the tape nothing outlives its block; on it, the tape decides.
    x = tf.engine().isTapeOn() ? next() : tf.tidy(next); // [N*T, D]
  }
  return rmsNorm(k, x, weights.vector(FINAL_NORM), config.rmsNormEps); // [N*T, D]
}

function block(
  k: Constants,
  config: ModelConfig,
  weights: Parameters,
  layer: number,
  N: number,
  x: tf.Tensor2D,
  angles: RopeAngles,
  attend: Attend,
): tf.Tensor2D {
  const p = `model.layers.${layer}`;
  const norm = (t: tf.Tensor2D, name: string) =>
    rmsNorm(k, t, weights.vector(`${p}.${name}.weight`), config.rmsNormEps); // [M, D]
  const normed = norm(x, "input_layernorm"); // [N*T, D]
  const mixed = attention(k, config, weights, layer, N, normed, angles, attend); // [N*T, D]
  const h = add(x, mixed); // [N*T, D]
  const project = (t: tf.Tensor2D, name: string) =>
    linear(t, weights.matrix(`${p}.mlp.${name}_proj.weight`));
  const z = norm(h, "post_attention_layernorm"); // [N*T, D]
  const inner = swiGlu(k, project(z, "gate"), project(z, "up")); // [N*T, F]
  return add(h, project(inner, "down")); // [N*T, D]
}

function attention(
  k: Constants,
  config: ModelConfig,
  weights: Parameters,
  layer: number,
  N: number,
  x: tf.Tensor2D,
  angles: RopeAngles,
  attend: Attend,
): tf.Tensor2D {
  const { heads: H, kvHeads: K, headDim: d } = config;
  const p = `model.layers.${layer}.self_attn`;
  const project = (name: "q" | "k" | "v") =>
    linear(x, weights.matrix(`${p}.${name}_proj.weight`), weights.bias(`${p}.${name}_proj`));
  const place = (t: tf.Tensor2D, name: "q" | "k", heads: number) => {
    const byHead = reshape(t, [-1, d]) as tf.Tensor2D; // [N*T*heads, d]
    const gain = weights.has(`${p}.${name}_norm.weight`);
    const normed = gain
      ? rmsNorm(k, byHead, weights.vector(`${p}.${name}_norm.weight`), config.rmsNormEps)
      : byHead; // [N*T*heads, d]
    return applyRope(k, reshape(normed, [-1, heads, d]) as tf.Tensor3D, angles); // [N*T, heads, d]
  };
  const q = splitHeads(place(project("q"), "q", H), N, H, K, d); // [N*K, G*T, d]
  const key = splitHeads(place(project("k"), "k", K), N, K, K, d); // [N*K, T, d]
  const v = splitHeads(project("v"), N, K, K, d); // [N*K, T, d]
  const o = mergeHeads(attend(layer, q, key, v), N, H); // [N*T, H*d]
  return linear(o, weights.matrix(`${p}.o_proj.weight`), weights.bias(`${p}.o_proj`)); // [N*T, D]
}
