/**
 * The part of CPython's `random` module that RAGEN's level generator uses, bit for bit (CPython
 * `Lib/random.py`).
 */
import { twisterFromArray } from "./mt19937.ts";

export interface PythonRandom {
  /** In [0, 1), 53 bits. */
  random(): number;
  /** Whole number in 0..n-1. */
  below(n: number): number;
  /** `random.choice(list)`, and `random.sample(list, 1)[0]`, which draws the same. */
  choice<T>(list: readonly T[]): T;
}

/** `random.seed(seed)` for a seed below 2^32. */
export function pythonRandom(seed: number): PythonRandom {
  const draw = twisterFromArray([seed]);
  const below = (n: number) => {
    const bits = 32 - Math.clz32(n);
    let value = draw() >>> (32 - bits);
    while (value >= n) value = draw() >>> (32 - bits);
    return value;
  };
  const random = () => {
    const a = draw() >>> 5;
    const b = draw() >>> 6;
    return (a * 67108864 + b) / 9007199254740992;
  };
  return { random, below, choice: (list) => list[below(list.length)]! };
}
