import type { LoraConfig } from "../spec/lora.ts";

/** Shape of a Qwen2/Qwen2.5/Qwen3 decoder, with common names for both families. */
export interface ModelConfig {
  family: "qwen2" | "qwen3";
  vocabSize: number;
  hiddenSize: number;
  layers: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  intermediateSize: number;
  ropeTheta: number;
  rmsNormEps: number;
  tieWordEmbeddings: boolean;
  /** Biases on q, k and v (always in Qwen2), in Qwen3 also on the output projection. */
  attentionBias: boolean;
  maxPositions: number;
  /** A critic: a value head and no language head. Its embedding is tied to an unused head. */
  critic?: boolean;
  /** Adapters, which alone are trained, beside a value head. */
  lora?: LoraConfig;
  /** How an engine keeps the matrices that are not trained; such a model has adapters, or is only read. Absent: float32. */
  packed?: Packing;
  /** Keeps keys and values of decoding as float16, in half the memory: on WebGPU alone. Absent: float32. */
  halfCache?: true;
}

/**
 * bf16: half the memory, and the same results where the weights are BF16 numbers. int8: a quarter, each row rounded to 255 steps.
 */
export type Packing = "bf16" | "int8";

/** Whether adapters alone are trained, or nothing is: the rest of the trunk has no gradients. */
export const freezesTrunk = ({ lora, packed }: ModelConfig): boolean =>
  lora !== undefined || packed !== undefined;

/** The same shape without adapters. */
export function baseConfig({ lora: _, ...base }: ModelConfig): ModelConfig {
  return base;
}
