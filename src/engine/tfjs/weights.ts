/** A model's tensors under their Hugging Face names, with the transposed copies that the forward products need. */
import * as tf from "@tensorflow/tfjs-core";
import type { ValueHead, WeightMap } from "../engine.ts";
import type { ModelConfig } from "../modelConfig.ts";
import { EMBEDDING, LM_HEAD, parameterShapes } from "../parameters.ts";
import type { Matrix } from "./ops.ts";

/** Tensors by name; every one is kept until replaced. Call inside a tidy. */
export class Parameters {
  readonly shapes: Map<string, number[]>;
  readonly #stored = new Map<string, tf.Tensor>();
  readonly #transposed = new Map<string, tf.Tensor2D>();

  constructor(
    readonly config: ModelConfig,
    valueHead: ValueHead,
  ) {
    this.shapes = parameterShapes(config, valueHead);
  }

  has(name: string): boolean {
    return this.#stored.has(name);
  }

  tensor(name: string): tf.Tensor {
    const tensor = this.#stored.get(name);
    if (!tensor) throw new Error(`the model has no weight ${name}`);
    return tensor;
  }

  vector(name: string): tf.Tensor1D {
    return this.tensor(name) as tf.Tensor1D;
  }

  bias(layer: string): tf.Tensor1D | undefined {
    return this.#stored.get(`${layer}.bias`) as tf.Tensor1D | undefined;
  }

  matrix(name: string): Matrix {
    return { w: this.tensor(name) as tf.Tensor2D, wT: this.#transposed.get(name)! };
  }

  /** The language head: the embedding itself if tied. */
  head(): Matrix & { name: string } {
    const name = this.config.tieWordEmbeddings ? EMBEDDING : LM_HEAD;
    return { name, ...this.matrix(name) };
  }

  /** Adds a new tensor (kept from now on) and disposes of the old one. */
  replace(name: string, tensor: tf.Tensor): void {
    tf.dispose([this.#stored.get(name), this.#transposed.get(name)].filter((t) => t !== undefined));
    this.#stored.set(name, tf.keep(tensor));
    const usedTransposed = name !== EMBEDDING || this.config.tieWordEmbeddings;
    if (tensor.rank === 2 && usedTransposed) {
      this.#transposed.set(name, tf.keep(tf.transpose(tensor as tf.Tensor2D)));
    }
  }

  /** Uploads; absent value-head tensors become zero. Throws on other missing names and on wrong shapes. */
  write(weights: WeightMap): void {
    for (const [name, shape] of this.shapes) {
      const given = weights.get(name);
      if (!given && !name.startsWith("value_head.")) throw new Error(`weight ${name} is missing`);
      if (given && given.shape.join() !== shape.join()) {
        throw new Error(`weight ${name} is [${given.shape.join()}]; it must be [${shape.join()}]`);
      }
      // A copy, because the cpu backend would otherwise compute on the caller's array.
      const tensor = given ? tf.tensor(given.data.slice(), shape) : tf.zeros(shape);
      this.replace(name, tensor);
    }
  }

  async read(): Promise<WeightMap> {
    const weights: WeightMap = new Map();
    for (const [name, shape] of this.shapes) {
      const data = (await this.tensor(name).data<"float32">()).slice();
      weights.set(name, { shape: [...shape], data });
    }
    return weights;
  }

  dispose(): void {
    tf.dispose([...this.#stored.values(), ...this.#transposed.values()]);
    this.#stored.clear();
    this.#transposed.clear();
  }
}
