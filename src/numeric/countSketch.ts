/**
 * Count sketch: a vector of P numbers becomes one of d, each number added with a random sign to one
 * random bucket. It is linear, and inner products keep their mean: E <Sa, Sb> = <a, b>, with a
 * variance of at most (|a|^2 |b|^2 + <a, b>^2) / d. So a squared norm has a relative error of about
 * sqrt(2 / d).
 *
 * Source: Charikar, Chen and Farach-Colton, "Finding frequent items in data streams", ICALP 2002;
 * the variance: Weinberger et al., "Feature hashing for large scale multitask learning", arXiv
 * 0902.2206.
 */
import { randomWords } from "./rng.ts";

export interface CountSketch {
  /** d. */
  readonly size: number;
  /** Adds factor times the sketch of x. x [P], out [d] */
  add(x: Float32Array, out: Float64Array, factor?: number): void;
}

/** P numbers in d buckets, drawn once from the seed; with d >= P each number has its own, and nothing is lost. */
export function countSketch(P: number, d: number, seed = 0): CountSketch {
  if (d >= P) return plain(P);
  const bucket = new Uint32Array(P); // [P]
  const sign = new Float32Array(P); // [P]
  for (let i = 0; i < P; i++) {
    const key = { seed, stream: "sketch", iteration: 0, trajectory: 0, step: i };
    const [place, side] = randomWords(key);
    bucket[i] = place! % d;
    sign[i] = side! & 1 ? 1 : -1;
  }
  return {
    size: d,
    add: (x, out, factor = 1) => {
      for (let i = 0; i < P; i++) {
        const at = bucket[i]!;
        out[at] = out[at]! + factor * sign[i]! * x[i]!;
      }
    },
  };
}

function plain(P: number): CountSketch {
  return {
    size: P,
    add: (x, out, factor = 1) => {
      for (let i = 0; i < P; i++) out[i] = out[i]! + factor * x[i]!;
    },
  };
}
