/** What every contender computes: one small model, two training batches and a decode, from the same weights and data. */
import type { WeightMap } from "../../src/engine/engine.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { initModel } from "../../src/model/initModel.ts";
import { modelPresets } from "../../src/spec/models.ts";

/** 0.886 million parameters. */
export const config = {
  ...{ family: "qwen2", vocabSize: 256, hiddenSize: 128, layers: 4, heads: 4, kvHeads: 4 },
  ...{ headDim: 32, intermediateSize: 384, ropeTheta: 10000, rmsNormEps: 1e-6 },
  ...{ tieWordEmbeddings: true, attentionBias: false, maxPositions: 1024 },
} satisfies ModelConfig as ModelConfig;

/** About 24 million parameters: to see what a card makes of a larger model. */
export const large: ModelConfig = {
  ...modelPresets.micro,
  ...{ vocabSize: 8192, hiddenSize: 512, layers: 6, heads: 8, kvHeads: 8, headDim: 64 },
  intermediateSize: 1536,
};

/** AdamW with decoupled decay; gradients are clipped to a global norm first. */
export const optimizer = {
  ...{ lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 },
  clip: 1,
};

export const WORKLOADS = ["train-128x16", "train-64x4", "decode-64"] as const;
export type Workload = (typeof WORKLOADS)[number];
export type TrainWorkload = Exclude<Workload, "decode-64">;

/** The loss is the mean over B (T - 1) places of -log p(ids[b, t + 1] | ids[b, 0..t]). */
export interface Batch {
  B: number;
  T: number;
  /** [B, T] */
  ids: Int32Array;
}

const SIZES: Record<TrainWorkload, [B: number, T: number]> = {
  "train-128x16": [16, 128],
  "train-64x4": [4, 64],
};

/** Rows that a small model can learn from: each counts up by a step of its own, with some noise. */
export function batchOf(workload: TrainWorkload): Batch {
  const [B, T] = SIZES[workload];
  const ids = Int32Array.from({ length: B * T }, (_, i) => {
    const [b, t] = [Math.floor(i / T), i % T];
    const noise = (i * 7919 + 13 * ((i * i) % 97)) % 5 === 0 ? i % 31 : 0;
    return (b * 17 + t * ((b % 7) + 1) + noise) % 256;
  });
  return { B, T, ids };
}

export const decoding = { rows: 64, prompt: 32, tokens: 33 };

/** The prompts of the decode workload, of a model's own vocabulary. [rows][prompt] */
export function promptsOf({ vocabSize } = config): number[][] {
  const { rows, prompt } = decoding;
  return Array.from({ length: rows }, (_, b) =>
    Array.from({ length: prompt }, (_, t) => (b * 31 + t * t + t) % vocabSize),
  );
}

export const weightsOf = (): WeightMap => initModel(config, 1);

/**
 * For decoding: the layers' matrices are larger than a fresh model's, which would only repeat its last token, so
 * that every drawn token depends on the whole context and a wrong cache shows.
 */
export function decodeWeightsOf(): WeightMap {
  const scaled = ([name, { shape, data }]: [string, { shape: number[]; data: Float32Array }]) => {
    const factor = /_proj/.test(name) ? 6 : 1;
    return [name, { shape, data: data.map((x) => factor * x) }] as const;
  };
  return new Map([...weightsOf()].map(scaled));
}

/** Weights that matrices multiply with: per layer q, k, v, o [D, D] and gate, up, down [D, F]; the head [V, D]. */
const productWeights = (): number => {
  const { hiddenSize: D, intermediateSize: F, layers, vocabSize: V } = config;
  return layers * (4 * D * D + 3 * D * F) + V * D;
};

/**
 * Multiplications and additions of the products of one step over N tokens whose rows are T long. Training: 6 N per
 * weight (forward, and two products back) and 12 N T D per layer for the attention's scores and sums, counted in full,
 * without the half that the causal mask spares. Decoding: a third of that, at the mean length of the cache.
 */
export function flopsOf(workload: Workload): number {
  const { hiddenSize: D, layers } = config;
  if (workload === "decode-64") {
    const length = decoding.prompt + decoding.tokens / 2;
    return decoding.rows * (2 * productWeights() + 4 * layers * length * D);
  }
  const [B, T] = SIZES[workload];
  return B * T * (6 * productWeights() + 12 * layers * T * D);
}

/** Tokens of one measured step: of a training batch, or one for each row that is decoded. */
export function tokensOf(workload: Workload): number {
  if (workload === "decode-64") return decoding.rows;
  const [B, T] = SIZES[workload];
  return B * T;
}
