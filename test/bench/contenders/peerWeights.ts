/** The model's weights as the peers hold them: matrices [in, out], and q, k, v in one. */
import type { WeightMap } from "../../../src/engine/engine.ts";
import { config } from "../workload.ts";

export interface Matrix {
  shape: number[];
  data: Float32Array;
}

/** Per layer; D hidden size, F inner size. */
export interface LayerWeights<T> {
  /** [D] */
  norm1: T;
  /** [D, 3 D] */
  qkv: T;
  /** [D, D] */
  out: T;
  /** [D] */
  norm2: T;
  /** [D, F] */
  gate: T;
  /** [D, F] */
  up: T;
  /** [F, D] */
  down: T;
}

export interface PeerWeights<T> {
  /** [V, D]; the language head too. */
  embedding: T;
  layers: LayerWeights<T>[];
  /** [D] */
  norm: T;
}

export function peerWeights<T>(weights: WeightMap, make: (m: Matrix) => T): PeerWeights<T> {
  const get = (name: string) => weights.get(name)!;
  return {
    embedding: make(get("model.embed_tokens.weight")),
    layers: Array.from({ length: config.layers }, (_, i) =>
      layerWeights((name) => get(`model.layers.${i}.${name}.weight`), make),
    ),
    norm: make(get("model.norm.weight")),
  };
}

function layerWeights<T>(get: (name: string) => Matrix, make: (m: Matrix) => T): LayerWeights<T> {
  const flipped = (...names: string[]) => make(flip(names.map(get)));
  return {
    norm1: make(get("input_layernorm")),
    qkv: flipped("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    out: flipped("self_attn.o_proj"),
    norm2: make(get("post_attention_layernorm")),
    gate: flipped("mlp.gate_proj"),
    up: flipped("mlp.up_proj"),
    down: flipped("mlp.down_proj"),
  };
}

/** Matrices [out, in] of equal `in`, one below the other, to one [in, sum of out]. */
function flip(parts: Matrix[]): Matrix {
  const rows = parts.flatMap(({ shape, data }) =>
    Array.from({ length: shape[0]! }, (_, r) => data.subarray(r * shape[1]!, (r + 1) * shape[1]!)),
  );
  const [out, into] = [rows.length, rows[0]!.length];
  const data = new Float32Array(into * out); // [in, out]
  rows.forEach((row, r) => row.forEach((x, c) => (data[c * out + r] = x)));
  return { shape: [into, out], data };
}

/** Cosines and sines of the rotary positions, both halves of a head alike. Each [positions, headDim] */
export function rotaryTables(positions: number): { cos: Matrix; sin: Matrix } {
  const { headDim: d, ropeTheta } = config;
  const table = (f: (x: number) => number): Matrix => ({
    shape: [positions, d],
    data: Float32Array.from({ length: positions * d }, (_, i) => {
      const [position, k] = [Math.floor(i / d), i % (d / 2)];
      return f(position * ropeTheta ** ((-2 * k) / d));
    }),
  });
  return { cos: table(Math.cos), sin: table(Math.sin) };
}

/** The next token of each place, the place itself at the end of a row, where the weight is 0. [B, T] each */
export function targetsOf(ids: Int32Array, T: number) {
  const last = (i: number) => i % T === T - 1;
  const B = ids.length / T;
  return {
    targets: Int32Array.from(ids, (id, i) => (last(i) ? id : ids[i + 1]!)),
    weights: Float32Array.from(ids, (_, i) => (last(i) ? 0 : 1 / (B * (T - 1)))),
  };
}
