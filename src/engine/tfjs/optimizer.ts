/**
 * Accumulated gradients and AdamW. Parameters of a group are concatenated in few flat blocks, so
 * that a step costs a dozen ops instead of a dozen per weight.
 */
import * as tf from "@tensorflow/tfjs-core";
import { powInt } from "../../numeric/deterministic.ts";
import type { OptimizerState, ParameterGroup, UpdateRequest, WeightMap } from "../engine.ts";
import { groupOf } from "../parameters.ts";
import type { Constants } from "./constants.ts";
import { piece } from "./wasmKernels.ts";
import type { Parameters } from "./weights.ts";
import { GROUPS } from "../plan/plans.ts";

/** 64 MiB of float32: below every WebGPU limit on a buffer. */
const BLOCK_LIMIT = 1 << 24;

interface ParameterPiece {
  name: string;
  shape: number[];
  offset: number;
  size: number;
}

/** A block of parameters with their flat gradient (null: zero) and moments, each [size]. */
interface GroupState {
  group: ParameterGroup;
  pieces: ParameterPiece[];
  size: number;
  grad: tf.Tensor1D | null;
  m: tf.Tensor1D | null;
  v: tf.Tensor1D | null;
}

export class Optimizer {
  readonly #blocks: GroupState[] = [];
  #step: Record<ParameterGroup, number> = { trunk: 0, valueHead: 0 };
  readonly #k: Constants;
  readonly #weights: Parameters;

  constructor(k: Constants, weights: Parameters) {
    this.#k = k;
    this.#weights = weights;
    for (const [name, shape] of weights.shapes) this.#place(name, shape);
  }

  #place(name: string, shape: number[]): void {
    const size = shape.reduce((a, b) => a * b, 1);
    const group = groupOf(name);
    let block = this.#blocks.at(-1);
    if (!block || block.group !== group || block.size + size > BLOCK_LIMIT) {
      block = { group, pieces: [], size: 0, grad: null, m: null, v: null };
      this.#blocks.push(block);
    }
    block.pieces.push({ name, shape, offset: block.size, size });
    block.size += size;
  }

  #of(groups = GROUPS): GroupState[] {
    return this.#blocks.filter((block) => groups.includes(block.group));
  }

  /** Adds gradients by name; absent names count as zero. Call inside a tidy. */
  accumulate(grads: Map<string, tf.Tensor>): void {
    for (const block of this.#blocks) {
      if (!block.pieces.some(({ name }) => grads.has(name))) continue;
      const flat = this.#flatten(block, (name) => grads.get(name)); // [size]
      const sum = block.grad ? (tf.add(block.grad, flat) as tf.Tensor1D) : flat; // [size]
      set(block, "grad", sum);
    }
  }

  #flatten(block: GroupState, find: (name: string) => tf.Tensor | undefined): tf.Tensor1D {
    const parts = block.pieces.map(({ name, size }) =>
      tf.reshape(find(name) ?? this.#k.zeros([1, size]), [size]),
    );
    return parts.length > 1 ? (tf.concat(parts) as tf.Tensor1D) : (parts[0] as tf.Tensor1D); // [size]
  }

  /** Summed on the host in float64 and index order: the same bits wherever the gradients are. */
  async gradNorm(groups?: ParameterGroup[]): Promise<number> {
    let sum = 0;
    for (const { grad } of this.#of(groups)) {
      if (!grad) continue;
      for (const g of await grad.data<"float32">()) sum += g * g;
    }
    return Math.sqrt(sum);
  }

  /** Call inside a tidy. */
  scale(factor: number, groups?: ParameterGroup[]): void {
    for (const block of this.#of(groups)) {
      if (block.grad) set(block, "grad", tf.mul(block.grad, tf.scalar(factor)) as tf.Tensor1D);
    }
  }

  zero(): void {
    for (const block of this.#blocks) set(block, "grad", null);
  }

  readGrads(): Promise<WeightMap> {
    return this.#readFlat((block) => block.grad);
  }

  /** One step of torch.optim.AdamW on every group with a learning rate; clears all gradients. Call inside a tidy. */
  update(request: UpdateRequest): void {
    for (const group of GROUPS) {
      const lr = request.lr[group] ?? 0;
      if (lr === 0) continue;
      this.#step[group]++;
      for (const block of this.#of([group])) this.#updateBlock(block, lr, request);
    }
    this.zero();
  }

  #updateBlock(block: GroupState, lr: number, request: UpdateRequest): void {
    const { beta1, beta2, eps, weightDecay } = request;
    const t = this.#step[block.group];
    const stepSize = tf.scalar(lr / (1 - powInt(beta1, t)));
    const vScale = tf.scalar(1 / Math.sqrt(1 - powInt(beta2, t)));
    const decay = tf.scalar(1 - lr * weightDecay);
    const [b1, b2, e] = [beta1, beta2, eps].map((x) => this.#k.scalar(x));
    const [a1, a2] = [1 - beta1, 1 - beta2].map((x) => this.#k.scalar(x));
    const zero = tf.reshape(this.#k.zeros([1, block.size]), [block.size]); // [size]
    const g = block.grad ?? zero; // [size]
    const m = tf.add(tf.mul(block.m ?? zero, b1!), tf.mul(g, a1!)) as tf.Tensor1D; // [size]
    const v = tf.add(tf.mul(block.v ?? zero, b2!), tf.mul(tf.square(g), a2!)) as tf.Tensor1D; // [size]
    const denominator = tf.add(tf.mul(tf.sqrt(v), vScale), e!); // [size]
    const p = tf.mul(
      this.#flatten(block, (name) => this.#weights.tensor(name)),
      decay,
    ); // [size]
    const next = tf.sub(p, tf.mul(tf.div(m, denominator), stepSize)) as tf.Tensor1D; // [size]
    set(block, "m", m);
    set(block, "v", v);
    for (const { name, shape, offset, size } of block.pieces) {
      this.#weights.replace(name, tf.reshape(piece(next, offset, size), shape));
    }
  }

  async read(): Promise<OptimizerState> {
    const m = await this.#readFlat((block) => block.m);
    const v = await this.#readFlat((block) => block.v);
    return { step: { ...this.#step }, m, v };
  }

  /** Call inside a tidy. */
  write(state: OptimizerState): void {
    this.#step = { ...state.step };
    for (const block of this.#blocks) {
      set(block, "m", upload(block, state.m));
      set(block, "v", upload(block, state.v));
    }
  }

  async #readFlat(pick: (block: GroupState) => tf.Tensor1D | null): Promise<WeightMap> {
    const result: WeightMap = new Map();
    for (const block of this.#blocks) {
      const tensor = pick(block);
      const flat = tensor ? await tensor.data<"float32">() : new Float32Array(block.size); // [size]
      for (const { name, shape, offset, size } of block.pieces) {
        result.set(name, { shape: [...shape], data: flat.slice(offset, offset + size) });
      }
    }
    return result;
  }

  dispose(): void {
    for (const block of this.#blocks)
      for (const key of ["grad", "m", "v"] as const) set(block, key, null);
  }
}

function upload(block: GroupState, from: WeightMap): tf.Tensor1D {
  const flat = new Float32Array(block.size); // [size]
  for (const { name, offset, size } of block.pieces) {
    const data = from.get(name)?.data;
    if (data?.length !== size)
      throw new Error(`optimiser state of ${name} is missing or has the wrong size`);
    flat.set(data, offset);
  }
  return tf.tensor1d(flat);
}

/** Keeps the new tensor and disposes of the old one. */
function set(block: GroupState, key: "grad" | "m" | "v", tensor: tf.Tensor1D | null): void {
  block[key]?.dispose();
  block[key] = tensor && tf.keep(tensor);
}
