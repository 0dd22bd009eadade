/** Batch normalisation of advantages. */

/**
 * The map x -> (x - mean) / sqrt(var + 1e-8) of the given sample, with unbiased variance. Equal
 * numbers, a single one among them, have no variance: they become exactly 0, not NaN and not
 * rounding noise.
 *
 * verl adds 1e-8 to the count it divides mean and variance by, which moves results by about 1e-9;
 * `countEpsilon` does the same where its numbers are to be met (tokens), and is 0 elsewhere
 * (turns).
 *
 * Source: verl/utils/torch_functional.py, masked_whiten.
 */
export function whitening(sample: Float64Array, countEpsilon = 0): (x: number) => number {
  const n = sample.length;
  const first = sample[0] ?? 0;
  if (sample.every((x) => x === first)) return (x) => (x - first) / Math.sqrt(1e-8);
  const mean = sample.reduce((sum, x) => sum + x, 0) / (n + countEpsilon);
  const squares = sample.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
  const variance = ((squares / (n + countEpsilon)) * n) / (n - 1);
  const scale = 1 / Math.sqrt(variance + 1e-8);
  return (x) => (x - mean) * scale;
}

/** verl's count epsilon. */
export const VERL_COUNT_EPSILON = 1e-8;
