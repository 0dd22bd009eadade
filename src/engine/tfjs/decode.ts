/**
 * Sampling with a KV cache. Keys and values of all rows are in one flat buffer per layer whose
 * length has only few values; tfjs cannot write in place, so each step gathers the old rows and the
 * new into the next buffer.
 */
import * as tf from "@tensorflow/tfjs-core";
import { greatest } from "../../numeric/lists.ts";
import type { DecodeSession, GenerateRequest, GenerateResult, ValueHead } from "../engine.ts";
import type { ModelConfig } from "../modelConfig.ts";
import { checkRequest, neededTokens, rowsOf } from "../decodeRequest.ts";
import { drawToken, legalBits } from "../sample.ts";
import { cachedAttention } from "./attention.ts";
import { MASKED, type Constants } from "./constants.ts";
import type { Device } from "./device.ts";
import { lengthBucket } from "./passes.ts";
import { trunk, type Tokens } from "./trunk.ts";
import { gatherRows } from "./wasmKernels.ts";
import type { Parameters } from "./weights.ts";

interface LayerCache {
  /** [B*K*C, d] */
  k: tf.Tensor2D;
  /** [B*K*C, d] */
  v: tf.Tensor2D;
}

/** What decoding needs from a model. */
interface Decoded {
  readonly config: ModelConfig;
  readonly valueHead: ValueHead;
  readonly weights: Parameters;
  /** h [B, D] -> logits [B, V], values [B] if requested */
  readOff(h: tf.Tensor2D, value: boolean): { logits: tf.Tensor2D; value?: tf.Tensor1D };
}

export class TfjsDecodeSession implements DecodeSession {
  #cache: LayerCache[] | null = null;
  /** Current slots per row in the buffers. */
  #slots = 0;
  #disposed = false;
  /** Tokens whose keys are cached. [B] */
  readonly #cached: number[];
  /** Tokens of a row that the network has not seen yet: the last one sampled. [B][0 or 1] */
  readonly #pending: number[][];
  readonly #device: Device;
  readonly #model: Decoded;
  readonly #batch: number;
  readonly #capacity: number;

  constructor(device: Device, model: Decoded, batch: number, capacity: number) {
    this.#device = device;
    this.#model = model;
    this.#batch = batch;
    this.#capacity = capacity;
    this.#cached = new Array<number>(batch).fill(0);
    this.#pending = Array.from({ length: batch }, () => []);
  }

  get lengths(): readonly number[] {
    return this.#cached.map((n, row) => n + this.#pending[row]!.length);
  }

  async generate(request: GenerateRequest): Promise<GenerateResult> {
    if (this.#disposed) throw new Error("the session has been disposed of");
    const { config, valueHead } = this.#model;
    checkRequest(request, { vocabSize: config.vocabSize, hasValue: valueHead !== "none" });
    this.#grow(greatest([...neededTokens(request, this.lengths, this.#capacity), 1]));
    const batch = this.#batch;
    const pending = this.#pending;
    const result: GenerateResult = { ids: rowsOf(batch), logprobs: rowsOf(batch) };
    if (request.value) result.value = new Float32Array(batch).fill(NaN); // [B]
    const goesOn = (row: number) => request.continues === true && pending[row]!.length > 0;
    let active = pending
      .map((_, row) => row)
      .filter((row) => request.prompts[row]!.length > 0 || goesOn(row));
    // [B][*] new tokens of each row's next pass
    let fresh = pending.map((last, row) =>
      active.includes(row) ? [...last, ...request.prompts[row]!] : [],
    );
    // The prompts are fed even if nothing is sampled after them.
    const { maxNewTokens } = request;
    for (let step = 0; step < Math.max(1, maxNewTokens) && active.length > 0; step++) {
      const withValue = request.value === true && step === 0;
      const { logits, value } = await this.#advance(fresh, withValue);
      for (const row of active) if (value) result.value![row] = value[row]!;
      if (maxNewTokens === 0) break;
      active = active.filter((row) => this.#draw(row, logits, step, request, result));
      fresh = pending.map((last, row) => (active.includes(row) ? last : []));
    }
    return result;
  }

  /** Samples row's next token; false if the row is done. logits [B, V] */
  #draw(
    row: number,
    logits: Float32Array,
    step: number,
    request: GenerateRequest,
    result: GenerateResult,
  ): boolean {
    const V = this.#model.config.vocabSize;
    const { seed, iteration, stream, trajectory, step: first } = request.key;
    const key = { seed, iteration, stream, trajectory: trajectory[row]!, step: first[row]! + step };
    const { legal: rows, temperature, topK = 0, topP = 1 } = request;
    const ids = rows?.[row];
    const rule = { temperature, topK, topP, ...(ids && { legal: legalBits(ids, V) }) };
    const { id, logprob } = drawToken(logits.subarray(row * V, (row + 1) * V), rule, key);
    result.ids[row]!.push(id);
    result.logprobs[row]!.push(logprob);
    this.#pending[row] = [id];
    return !request.stopIds.includes(id);
  }

  /**
   * Feeds each row its new tokens and reads the outputs after the last of them. fresh [B][*],
   * logits [B, V], value [B]; numbers of rows without new tokens are meaningless.
   */
  async #advance(fresh: number[][], withValue: boolean) {
    const longest = fresh.reduce((most, ids) => Math.max(most, ids.length), 0);
    const T = longest === 1 ? 1 : lengthBucket(longest);
    const outputs = this.#device.run((k) => this.#pass(k, fresh, T, withValue));
    fresh.forEach((ids, row) => {
      this.#cached[row]! += ids.length;
      if (ids.length > 0) this.#pending[row] = [];
    });
    const logits = await outputs.logits.data<"float32">();
    const value = await outputs.value?.data<"float32">();
    tf.dispose([outputs.logits, ...(outputs.value ? [outputs.value] : [])]);
    return { logits, value };
  }

  /** One pass of T new tokens per row over the cache, which it replaces. */
  #pass(k: Constants, fresh: number[][], T: number, withValue: boolean) {
    const { config, weights } = this.#model;
    const B = this.#batch;
    const cached = this.#cached;
    const C = this.#slots;
    const mask = visibility(fresh, cached, T, C); // [B, 1, T, C]
    const source = this.#sources(fresh, T); // [B*K*C]
    const place = (old: tf.Tensor2D, heads: tf.Tensor3D) => {
      const rows = tf.reshape(heads, [-1, config.headDim]); // [B*K*T, d]
      return tf.keep(gatherRows(tf.concat([old, rows], 0), source)); // [B*K*C, d]
    };
    const asHeads = (t: tf.Tensor2D) =>
      tf.reshape(t, [B * config.kvHeads, C, config.headDim]) as tf.Tensor3D; // [B*K, C, d]
    const next: LayerCache[] = [];
    const hidden = trunk(
      k,
      config,
      weights,
      sampledTokens(fresh, cached, T),
      (layer, q, key, v) => {
        const old = this.#cache![layer]!;
        next[layer] = { k: place(old.k, key), v: place(old.v, v) };
        tf.dispose([old.k, old.v]);
        return cachedAttention(k, q, asHeads(next[layer].k), asHeads(next[layer].v), mask);
      },
    ); // [B*T, D]
    this.#cache = next;
    const last = Int32Array.from(fresh, (ids, row) => row * T + Math.max(0, ids.length - 1)); // [B]
    const h = T === 1 ? hidden : gatherRows(hidden, last); // [B, D]
    return this.#model.readOff(h, withValue);
  }

  /** For each row of the next buffers: its row in [old buffers; new rows]. [B*K*C] */
  #sources(fresh: number[][], T: number): Int32Array {
    const B = this.#batch;
    const C = this.#slots;
    const cached = this.#cached;
    const K = this.#model.config.kvHeads;
    const index = Int32Array.from({ length: B * K * C }, (_, i) => i); // [B*K*C]
    for (let z = 0; z < B * K; z++) {
      const row = Math.floor(z / K);
      for (let t = 0; t < fresh[row]!.length; t++) {
        index[z * C + cached[row]! + t] = B * K * C + z * T + t;
      }
    }
    return index;
  }

  /**
   * Grows the buffers for rows of `needed` tokens. There are few buffer lengths, and so few shapes.
   */
  #grow(needed: number): void {
    const size = Math.max(this.#slots, lengthBucket(needed));
    if (this.#cache && size === this.#slots) return;
    const { layers, kvHeads, headDim: d } = this.#model.config;
    const Z = this.#batch * kvHeads;
    const old = this.#cache;
    const extend = (t: tf.Tensor2D | undefined) => {
      if (!t) return tf.keep(tf.zeros([Z * size, d])) as tf.Tensor2D; // [Z*size, d]
      const byHead = tf.reshape(t, [Z, this.#slots, d]); // [Z, slots, d]
      const padded = tf.pad(byHead, [
        [0, 0],
        [0, size - this.#slots],
        [0, 0],
      ]); // [Z, size, d]
      return tf.keep(tf.reshape(padded, [Z * size, d])) as tf.Tensor2D; // [Z*size, d]
    };
    this.#cache = this.#device.run(
      () =>
        Array.from({ length: layers }, (_, layer) => ({
          k: extend(old?.[layer]?.k),
          v: extend(old?.[layer]?.v),
        })) as unknown as tf.TensorContainer,
    ) as unknown as LayerCache[];
    this.#free(old);
    this.#slots = size;
  }

  clear(): void {
    // Stale slots need no clearing: the mask hides everything beyond a row's length.
    this.#cached.fill(0);
    for (let row = 0; row < this.#batch; row++) this.#pending[row] = [];
  }

  #free(cache: LayerCache[] | null): void {
    for (const { k, v } of cache ?? []) tf.dispose([k, v]);
  }

  dispose(): void {
    this.#disposed = true;
    this.#free(this.#cache);
    this.#cache = null;
    this.#slots = 0;
    this.clear();
  }
}

/** New tokens as padded rows; a token's position is its index in the cache. */
function sampledTokens(fresh: number[][], cached: number[], T: number): Tokens {
  const ids = new Int32Array(fresh.length * T); // [B*T]
  const positions = new Int32Array(fresh.length * T); // [B*T]
  fresh.forEach((tokens, row) => {
    tokens.forEach((id, t) => {
      ids[row * T + t] = id;
      positions[row * T + t] = cached[row]! + t;
    });
  });
  return { N: fresh.length, ids, positions };
}

/** Additive mask: new token t of a row sees the slots up to its own. [B, 1, T, C] */
function visibility(fresh: number[][], cached: number[], T: number, C: number): tf.Tensor4D {
  const mask = new Float32Array(fresh.length * T * C); // [B, T, C]
  for (let row = 0; row < fresh.length; row++) {
    for (let t = 0; t < T; t++) {
      const line = (row * T + t) * C;
      mask.fill(MASKED, line + Math.min(C, cached[row]! + t + 1), line + C);
    }
  }
  return tf.tensor4d(mask, [fresh.length, 1, T, C]);
}
