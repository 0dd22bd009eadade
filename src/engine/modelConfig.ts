/** Shape of a Qwen2/Qwen2.5/Qwen3 decoder, in one vocabulary for both families. */
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
  /** Biases on q, k and v (Qwen2; optional in Qwen3). */
  attentionBias: boolean;
  maxPositions: number;
}
