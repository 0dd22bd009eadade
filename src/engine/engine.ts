/**
 * The engine: four verbs on a model (forward, backward, update, generate) and nothing about RL.
 *
 * Shapes: B rows of L tokens; V vocabulary. All host arrays are row-major typed arrays.
 * A row may hold several segments (turn context): a token attends to earlier tokens of the same segment only.
 */
import type { Promised } from "../spec/reproducible.ts";
import type { ModelConfig } from "./modelConfig.ts";

/** Token rows as the network sees them. Padding may be anywhere and has segment -1. */
export interface TokenRows {
  B: number;
  L: number;
  /** [B, L] */
  ids: Int32Array;
  /** RoPE position of each token; restarts with each segment in turn context. [B, L] */
  position: Int32Array;
  /** Segment of each token, -1 for padding. [B, L] */
  segment: Int32Array;
  /** Token whose log-prob is requested at each position, if it is not the one in `ids`. [B, L] */
  labels?: Int32Array;
}

/** Which value head a model has, and whether its gradient flows into the trunk. */
export type ValueHead = "none" | "detached" | "shared";

/** Named tensors in Hugging Face's names and layouts, e.g. `model.layers.0.self_attn.q_proj.weight` [out, in]. */
export type WeightMap = Map<string, { shape: number[]; data: Float32Array }>;

/** Some of a tensor's numbers. */
export interface WeightPiece {
  /** As in a WeightMap. */
  name: string;
  /** Index of the first number within the tensor. */
  at: number;
  /** Overwritten once the next piece is asked for. */
  data: Float32Array;
}

export interface ForwardRequest {
  rows: TokenRows;
  /** Tokens whose results are needed (nonzero), e.g. responses and state-ends; others stay 0. Default all. [B, L] */
  mask?: Uint8Array;
  /** Logits are divided by this before log-prob and entropy, as when sampling. */
  temperature: number;
  entropy?: boolean;
  value?: boolean;
  /** Model for the full-vocabulary KL(ref || this) per token. */
  kl?: EngineModel;
  /** Raw logits of every position (tests and the `logits` command). */
  logits?: boolean;
}

/**
 * Per-token results, each aligned to its own token (the shift is done inside the engine). At the
 * first token of a segment and at padding, logprob, entropy and kl are 0: nothing predicts it.
 */
export interface ForwardResult {
  /** log pi(ids[b,t] | segment before t). [B, L] */
  logprob: Float32Array;
  /** Entropy of the distribution that token t was sampled from. [B, L] */
  entropy?: Float32Array;
  /** Raw value-head output at position t: V of the prefix up to and including t. [B, L] */
  value?: Float32Array;
  /** KL(ref || this) of the distribution that token t was sampled from. [B, L] */
  kl?: Float32Array;
  /** Raw logits (no temperature) that position t produces for its successor. [B, L, V] */
  logits?: Float32Array;
}

/** Gradients of the loss with respect to each forward output; absent means zero. All [B, L], aligned as there. */
export interface BackwardRequest {
  rows: TokenRows;
  temperature: number;
  dLogprob?: Float32Array;
  dEntropy?: Float32Array;
  dValue?: Float32Array;
  dKl?: Float32Array;
  /** The reference of dKl. */
  kl?: EngineModel;
}

/** Parameters belong to the trunk (embeddings, layers, final norm, language head; if there are adapters, these alone are trained) or to the value head. */
export type ParameterGroup = "trunk" | "valueHead";

export interface UpdateRequest {
  /** Learning rate per group; a group that is absent or 0 is not updated (nor its moments). */
  lr: Partial<Record<ParameterGroup, number>>;
  beta1: number;
  beta2: number;
  eps: number;
  /** Decoupled weight decay (AdamW), applied to every parameter of the updated groups. */
  weightDecay: number;
}

/** Counter-based key of one draw; see numeric/rng. */
export interface SampleKey {
  seed: number;
  iteration: number;
  /** One per row. [B] */
  trajectory: number[];
  /** Index of the first new token within its trajectory, per row; later tokens count up. [B] */
  step: number[];
  /** Stream name, e.g. "rollout" or "eval". */
  stream: string;
}

export interface GenerateRequest {
  /** Tokens to append to each row before sampling; an empty list leaves the row idle, unless it `continues`. [B][*] */
  prompts: number[][];
  /** Rows that hold a sampled token and have an empty prompt go on after it. Absent: they are idle. */
  continues?: boolean;
  maxNewTokens: number;
  stopIds: number[];
  /** 0 means greedy. */
  temperature: number;
  /** Sample among the k most likely; absent or 0 means all. */
  topK?: number;
  /** Nucleus; absent or 1 means all. */
  topP?: number;
  /** Ids that each row may sample, before top-k and nucleus; null: all, as for all rows if absent. [B][*] */
  legal?: readonly (readonly number[] | null)[];
  key: SampleKey;
  /** Also return V at the last prompt token of each row (the state-end). */
  value?: boolean;
}

export interface GenerateResult {
  /** Sampled ids, including the stop token. [B][*] */
  ids: number[][];
  /** Log-prob of each under the sampling temperature (full vocabulary). [B][*] */
  logprobs: number[][];
  /** V at the state-end, NaN for idle rows. [B] */
  value?: Float32Array;
}

/** A KV cache over B rows of a fixed capacity. */
export interface DecodeSession {
  /**
   * Appends the prompts and samples after them. Throws RangeError if a row would exceed the
   * capacity, and NotFiniteError if the logits are not finite.
   */
  generate(request: GenerateRequest): Promise<GenerateResult>;
  /** Clears every row (turn context). Positions restart at 0. */
  clear(): void;
  /** Number of tokens in each row, including sampled ones. [B] */
  readonly lengths: readonly number[];
  dispose(): void;
}

/** Optimiser state under the names of the trained weights: first and second moments and the step count of each group. */
export interface OptimizerState {
  step: Record<ParameterGroup, number>;
  m: WeightMap;
  v: WeightMap;
}

export interface EngineModel {
  readonly config: ModelConfig;
  readonly valueHead: ValueHead;
  /** Whether a row has the same bits beside any other rows; absent: not. */
  readonly rowsApart?: boolean;
  /** Whether its weights are another model's, which must outlive its use: it only reads them. Absent: not. */
  readonly sharesWeights?: boolean;
  /**
   * A model with adapters as it is without them, in the same memory: the frozen weights alone, for
   * reading. Absent: the engine has no adapters.
   * @throws Error if the model has none
   */
  withoutAdapters?(): EngineModel;
  forward(request: ForwardRequest): Promise<ForwardResult>;
  /** Adds to the accumulated gradients. */
  backward(request: BackwardRequest): Promise<void>;
  /** Global L2 norm of the accumulated gradients of the given groups (default: all). */
  gradNorm(groups?: ParameterGroup[]): Promise<number>;
  /** Multiplies the accumulated gradients of the given groups. */
  scaleGrads(factor: number, groups?: ParameterGroup[]): void;
  /** The accumulated gradients of what is trained, by weight name. */
  readGrads(): Promise<WeightMap>;
  /** One AdamW step with the accumulated gradients, which are then cleared (all groups). */
  update(request: UpdateRequest): Promise<void>;
  zeroGrads(): void;
  /** Opens a KV cache for `batch` rows of up to `capacity` tokens. */
  decode(batch: number, capacity: number): DecodeSession;
  /** `trained`: those alone that are trained. Absent: all. */
  readWeights(which?: "trained"): Promise<WeightMap>;
  /** All weights, or all of those that are trained; the frozen ones then stay. */
  writeWeights(weights: WeightMap): Promise<void>;
  readOptimizer(): Promise<OptimizerState>;
  writeOptimizer(state: OptimizerState): Promise<void>;
  dispose(): void;
}

export type EngineName = "tfjs" | "webgpu" | "wasm";

/** An engine's description; shown on screen and in the run's first event. */
export interface EngineInfo {
  engine: EngineName;
  backend: "cpu" | "wasm" | "webgpu";
  /** Adapter or instruction set, in words. */
  adapter: string;
  /** Threads that share the work, in words. Results do not depend on it, and a run does not record it. */
  workers?: string;
  /** Whether the same spec gives bit-identical numbers. */
  reproducible: Promised;
}

export interface EngineMemory {
  tensors: number;
  bytes: number;
  /** Bytes held by the backend's buffer pool, including free ones (0 without a pool). */
  poolBytes: number;
}

/** What a model that is not trained is read for. */
export type ReadingUse = "logits" | "text";

export interface Engine {
  readonly info: EngineInfo;
  createModel(config: ModelConfig, weights: WeightMap, valueHead: ValueHead): Promise<EngineModel>;
  /**
   * As createModel, from weights that are never in JavaScript's memory as a whole. Nothing is left
   * of a model whose pieces end in an error. Absent: the engine needs them at once.
   */
  streamModel?(
    config: ModelConfig,
    pieces: AsyncIterable<WeightPiece>,
    valueHead: ValueHead,
  ): Promise<EngineModel>;
  /**
   * Bytes, by part, of a model and of one forward pass with raw logits of this many tokens; or, with `use` "text", of sampling
   * and scoring one row of so many.
   * @throws EngineError "out-of-memory" with what would fit.
   */
  memoryPlan?(
    config: ModelConfig,
    valueHead: ValueHead,
    tokens: number,
    use?: ReadingUse,
  ): Record<string, number>;
  memory(): EngineMemory;
  /** Kernels dispatched to the GPU since the engine was created; absent without a GPU. */
  dispatches?(): number;
  /**
   * Single kernels on synthetic numbers, by kernel and array: one of each variant that the presets'
   * models use. Absent for an engine that runs the same program everywhere, and for a software
   * adapter, where compiling them all takes minutes. `answered` is called for each kernel that has
   * answered.
   */
  checkKernels?(answered: () => void): Promise<Map<string, KernelNumbers>>;
  /** How fast the device is, which determines how work is split; absent if it is not split. */
  readonly pace?: EnginePace;
  dispose(): void;
}

export interface EnginePace {
  /** FLOPs per millisecond; null until measured. */
  readonly shown: number | null;
  /** An earlier measurement: used until there is a new one. */
  expect(speed: number): void;
}

/** A kernel's result in an array, and the expected one. */
export interface KernelNumbers {
  actual: Float32Array;
  expected: Float32Array;
}
