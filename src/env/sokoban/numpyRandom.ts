/**
 * `np.random.seed(seed)` and `np.random.randint(n)` of NumPy's legacy generator (numpy
 * `random/_bounded_integers`).
 */
import { twisterFromSeed } from "../random/mt19937.ts";

/**
 * Returns the function `randint(n)`: whole numbers in 0..n-1 by masked rejection; n = 1 draws
 * nothing.
 */
export function numpyRandint(seed: number): (n: number) => number {
  const draw = twisterFromSeed(seed);
  return (n) => {
    if (n === 1) return 0;
    const mask = 0xffffffff >>> Math.clz32(n - 1);
    let value = (draw() & mask) >>> 0;
    while (value > n - 1) value = (draw() & mask) >>> 0;
    return value;
  };
}
