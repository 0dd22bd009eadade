/** The model in plain TensorFlow.js: its own operations, its own autodiff, its own Adam. */
import * as tf from "@tensorflow/tfjs";
import plain from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url";
import simd from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import threaded from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-threaded-simd.wasm?url";
import type { Contender, Decoder, Trainer } from "../contender.ts";
import {
  config,
  decodeWeightsOf,
  decoding,
  optimizer,
  promptsOf,
  weightsOf,
  type Batch,
} from "../workload.ts";
import {
  peerWeights,
  rotaryTables,
  targetsOf,
  type LayerWeights,
  type Matrix,
  type PeerWeights,
} from "./peerWeights.ts";

type Params = PeerWeights<tf.Variable>;
type Layer = LayerWeights<tf.Variable>;

const { hiddenSize: D, heads: H, headDim: d, vocabSize: V } = config;

export async function openTfjs(backend: "webgpu" | "wasm"): Promise<Contender> {
  tf.enableProdMode();
  if (backend === "wasm") {
    const { setWasmPaths } = await import("@tensorflow/tfjs-backend-wasm");
    setWasmPaths({
      "tfjs-backend-wasm.wasm": plain,
      "tfjs-backend-wasm-simd.wasm": simd,
      "tfjs-backend-wasm-threaded-simd.wasm": threaded,
    });
  } else await import("@tensorflow/tfjs-backend-webgpu");
  if (!(await tf.setBackend(backend))) throw new Error(`tfjs does not start on ${backend}`);
  return {
    about: `@tensorflow/tfjs ${tf.version.tfjs}`,
    trainer: async (batch) => trainerOf(batch),
    decoder: async () => decoderOf(),
  };
}

const toTensor = ({ shape, data }: Matrix) => tf.tensor(data, shape, "float32");
const toVariable = (matrix: Matrix) => tf.tidy(() => tf.variable(toTensor(matrix)));

const rmsNorm = (x: tf.Tensor, weight: tf.Tensor) =>
  x.div(x.square().mean(-1, true).add(config.rmsNormEps).sqrt()).mul(weight);

/** Rank 2 on both sides: tfjs's products of rank 3 by rank 2 have no gradient. x [B, T, in] -> [B, T, out] */
function linear(x: tf.Tensor, weight: tf.Tensor): tf.Tensor {
  const flat = x.reshape([-1, x.shape.at(-1)!]);
  return flat.matMul(weight as tf.Tensor2D).reshape([...x.shape.slice(0, -1), weight.shape[1]!]);
}

/** x [B, H, T, d]; cos, sin [T, d] */
function rotate(x: tf.Tensor, { cos, sin }: Tables): tf.Tensor {
  const [a, b] = tf.split(x, 2, -1) as [tf.Tensor, tf.Tensor];
  return x.mul(cos).add(tf.concat([b.neg(), a], -1).mul(sin));
}

interface Tables {
  cos: tf.Tensor;
  sin: tf.Tensor;
}

/** Each [positions, d] */
function tablesOf(positions: number): Tables {
  const { cos, sin } = rotaryTables(positions);
  return { cos: toTensor(cos), sin: toTensor(sin) };
}

/** x [B, T, D] -> q, k, v [B, H, T, d], q and k rotated. */
function headsOf(x: tf.Tensor, layer: Layer, tables: Tables) {
  const [B, T] = x.shape as [number, number];
  const [q, k, v] = tf
    .split(linear(x, layer.qkv), 3, -1)
    .map((part) => part.reshape([B, T, H, d]).transpose([0, 2, 1, 3])) as [
    tf.Tensor,
    tf.Tensor,
    tf.Tensor,
  ];
  return { q: rotate(q, tables), k: rotate(k, tables), v };
}

/** mask [T, S], added to the scores; q [B, H, T, d]; k, v [B, H, S, d] -> [B, T, D] */
function attention(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor, mask?: tf.Tensor): tf.Tensor {
  const scores = tf.matMul(q, k, false, true).mul(1 / Math.sqrt(d));
  const weights = tf.softmax(mask ? scores.add(mask) : scores);
  const mixed = tf.matMul(weights, v).transpose([0, 2, 1, 3]);
  return mixed.reshape([mixed.shape[0]!, mixed.shape[1]!, D]);
}

function mlp(x: tf.Tensor, { gate, up, down }: Layer): tf.Tensor {
  const g = linear(x, gate);
  return linear(g.mul(g.sigmoid()).mul(linear(x, up)), down);
}

/** On wasm tfjs has no gradient of a gather; a one-hot product replaces it. [B, T] -> [B, T, D] */
function embed(table: tf.Tensor, ids: tf.Tensor): tf.Tensor {
  if (tf.getBackend() !== "wasm") return tf.gather(table, ids as tf.Tensor1D);
  return linear(tf.oneHot(ids as tf.Tensor1D, V).toFloat(), table);
}

function block(x: tf.Tensor, layer: Layer, attend: (normed: tf.Tensor) => tf.Tensor): tf.Tensor {
  const mixed = x.add(linear(attend(rmsNorm(x, layer.norm1)), layer.out));
  return mixed.add(mlp(rmsNorm(mixed, layer.norm2), layer));
}

/** 0 where s <= t, a large negative number elsewhere. [T, T] */
const causalMask = (T: number) =>
  tf.tensor2d(
    Float32Array.from({ length: T * T }, (_, i) => (i % T <= Math.floor(i / T) ? 0 : -1e9)),
    [T, T],
  );

/** The head is tied to the embedding. x [B, T, D] -> [B T, V] */
const logitsOf = (p: Params, x: tf.Tensor) =>
  tf.matMul(rmsNorm(x, p.norm).reshape([-1, D]), p.embedding as tf.Tensor2D, false, true);

/** The function whose gradient is taken. */
function lossOf(params: Params, { B, T, ids }: Batch): () => tf.Scalar {
  const { targets, weights } = targetsOf(ids, T);
  const input = tf.tensor2d(ids, [B, T], "int32");
  const hot = tf.oneHot(tf.tensor1d(targets, "int32"), V).toFloat(); // [B T, V]
  const weight = tf.tensor1d(weights); // [B T]
  const mask = causalMask(T);
  const tables = tablesOf(T);
  return () => {
    let x = embed(params.embedding, input);
    for (const layer of params.layers) {
      x = block(x, layer, (normed) => {
        const { q, k, v } = headsOf(normed, layer, tables);
        return attention(q, k, v, mask);
      });
    }
    const logp = tf.logSoftmax(logitsOf(params, x)); // [B T, V]
    return logp.mul(hot).sum(-1).mul(weight).sum().neg() as tf.Scalar;
  };
}

/** Clips, then Adam: tfjs has no decoupled decay. */
function trainerOf(batch: Batch): Trainer {
  const loss = lossOf(peerWeights(weightsOf(), toVariable), batch);
  const { lr, beta1, beta2, eps } = optimizer;
  const adam = tf.train.adam(lr, beta1, beta2, eps);
  const update = () => {
    const { value, grads } = tf.variableGrads(loss);
    adam.applyGradients(clipped(grads));
    return value;
  };
  return {
    step: async () => {
      const value = tf.tidy(update);
      const [number] = await value.data();
      value.dispose();
      return number!;
    },
  };
}

/** All gradients times min(1, clip / their common norm). */
function clipped(grads: tf.NamedTensorMap): { name: string; tensor: tf.Tensor }[] {
  const squares = Object.values(grads).map((g) => g.square().sum());
  // Not addN: on webgpu it binds all of them at once, more than a shader may have, and silently fails.
  const norm = squares.reduce((a, b) => a.add(b)).sqrt();
  const factor = tf.minimum(1, tf.div(optimizer.clip, norm));
  return Object.entries(grads).map(([name, g]) => ({ name, tensor: g.mul(factor) }));
}

/** Keys and values so far, longer by a concatenation at each token. [B, H, t, d] */
type Cache = { k: tf.Tensor; v: tf.Tensor }[];

/** ids int32 [B, 1]. A type, since tidy wants to see that it holds tensors only. */
type Drawn = { cache: Cache; ids: tf.Tensor };

/** ids int32 [B, N]; the tables of their positions; the mask where there are several. */
function decodeStep(
  params: Params,
  cache: Cache | null,
  ids: tf.Tensor,
  tables: Tables,
  mask?: tf.Tensor,
): Drawn {
  const [B, N] = ids.shape as [number, number];
  const next: Cache = [];
  let x = embed(params.embedding, ids);
  params.layers.forEach((layer, i) => {
    x = block(x, layer, (normed) => {
      const { q, k, v } = headsOf(normed, layer, tables);
      const old = cache?.[i];
      const both = old ? { k: tf.concat([old.k, k], 2), v: tf.concat([old.v, v], 2) } : { k, v };
      next.push(both);
      return attention(q, both.k, both.v, mask);
    });
  });
  const last = x.slice([0, N - 1, 0], [B, 1, D]);
  return { cache: next, ids: logitsOf(params, last).argMax(-1).toInt().reshape([B, 1]) };
}

function decoderOf(): Decoder {
  const params = peerWeights(decodeWeightsOf(), toVariable);
  const { rows, prompt, tokens } = decoding;
  const all = tablesOf(prompt + tokens);
  const mask = causalMask(prompt);
  const part = (table: tf.Tensor, from: number, N: number) => table.slice([from, 0], [N, d]);
  const step = (cache: Cache | null, ids: tf.Tensor, from: number, N: number) =>
    tf.tidy(() => {
      const tables = { cos: part(all.cos, from, N), sin: part(all.sin, from, N) };
      return decodeStep(params, cache, ids, tables, N > 1 ? mask : undefined);
    });
  return {
    generate: async (count) => {
      const prompts = tf.tensor2d(promptsOf(), [rows, prompt], "int32");
      let last = step(null, prompts, 0, prompt);
      const drawn = [last.ids];
      for (let i = 1; i < count; i++) {
        const { cache, ids } = last;
        last = step(cache, ids, prompt + i - 1, 1);
        tf.dispose(cache);
        drawn.push(last.ids);
      }
      const ids = tf.concat(drawn, 1); // [rows, count]
      const result = (await ids.array()) as number[][];
      tf.dispose([prompts, ids, last.cache, ...drawn]);
      return result;
    },
  };
}
