/** A model on tfjs: plans passes over token rows, runs them sequentially, gathers results on the host. */
import * as tf from "@tensorflow/tfjs-core";
import type {
  BackwardRequest,
  DecodeSession,
  EngineModel,
  ForwardRequest,
  ForwardResult,
  OptimizerState,
  ParameterGroup,
  UpdateRequest,
  ValueHead,
  WeightMap,
} from "../engine.ts";
import { checkTokenRows } from "../checkRows.ts";
import type { ModelConfig } from "../modelConfig.ts";
import { VALUE_BIAS, VALUE_WEIGHT } from "../parameters.ts";
import { causalAttention } from "./attention.ts";
import type { Constants } from "./constants.ts";
import { TfjsDecodeSession } from "./decode.ts";
import type { Device } from "./device.ts";
import {
  policyEntry,
  policyOutputs,
  valueEntry,
  values,
  type PolicyGradients,
  type PolicyRequest,
} from "./heads.ts";
import { add } from "./ops.ts";
import { Optimizer } from "./optimizer.ts";
import {
  planPaddedPasses,
  selectPaddedTargets,
  type PaddedPass,
  type PaddedTargets,
} from "./passes.ts";
import { trunk } from "./trunk.ts";
import { gatherRows } from "./wasmKernels.ts";
import { Parameters } from "./weights.ts";

/** Tokens per pass: enough to fill the matrix products, few enough that activations stay small. */
const TOKENS_PER_PASS = 2048;
/** Logits per pass, for large vocabularies (64 MiB). */
const LOGITS_PER_PASS = 1 << 24;

/** A part of the scalar that backward differentiates, given the hidden states [N*T, D]. */
type LossPart = (hidden: tf.Tensor2D) => tf.Scalar;

export class TfjsModel implements EngineModel {
  /** Null once disposed of. */
  #living: { weights: Parameters; optimizer: Optimizer } | null;
  readonly #maxTokens: number;
  readonly #device: Device;

  constructor(
    device: Device,
    readonly config: ModelConfig,
    readonly valueHead: ValueHead,
    weights: WeightMap,
  ) {
    this.#device = device;
    const parameters = new Parameters(config, valueHead);
    this.#device.run(() => parameters.write(weights));
    this.#living = { weights: parameters, optimizer: new Optimizer(device.constants, parameters) };
    this.#maxTokens = Math.min(TOKENS_PER_PASS, Math.ceil(LOGITS_PER_PASS / config.vocabSize));
  }

  get #alive() {
    if (!this.#living) throw new Error("the model has been disposed of");
    return this.#living;
  }

  get weights(): Parameters {
    return this.#alive.weights;
  }

  get #optimizer(): Optimizer {
    return this.#alive.optimizer;
  }

  /** Final hidden states of a pass. [N*T, D] */
  hidden(k: Constants, pass: PaddedPass): tf.Tensor2D {
    return trunk(k, this.config, this.weights, pass, (_layer, q, key, v) =>
      causalAttention(k, q, key, v),
    );
  }

  async forward(request: ForwardRequest): Promise<ForwardResult> {
    const { rows, mask } = request;
    const result = emptyResult(request, this.config.vocabSize);
    const wanted = (i: number) => !mask || mask[i] !== 0;
    void this.#alive;
    checkTokenRows(rows, this.config.vocabSize, wanted);
    for (const pass of planPaddedPasses(rows, wanted, this.#maxTokens)) {
      const targets = selectPaddedTargets(pass, rows.labels ?? rows.ids, wanted);
      const outputs = this.#device.run((k) => this.#passOutputs(k, request, pass, targets));
      await collect(result, outputs, request, pass, targets, wanted);
      tf.dispose(Object.values(outputs));
    }
    return result;
  }

  #passOutputs(
    k: Constants,
    request: ForwardRequest,
    pass: PaddedPass,
    targets: PaddedTargets,
  ): Record<string, tf.Tensor> {
    const hidden = this.hidden(k, pass); // [N*T, D]
    const outputs: Record<string, tf.Tensor> = {};
    if (targets.count > 0) {
      const h = gatherRows(hidden, targets.row); // [M, D]
      const policy = { ...this.#policyRequest(k, request, pass, targets), h };
      outputs["policy"] = policyOutputs(k, policy, request.entropy ?? false); // [1 to 3, M]
    }
    if (request.value) {
      const { matrix, bias } = this.#valueWeights();
      outputs["value"] = values(hidden, matrix, bias); // [N*T]
    }
    if (request.logits) outputs["logits"] = tf.matMul(hidden, this.weights.head().wT); // [N*T, V]
    return outputs;
  }

  /** The policy head's inputs besides this model's hidden states. */
  #policyRequest(
    k: Constants,
    { temperature, kl }: ForwardRequest | BackwardRequest,
    pass: PaddedPass,
    targets: PaddedTargets,
  ): Omit<PolicyRequest, "h"> {
    const base = {
      head: this.weights.head(),
      labels: tf.tensor1d(targets.label, "int32"),
      temperature,
    };
    if (!kl) return base;
    if (!(kl instanceof TfjsModel)) throw new Error("the reference model is of another engine");
    const all = kl.hidden(k, pass); // [N*T, D of the reference]
    const h = gatherRows(all, targets.row); // [M, D of the reference]
    return { ...base, reference: { h, head: kl.weights.head() } };
  }

  #valueWeights() {
    if (this.valueHead === "none") throw new Error("the model has no value head");
    return {
      matrix: this.weights.matrix(VALUE_WEIGHT),
      bias: this.weights.vector(VALUE_BIAS),
    };
  }

  async backward(request: BackwardRequest): Promise<void> {
    const { rows, dLogprob, dEntropy, dKl, dValue } = request;
    const policy = (i: number) => Boolean(dLogprob?.[i] || dEntropy?.[i] || dKl?.[i]);
    const wanted = (i: number) => policy(i) || Boolean(dValue?.[i]);
    void this.#alive;
    checkTokenRows(rows, this.config.vocabSize, policy);
    for (const pass of planPaddedPasses(rows, wanted, this.#maxTokens)) {
      const targets = selectPaddedTargets(pass, rows.labels ?? rows.ids, policy);
      this.#device.run((k) => this.#accumulatePass(k, request, pass, targets));
    }
  }

  #accumulatePass(
    k: Constants,
    request: BackwardRequest,
    pass: PaddedPass,
    targets: PaddedTargets,
  ): void {
    const withValue = pass.source.some((i) => i >= 0 && Boolean(request.dValue?.[i]));
    // Everything an entry uses is created here: tensors created under the tape are freed before its
    // gradients run.
    const policy = targets.count > 0 ? this.#policyPart(k, request, pass, targets) : null;
    const value = withValue ? this.#valuePart(k, request, pass) : null;
    const throughTrunk = policy !== null || this.valueHead === "shared";
    const outside = throughTrunk ? null : this.hidden(k, pass); // [N*T, D]
    const loss = () => {
      const hidden = outside ?? this.hidden(k, pass); // [N*T, D]
      const parts = [policy?.(hidden), value?.(hidden)].filter((part) => part !== undefined);
      return parts.length > 1 ? add(parts[0]!, parts[1]!) : parts[0]!;
    };
    this.#optimizer.accumulate(this.#gradients(loss));
  }

  /** Gradients of a scalar by weight name; weights it does not reach are absent. */
  #gradients(loss: () => tf.Scalar): Map<string, tf.Tensor> {
    const names = [...this.weights.shapes.keys()];
    const xs = names.map((name) => this.weights.tensor(name));
    const { grads } = tf.engine().gradients(loss, xs, undefined, true);
    return new Map(names.flatMap((name, i) => (grads[i] ? [[name, grads[i]]] : [])));
  }

  #policyPart(
    k: Constants,
    request: BackwardRequest,
    pass: PaddedPass,
    targets: PaddedTargets,
  ): LossPart {
    const place = new Int32Array(pass.source.length).fill(targets.M); // [N*T]
    for (let i = 0; i < targets.count; i++) place[targets.row[i]!] = i;
    const policy = this.#policyRequest(k, request, pass, targets);
    const incoming = incomingGradients(request, targets);
    return (hidden) => policyEntry(k, hidden, targets.row, place, policy, incoming);
  }

  #valuePart(k: Constants, request: BackwardRequest, pass: PaddedPass): LossPart {
    const { matrix, bias } = this.#valueWeights();
    const dValue = Float32Array.from(pass.source, (i) => (i < 0 ? 0 : request.dValue![i]!)); // [N*T]
    const column = tf.tensor2d(dValue, [dValue.length, 1]); // [N*T, 1]
    const shared = this.valueHead === "shared";
    return (hidden) => valueEntry(k, hidden, matrix, bias, column, shared);
  }

  async gradNorm(groups?: ParameterGroup[]): Promise<number> {
    return this.#optimizer.gradNorm(groups);
  }

  scaleGrads(factor: number, groups?: ParameterGroup[]): void {
    this.#device.run(() => this.#optimizer.scale(factor, groups));
  }

  async readGrads(): Promise<WeightMap> {
    return this.#optimizer.readGrads();
  }

  async update(request: UpdateRequest): Promise<void> {
    this.#device.run(() => this.#optimizer.update(request));
  }

  zeroGrads(): void {
    this.#optimizer.zero();
  }

  decode(batch: number, capacity: number): DecodeSession {
    void this.#alive;
    return new TfjsDecodeSession(this.#device, this, batch, capacity);
  }

  /** Next-token logits and values of hidden states, for decoding. h [B, D] -> logits [B, V], values [B] */
  readOff(h: tf.Tensor2D, value: boolean): { logits: tf.Tensor2D; value?: tf.Tensor1D } {
    const logits = tf.matMul(h, this.weights.head().wT) as tf.Tensor2D; // [B, V]
    if (!value) return { logits };
    const { matrix, bias } = this.#valueWeights();
    return { logits, value: values(h, matrix, bias) };
  }

  async readWeights(): Promise<WeightMap> {
    return this.weights.read();
  }

  async writeWeights(weights: WeightMap): Promise<void> {
    this.#device.run(() => this.weights.write(weights));
  }

  async readOptimizer(): Promise<OptimizerState> {
    return this.#optimizer.read();
  }

  async writeOptimizer(state: OptimizerState): Promise<void> {
    this.#device.run(() => this.#optimizer.write(state));
  }

  dispose(): void {
    this.#living?.optimizer.dispose();
    this.#living?.weights.dispose();
    this.#living = null;
  }
}

/** The targets' gradients as columns, without absent ones. */
function incomingGradients(
  { dLogprob, dEntropy, dKl }: BackwardRequest,
  { M, index }: PaddedTargets,
): PolicyGradients {
  const column = (from: Float32Array) => {
    const data = new Float32Array(M); // [M, 1]; padding stays 0
    index.forEach((at, i) => (data[i] = from[at]!));
    return tf.tensor2d(data, [M, 1]);
  };
  return {
    dLogprob: dLogprob ? column(dLogprob) : tf.zeros([M, 1]),
    ...(dEntropy && { dEntropy: column(dEntropy) }),
    ...(dKl && { dKl: column(dKl) }),
  };
}

function emptyResult(
  { rows, entropy, value, kl, logits }: ForwardRequest,
  V: number,
): ForwardResult {
  const size = rows.B * rows.L;
  const result: ForwardResult = { logprob: new Float32Array(size) }; // [B, L]
  if (entropy) result.entropy = new Float32Array(size); // [B, L]
  if (value) result.value = new Float32Array(size); // [B, L]
  if (kl) result.kl = new Float32Array(size); // [B, L]
  if (logits) result.logits = new Float32Array(size * V); // [B, L, V]
  return result;
}

/** Reads one pass's outputs and copies them to their tokens' positions in the rows. */
async function collect(
  result: ForwardResult,
  outputs: Record<string, tf.Tensor>,
  request: ForwardRequest,
  { source }: PaddedPass,
  { M, index }: PaddedTargets,
  wanted: (index: number) => boolean,
): Promise<void> {
  const read = async (name: string) => (await outputs[name]?.data<"float32">()) ?? null;
  const [policy, value, logits] = [await read("policy"), await read("value"), await read("logits")];
  if (policy) {
    const into = [
      result.logprob,
      ...(request.entropy ? [result.entropy!] : []),
      ...(request.kl ? [result.kl!] : []),
    ];
    into.forEach((to, row) => index.forEach((at, i) => (to[at] = policy[row * M + i]!)));
  }
  source.forEach((at, slot) => {
    if (value && at >= 0 && wanted(at)) result.value![at] = value[slot]!;
  });
  if (logits) {
    const V = logits.length / source.length;
    source.forEach((at, slot) => {
      if (at >= 0 && wanted(at))
        result.logits!.set(logits.subarray(slot * V, (slot + 1) * V), at * V);
    });
  }
}
