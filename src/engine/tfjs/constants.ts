/**
 * Constant tensors, kept as long as the engine. A number passed to a tfjs op is uploaded each time
 * (on webgpu through a fresh staging buffer), so every constant of the hot path is here.
 */
import * as tf from "@tensorflow/tfjs-core";
import { cos, exp, log, sin } from "../../numeric/deterministic.ts";

/** Finite, so that a row that attends to nothing does not become NaN. */
export const MASKED = -1e9;

interface RopeTables {
  /** Positions covered. */
  count: number;
  /** [count, headDim] */
  cos: tf.Tensor2D;
  /** [count, headDim] */
  sin: tf.Tensor2D;
}

export class Constants {
  readonly #kept = new Map<string, tf.Tensor>();
  readonly #rope = new Map<string, RopeTables>();

  #keep<T extends tf.Tensor>(name: string, make: () => T): T {
    let tensor = this.#kept.get(name);
    if (!tensor) {
      tensor = tf.keep(make());
      this.#kept.set(name, tensor);
    }
    return tensor as T;
  }

  scalar(value: number): tf.Scalar {
    return this.#keep(`scalar ${value}`, () => tf.scalar(value, "float32"));
  }

  zeros(shape: [number, number]): tf.Tensor2D {
    return this.#keep(`zeros ${shape.join()}`, () => tf.zeros(shape));
  }

  /** Additive causal mask, repeated for the G query heads that share a KV head. [G*T, T] */
  causalMask(G: number, T: number): tf.Tensor2D {
    return this.#keep(`causal ${G} ${T}`, () => {
      const mask = new Float32Array(G * T * T); // [G*T, T]
      for (let row = 0; row < G * T; row++)
        mask.fill(MASKED, row * T + (row % T) + 1, (row + 1) * T);
      return tf.tensor2d(mask, [G * T, T]);
    });
  }

  /** x R = rotate_half(x) = [-x2, x1]: one product instead of two slices and a concat. [d, d] */
  rotation(d: number): tf.Tensor2D {
    return this.#keep(`rotation ${d}`, () => {
      const half = d / 2;
      const matrix = new Float32Array(d * d); // [d, d]
      for (let i = 0; i < half; i++) {
        matrix[(i + half) * d + i] = -1;
        matrix[i * d + i + half] = 1;
      }
      return tf.tensor2d(matrix, [d, d]);
    });
  }

  /** Tables for at least `count` positions; they grow by doubling. */
  ropeTables(theta: number, d: number, count: number): RopeTables {
    const name = `${theta} ${d}`;
    const known = this.#rope.get(name);
    if (known && known.count >= count) return known;
    const size = Math.max(256, 2 ** Math.ceil(Math.log2(count)));
    const { cosines, sines } = madeAngles(theta, d, size);
    tf.dispose(known ? [known.cos, known.sin] : []);
    const tables = {
      count: size,
      cos: tf.keep(tf.tensor2d(cosines, [size, d])),
      sin: tf.keep(tf.tensor2d(sines, [size, d])),
    };
    this.#rope.set(name, tables);
    return tables;
  }

  dispose(): void {
    tf.dispose([...this.#kept.values()]);
    for (const tables of this.#rope.values()) tf.dispose([tables.cos, tables.sin]);
    this.#kept.clear();
    this.#rope.clear();
  }
}

/** Both halves of a head rotate by the same angle, position * theta^(-2i/d). In float64, then float32. [count, d] */
function madeAngles(theta: number, d: number, count: number) {
  const half = d / 2;
  const cosines = new Float32Array(count * d); // [count, d]
  const sines = new Float32Array(count * d); // [count, d]
  for (let i = 0; i < half; i++) {
    const frequency = exp((-2 * i * log(theta)) / d);
    for (let position = 0; position < count; position++) {
      const at = position * d + i;
      cosines[at] = cosines[at + half] = cos(position * frequency);
      sines[at] = sines[at + half] = sin(position * frequency);
    }
  }
  return { cosines, sines };
}
