/**
 * The model in jax-js: the whole training step is one jitted function. Each use of an array consumes it unless it
 * says `.ref`.
 */
import {
  blockUntilReady,
  defaultDevice,
  init,
  jit,
  nn,
  numpy as np,
  tree,
  valueAndGrad,
  type Array as JaxArray,
} from "@jax-js/jax";
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

/** From its package.json, which it does not export. */
declare const __JAX_VERSION__: string;

type Params = PeerWeights<JaxArray>;
type Layer = LayerWeights<JaxArray>;

const { hiddenSize: D, heads: H, headDim: d, vocabSize: V } = config;

export async function openJax(device: "webgpu" | "wasm"): Promise<Contender> {
  const started = await init(device);
  if (!started.includes(device)) throw new Error(`jax-js does not start on ${device}`);
  defaultDevice(device);
  return {
    about: `@jax-js/jax ${__JAX_VERSION__}`,
    trainer: async (batch) => trainerOf(batch),
    decoder: async () => decoderOf(),
  };
}

const toArray = ({ shape, data }: Matrix) => np.array(data, { shape, dtype: np.float32 });
const ints = (data: Int32Array, shape: number[]) => np.array(data, { shape, dtype: np.int32 });
const scalar = (x: number) => np.array(x, { dtype: np.float32 });

const rmsNorm = (x: JaxArray, weight: JaxArray) => {
  const square = np.square(x.ref).mean(-1, { keepdims: true });
  return x.div(np.sqrt(square.add(config.rmsNormEps))).mul(weight);
};

/** x [B, T, H, d]; cos, sin [T, 1, d] */
function rotate(x: JaxArray, cos: JaxArray, sin: JaxArray): JaxArray {
  const [a, b] = np.split(x.ref, 2, -1) as [JaxArray, JaxArray];
  return x.mul(cos).add(np.concatenate([b.neg(), a], -1).mul(sin));
}

interface Heads {
  /** [B, T, H, d] each, rotated. */
  q: JaxArray;
  k: JaxArray;
  v: JaxArray;
}

function headsOf(x: JaxArray, layer: Layer, cos: JaxArray, sin: JaxArray): Heads {
  const [B, T] = x.shape as [number, number];
  const parts = np.split(np.matmul(x, layer.qkv), 3, -1); // 3 x [B, T, D]
  const [q, k, v] = parts.map((part) => part.reshape([B, T, H, d])) as [
    JaxArray,
    JaxArray,
    JaxArray,
  ];
  return { q: rotate(q, cos.ref, sin.ref), k: rotate(k, cos, sin), v };
}

/** SwiGLU. x [B, T, D] */
const mlp = (x: JaxArray, { gate, up, down }: Layer) =>
  np.matmul(nn.silu(np.matmul(x.ref, gate)).mul(np.matmul(x, up)), down);

/** The one-hot product is faster here than a gather, whose gradient is a scatter. [B, T] -> [B, T, D] */
const embed = (table: JaxArray, ids: JaxArray) => np.matmul(nn.oneHot(ids, V), table);

/** One block around the given attention. x [B, T, D] */
function block(x: JaxArray, layer: Layer, attend: (normed: JaxArray) => JaxArray): JaxArray {
  const mixed = x.ref.add(np.matmul(attend(rmsNorm(x, layer.norm1)), layer.out));
  return mixed.ref.add(mlp(rmsNorm(mixed, layer.norm2), layer));
}

interface Constants {
  cos: JaxArray;
  sin: JaxArray;
}

/** ids [B, T] -> logits [B, T, V]; consumes everything. */
function forward(p: Params, ids: JaxArray, { cos, sin }: Constants): JaxArray {
  const [B, T] = ids.shape as [number, number];
  let x = embed(p.embedding.ref, ids);
  for (const layer of p.layers) {
    x = block(x, layer, (normed) => {
      const { q, k, v } = headsOf(normed, layer, cos.ref, sin.ref);
      return nn.dotProductAttention(q, k, v, { isCausal: true }).reshape([B, T, D]);
    });
  }
  tree.dispose({ cos, sin });
  return np.matmul(rmsNorm(x, p.norm), np.transpose(p.embedding));
}

interface Data extends Constants {
  /** [B, T] */
  ids: JaxArray;
  /** [B, T] */
  targets: JaxArray;
  /** [B, T] */
  weights: JaxArray;
}

function loss(p: Params, { ids, targets, weights, cos, sin }: Data): JaxArray {
  const logp = nn.logSoftmax(forward(p, ids, { cos, sin }), -1); // [B, T, V]
  return nn.oneHot(targets, V).mul(logp).sum(-1).mul(weights).sum().neg();
}

interface State {
  params: Params;
  m: Params;
  v: Params;
}

/** `t` counts from 1 and is an array, so that steps share one compilation. */
function trainStep(state: State, t: JaxArray, data: Data) {
  const [value, grads] = valueAndGrad(loss)(tree.ref(state.params) as never, data as never);
  const next = adamW(state, clipped(grads as unknown as Params), t);
  return { loss: value, ...next };
}

/** All gradients times min(1, clip / their common norm). */
function clipped(grads: Params): Params {
  const squares = tree.leaves<JaxArray>(grads as never).map((g) => np.square(g.ref).sum());
  const norm = np.sqrt(squares.reduce((a, b) => a.add(b)));
  const factor = np.minimum(1, np.array(optimizer.clip).div(norm));
  const result = mapTree((g: JaxArray) => g.mul(factor.ref), grads);
  factor.dispose();
  return result;
}

const mapTree = (f: (...leaves: JaxArray[]) => JaxArray, ...trees: Params[]): Params =>
  (tree.map as (f: unknown, ...trees: unknown[]) => unknown)(f, ...trees) as Params;

function adamW({ params, m, v }: State, grads: Params, t: JaxArray): State {
  const { beta1, beta2, lr, eps, weightDecay } = optimizer;
  const m2 = mapTree((m, g) => m.mul(beta1).add(g.mul(1 - beta1)), m, tree.ref(grads));
  const v2 = mapTree((v, g) => v.mul(beta2).add(np.square(g).mul(1 - beta2)), v, grads);
  const size = scalarPower(beta1, t.ref);
  const scale = scalarPower(beta2, t);
  const next = mapTree(
    (p, m, v) => {
      const root = np.sqrt(v.div(scale.ref)).add(eps);
      return p.mul(1 - lr * weightDecay).sub(m.div(size.ref).div(root).mul(lr));
    },
    params,
    tree.ref(m2),
    tree.ref(v2),
  );
  tree.dispose([size, scale]);
  return { params: next, m: m2, v: v2 };
}

/** 1 - base^t */
const scalarPower = (base: number, t: JaxArray) =>
  np
    .exp(t.mul(Math.log(base)))
    .mul(-1)
    .add(1);

function constantsOf(positions: number): Constants {
  const { cos, sin } = rotaryTables(positions);
  return { cos: toArray(tall(cos)), sin: toArray(tall(sin)) };
}

/** [T, d] -> [T, 1, d] */
const tall = ({ shape, data }: Matrix): Matrix => ({ shape: [shape[0]!, 1, shape[1]!], data });

function trainerOf({ B, T, ids }: Batch): Trainer {
  const { targets, weights } = targetsOf(ids, T);
  const data: Data = {
    ids: ints(ids, [B, T]),
    targets: ints(targets, [B, T]),
    weights: np.array(weights, { shape: [B, T], dtype: np.float32 }),
    ...constantsOf(T),
  };
  const zeros = () => peerWeights(weightsOf(), ({ shape }) => np.zeros(shape));
  let state: State = { params: peerWeights(weightsOf(), toArray), m: zeros(), v: zeros() };
  let t = 0;
  const step = jit(trainStep as never) as unknown as typeof trainStep;
  return {
    step: async () => {
      const result = step(state, scalar(++t), tree.ref(data as never) as Data);
      state = { params: result.params, m: result.m, v: result.v };
      const value = (await result.loss.jsAsync()) as number;
      await blockUntilReady(state as never);
      return value;
    },
  };
}

/** Keys and values of each layer, whole rows of a fixed length, since an array cannot be written in place. */
type Cache = { k: JaxArray; v: JaxArray }[];

/**
 * Runs new tokens at places `at` .. of the cache and draws the likeliest next one.
 * ids [B, N]; cache per layer [B, C, H, d]; cos, sin [N, 1, d]; place int32 [N] -> next [B, 1]
 */
function decodeStep(p: Params, cache: Cache, ids: JaxArray, place: JaxArray, tables: Constants) {
  const [B, N] = ids.shape as [number, number];
  const C = cache[0]!.k.shape[1]!;
  const { cos, sin } = tables;
  // Which place of the cache each new token takes. [N, C]
  const places = np.arange(C).reshape([1, C]);
  const takes = places.ref.equal(place.ref.reshape([N, 1]));
  const sees = places.lessEqual(place.reshape([N, 1])).reshape([1, 1, N, C]);
  const next: Cache = [];
  let x = embed(p.embedding.ref, ids);
  p.layers.forEach((layer, i) => {
    x = block(x, layer, (normed) => {
      const { q, k, v } = headsOf(normed, layer, cos.ref, sin.ref);
      const kept = {
        k: insert(cache[i]!.k, k, takes.ref),
        v: insert(cache[i]!.v, v, takes.ref),
      };
      next.push(kept);
      const mixed = nn.dotProductAttention(q, kept.k.ref, kept.v.ref, { mask: sees.ref });
      return mixed.reshape([B, N, D]);
    });
  });
  tree.dispose([cos, sin, takes, sees]);
  const last = rmsNorm(x.slice([], [N - 1, N], []), p.norm); // [B, 1, D]
  const logits = np.matmul(last, np.transpose(p.embedding)); // [B, 1, V]
  return { cache: next, ids: np.argmax(logits, -1).astype(np.int32) };
}

/** The cache with the new rows in their places. rows [B, N, H, d], takes [N, C] -> [B, C, H, d] */
function insert(cache: JaxArray, rows: JaxArray, takes: JaxArray): JaxArray {
  const [N, C] = takes.shape as [number, number];
  if (N === 1) return np.where(takes.reshape([1, C, 1, 1]), rows, cache);
  // A whole prompt starts the cache: pad it to the full length.
  takes.dispose();
  cache.dispose();
  return np.pad(rows, [[0, 0], [0, C - N], [0, 0], [0, 0]]); // prettier-ignore
}

function decoderOf(): Decoder {
  const params = peerWeights(decodeWeightsOf(), toArray);
  const step = jit(decodeStep as never) as unknown as typeof decodeStep;
  const { rows, prompt, tokens } = decoding;
  const tables = rotaryTables(prompt + tokens);
  const at = (from: number, count: number): [JaxArray, Constants] => {
    const part = ({ data }: Matrix): JaxArray =>
      toArray({ shape: [count, 1, d], data: data.slice(from * d, (from + count) * d) });
    const place = Int32Array.from({ length: count }, (_, i) => from + i);
    return [ints(place, [count]), { cos: part(tables.cos), sin: part(tables.sin) }];
  };
  const empty = () => np.zeros([rows, prompt + tokens, H, d]);
  const run = (cache: Cache, ids: JaxArray, from: number) =>
    step(tree.ref(params as never) as Params, cache, ids, ...at(from, ids.shape[1]!));
  return {
    generate: async (count) => {
      const start: Cache = params.layers.map(() => ({ k: empty(), v: empty() }));
      const drawn: JaxArray[] = [];
      let last = run(start, ints(Int32Array.from(promptsOf().flat()), [rows, prompt]), 0);
      drawn.push(last.ids.ref);
      for (let i = 1; i < count; i++) {
        last = run(last.cache, last.ids, prompt + i - 1);
        await blockUntilReady(last.ids);
        drawn.push(last.ids.ref);
      }
      tree.dispose(last as never);
      const all = (await np.concatenate(drawn, 1).jsAsync()) as number[][]; // [rows, count]
      return all;
    },
  };
}
