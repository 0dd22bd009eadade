/**
 * The part of CPython's `random` module that the reference environments use, bit for bit (CPython
 * `Lib/random.py`).
 */
import { twisterFromArray } from "./mt19937.ts";

export interface PythonRandom {
  /** In [0, 1), 53 bits. */
  random(): number;
  /** Integer in 0..n-1. @throws RangeError if n is below 1. */
  below(n: number): number;
  /** `random.choice(list)`, and `random.sample(list, 1)[0]`, which draws the same. */
  choice<T>(list: readonly T[]): T;
  /** `random.uniform(from, to)`. */
  uniform(from: number, to: number): number;
  /** `random.sample(list, count)` for a list of at most 21, for which CPython draws from a pool. */
  samplePool<T>(list: readonly T[], count: number): T[];
  /** `random.shuffle(list)`, in place. */
  shuffle(list: unknown[]): void;
}

/** `random.seed(seed)` for a seed below 2^32. */
export function pythonRandom(seed: number): PythonRandom {
  const draw = twisterFromArray([seed]);
  const below = (n: number) => {
    if (n < 1) throw new RangeError(`nothing can be drawn below ${n}`);
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
  return {
    random,
    below,
    choice: (list) => list[below(list.length)]!,
    uniform: (from, to) => from + (to - from) * random(),
    samplePool: (list, count) => samplePool(list, count, below),
    shuffle: (list) => shuffle(list, below),
  };
}

type Below = PythonRandom["below"];

function samplePool<T>(list: readonly T[], count: number, below: Below): T[] {
  if (list.length > 21 || count > list.length) {
    throw new RangeError(`samplePool takes ${count} of ${list.length}; at most all of 21`);
  }
  const pool = [...list];
  return Array.from({ length: count }, (_, i) => {
    const j = below(pool.length - i);
    const chosen = pool[j]!;
    pool[j] = pool[pool.length - i - 1]!;
    return chosen;
  });
}

function shuffle(list: unknown[], below: Below): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
}
