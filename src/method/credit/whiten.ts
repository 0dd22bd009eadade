/** Batch normalisation of advantages. */
import { mean } from "../../numeric/statistics.ts";

/** A = (raw - mean) / divisor: the normalisation of a batch, of which only a part need be at hand. */
export interface Normalisation {
  mean: number;
  divisor: number;
}

/**
 * The map x -> (x - mean) / sqrt(var + 1e-8) of the given sample, with unbiased variance. Equal
 * numbers, a single one among them, have no variance: they become exactly 0, not NaN and not
 * rounding noise. An empty sample says nothing about any number: all stay as they are.
 *
 * verl adds 1e-8 to the count it divides mean and variance by, which moves results by about 1e-9;
 * `countEpsilon` does the same where its numbers are to be met (tokens), and is 0 elsewhere
 * (turns).
 *
 * Source: verl/utils/torch_functional.py, masked_whiten.
 */
export function whitening(sample: Float64Array, countEpsilon = 0): (x: number) => number {
  const n = sample.length;
  const first = sample[0];
  if (first === undefined) return (x) => x;
  if (sample.every((x) => x === first)) return (x) => (x - first) / Math.sqrt(1e-8);
  const center = sample.reduce((sum, x) => sum + x, 0) / (n + countEpsilon);
  const squares = sample.reduce((sum, x) => sum + (x - center) * (x - center), 0);
  const variance = ((squares / (n + countEpsilon)) * n) / (n - 1);
  const scale = 1 / Math.sqrt(variance + 1e-8);
  return (x) => (x - center) * scale;
}

/** verl's count epsilon. */
export const VERL_COUNT_EPSILON = 1e-8;

/**
 * The map x -> (x - mean) / (std + 1e-9), std being the root of the given variance. Equal numbers
 * become exactly 0, and an empty sample changes none.
 *
 * Sources: axon-rl/gem examples/train_oat/train_oat.py, compute_monte_carlo_advantages, and
 * sail-sg/oat oat/algorithms/ppo_multiturn.py (population variance);
 * axon-rl/gem examples/train_tinker/tinker_train.py (unbiased).
 */
export function stdWhitening(
  sample: Float64Array,
  variance: (x: Float64Array) => number,
): (x: number) => number {
  const first = sample[0];
  if (first === undefined) return (x) => x;
  if (sample.every((x) => x === first)) return (x) => (x - first) / 1e-9;
  const center = mean(sample);
  const scale = 1 / (Math.sqrt(variance(sample)) + 1e-9);
  return (x) => (x - center) * scale;
}
