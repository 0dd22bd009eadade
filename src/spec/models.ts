/** About 0.1M parameters: seconds per iteration on a CPU. */
const nano = {
  family: "qwen3",
  vocabSize: 64,
  hiddenSize: 64,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headDim: 16,
  intermediateSize: 192,
  ropeTheta: 10000,
  rmsNormEps: 1e-6,
  tieWordEmbeddings: true,
  attentionBias: false,
  maxPositions: 1024,
} as const;

/** Shapes of the from-scratch models: Qwen3 architecture (QK-norm, no biases), fewer KV heads than heads. */
export const modelPresets = {
  nano,
  /** The same in Qwen2.5's architecture: biases on queries, keys and values, no QK-norm. */
  "nano-qwen2": { ...nano, family: "qwen2", attentionBias: true },
  /** About 0.9M parameters: the class experiment. */
  micro: {
    family: "qwen3",
    vocabSize: 64,
    hiddenSize: 128,
    layers: 4,
    heads: 8,
    kvHeads: 4,
    headDim: 16,
    intermediateSize: 448,
    ropeTheta: 10000,
    rmsNormEps: 1e-6,
    tieWordEmbeddings: true,
    attentionBias: false,
    maxPositions: 2048,
  },
  /** About 0.4M parameters: speaks, in short thoughts. */
  "talker-nano": {
    family: "qwen3",
    vocabSize: 1024,
    hiddenSize: 96,
    layers: 3,
    heads: 6,
    kvHeads: 3,
    headDim: 16,
    intermediateSize: 288,
    ropeTheta: 10000,
    rmsNormEps: 1e-6,
    tieWordEmbeddings: true,
    attentionBias: false,
    maxPositions: 2048,
  },
  /** About 2.2M parameters: speaks. Its passes still fit the default limits of WebGPU. */
  talker: {
    family: "qwen3",
    vocabSize: 1024,
    hiddenSize: 192,
    layers: 6,
    heads: 12,
    kvHeads: 6,
    headDim: 16,
    intermediateSize: 384,
    ropeTheta: 10000,
    rmsNormEps: 1e-6,
    tieWordEmbeddings: true,
    attentionBias: false,
    maxPositions: 2048,
  },
} as const;

export type ModelPresetName = keyof typeof modelPresets;
export const MODEL_PRESETS = Object.keys(modelPresets) as ModelPresetName[];
