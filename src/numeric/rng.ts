/**
 * Counter-based random numbers: every draw is a pure function of (seed, stream, iteration,
 * trajectory, step), so no result depends on the order of draws, the batch layout or the thread
 * count.
 *
 * The mapping, in 32-bit integers only, so that a GPU kernel can reproduce it:
 *   key     = [seed mod 2^32, floor(seed / 2^32)]
 *   counter = [step, trajectory, iteration, FNV-1a of the stream's ASCII name]
 *   w[0..3] = Philox4x32-10(counter, key)
 *   uniform = ((w[0] >>> 5) * 2^26 + (w[1] >>> 6)) / 2^53
 *   (its top 24 bits are w[0] >>> 8, the uniform of a float32 kernel) A call for n numbers takes
 *   two from each step (w[0], w[1], then w[2], w[3]) from key.step onwards: give such calls their
 *   own stream.
 *
 * Source: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011 (Random123).
 */
import { cos, log, sin } from "./deterministic.ts";

export interface RandomKey {
  /** Integer, 0 .. 2^53 - 1. */
  seed: number;
  /** The purpose of the numbers, e.g. "rollout"; ASCII. */
  stream: string;
  /** Integers, 0 .. 2^32 - 1. */
  iteration: number;
  trajectory: number;
  step: number;
}

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;

/**
 * Upper 32 bits of the 64-bit product of two uint32, in exact double arithmetic on 16-bit halves.
 */
function mulHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}

/** Ten rounds of Philox4x32. counter [4], key [2] -> [4], all uint32. `out`: is filled; absent: a new one. */
export function philox4x32(
  counter: ArrayLike<number>,
  key: ArrayLike<number>,
  out = new Uint32Array(4),
): Uint32Array {
  let c0 = counter[0]!;
  let c1 = counter[1]!;
  let c2 = counter[2]!;
  let c3 = counter[3]!;
  let k0 = key[0]!;
  let k1 = key[1]!;
  for (let round = 0; round < 10; round++) {
    const high0 = mulHigh(MULTIPLIER_0, c0);
    const high1 = mulHigh(MULTIPLIER_1, c2);
    const low0 = Math.imul(MULTIPLIER_0, c0) >>> 0;
    const low1 = Math.imul(MULTIPLIER_1, c2) >>> 0;
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + WEYL_0) >>> 0;
    k1 = (k1 + WEYL_1) >>> 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
  return out; // [4]
}

/** 32-bit FNV-1a of an ASCII name. Throws RangeError on other characters. */
export function streamHash(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > 127) throw new RangeError(`stream name ${JSON.stringify(name)} is not ASCII`);
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

/** The four random words of a key. Throws RangeError if a field is out of range. [4] */
export function randomWords(key: RandomKey): Uint32Array {
  const { counter, words } = inputsOf(key);
  return philox4x32(counter, words);
}

/** What Philox computes a key's words from: counter [4], words [2]. */
function inputsOf(key: RandomKey): { counter: Uint32Array; words: Uint32Array } {
  const { seed, iteration, trajectory, step } = key;
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new RangeError(`seed ${seed} is not in 0 .. 2^53-1`);
  for (const n of [iteration, trajectory, step]) {
    if (n >>> 0 !== n)
      throw new RangeError(`counter ${n} of stream "${key.stream}" is not in 0 .. 2^32-1`);
  }
  return {
    counter: Uint32Array.of(step, trajectory, iteration, streamHash(key.stream)),
    words: Uint32Array.of(seed >>> 0, Math.floor(seed / 4294967296)),
  };
}

/** 53 random bits of two words, in [0, 1). */
function toUnit(high: number, low: number): number {
  return ((high >>> 5) * 67108864 + (low >>> 6)) / 9007199254740992;
}

/** Uniform in [0, 1) with 53 bits. */
export function uniform(key: RandomKey): number {
  const w = randomWords(key);
  return toUnit(w[0]!, w[1]!);
}

/** An integer from 0 to 2^53 - 1: the seed of all randomness in one turn. */
export function chanceOf(key: RandomKey): number {
  return uniform(key) * 9007199254740992;
}

/** Fills n numbers, two per step; `pair` turns one step's two uniforms into two numbers. [n] */
function fillPairs(
  key: RandomKey,
  n: number,
  pair: (a: number, b: number) => [number, number],
): Float64Array {
  const out = new Float64Array(n); // [n]
  const last = key.step + Math.ceil(n / 2) - 1;
  // A model's first weights are millions: the stream's name is hashed once, and the words have one array.
  const { counter, words } = inputsOf(last < 2 ** 32 ? key : { ...key, step: last });
  const w = new Uint32Array(4);
  for (let j = 0; j < n; j += 2) {
    counter[0] = key.step + j / 2;
    philox4x32(counter, words, w);
    const [a, b] = pair(toUnit(w[0]!, w[1]!), toUnit(w[2]!, w[3]!));
    out[j] = a;
    if (j + 1 < n) out[j + 1] = b;
  }
  return out;
}

/**
 * n uniforms in [0, 1); the first is `uniform(key)`. Uses steps key.step .. key.step + ceil(n/2) -
 * 1. [n]
 */
export function uniforms(key: RandomKey, n: number): Float64Array {
  return fillPairs(key, n, (a, b) => [a, b]);
}

/** n standard normals by Box and Muller; uses the same steps as `uniforms`. [n] */
export function normals(key: RandomKey, n: number): Float64Array {
  return fillPairs(key, n, (a, b) => {
    const radius = Math.sqrt(-2 * log(1 - a)); // 1 - a is in (0, 1]
    const angle = 2 * Math.PI * b;
    return [radius * cos(angle), radius * sin(angle)];
  });
}

/** One standard normal: the first of `normals`. */
export function normal(key: RandomKey): number {
  return normals(key, 1)[0]!;
}

/** A uniformly random order of 0 .. n-1 (Fisher and Yates, from the end). [n] */
export function permutation(n: number, key: RandomKey): Int32Array {
  const order = Int32Array.from({ length: n }, (_, i) => i); // [n]
  const u = uniforms(key, n); // [n]
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(u[i]! * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/**
 * The index drawn by u in [0, 1) from nonnegative weights (inverse CDF in index order; they need
 * not sum to 1). Throws RangeError if no weight is positive.
 */
export function categorical(weights: ArrayLike<number>, u: number): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i]!;
  let sum = 0;
  let last = -1;
  for (let i = 0; i < weights.length; i++) {
    if (!(weights[i]! > 0)) continue;
    sum += weights[i]!;
    last = i;
    if (u * total < sum) return i;
  }
  if (last < 0) throw new RangeError("no weight is positive");
  return last; // rounding put u * total at the very end
}
