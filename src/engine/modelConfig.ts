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
  /** Biases on q, k and v (always in Qwen2), in Qwen3 on the output projection too. */
  attentionBias: boolean;
  maxPositions: number;
  /** A critic: a value head and no language head. Its embedding is tied to a head that means nothing. */
  critic?: boolean;
}
