/** Batch normalisation of advantages. */
import { mean, populationVariance, variance } from "../../numeric/statistics.ts";
import { f, type TexPiece } from "../formula/tex.ts";
import type { AdvantagePair } from "./givenAdvantage.ts";

/**
 * A = (raw - mean) / divisor: the normalisation of a batch, of which only a part may be available.
 */
export interface Normalisation {
  mean: number;
  divisor: number;
}

/**
 * The map x -> (x - mean) / sqrt(var + 1e-8) of the given sample, with unbiased variance. Equal
 * numbers, a single one among them, have no variance: they become exactly 0, not NaN and not
 * rounding noise. An empty sample changes no number.
 *
 * verl adds 1e-8 to the count it divides mean and variance by, which moves results by about 1e-9;
 * `countEpsilon` does the same where its numbers are reproduced (tokens), and is 0 elsewhere
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

interface WhiteningFacts {
  about: string;
  /** What mean and standard deviation are taken over. */
  over: keyof AdvantagePair;
  /** The same in a formula. */
  says: string;
  /** The divisor's formula. */
  divisor: TexPiece;
  variance: (x: Float64Array) => number;
  /** The standard deviation in a divisor, which also contains a small constant. */
  stdOf(divisor: number): number;
  /** The map that a sample makes. */
  mapOf(sample: AdvantagePair): (x: number) => number;
}

const squared = {
  divisor: f`\sqrt{${"batch.advantageStd"}^2 + 10^{-8}}`,
  variance,
  stdOf: (divisor: number) => Math.sqrt(Math.max(0, divisor * divisor - 1e-8)),
};
const plain = {
  over: "turn",
  divisor: f`${"batch.advantageStd"} + 10^{-9}`,
  stdOf: (divisor: number) => Math.max(0, divisor - 1e-9),
} as const;

/** The table of batch normalisations (axis D), except "none". */
export const whitenings = {
  tokens: {
    ...squared,
    about: "zero mean and unit variance over all trainable tokens",
    over: "token",
    says: "over all tokens",
    mapOf: ({ token }) => whitening(token, VERL_COUNT_EPSILON),
  },
  turns: {
    ...squared,
    about: "zero mean and unit variance over all turns",
    over: "turn",
    says: "over all turns",
    mapOf: ({ turn }) => whitening(turn),
  },
  "turns-population": {
    ...plain,
    about: "over all turns, divided by the population std + 1e-9 (GEM, oat)",
    says: "over all turns, the population's",
    variance: populationVariance,
    mapOf: ({ turn }) => stdWhitening(turn, populationVariance),
  },
  "turns-sample": {
    ...plain,
    about: "over all turns, divided by the unbiased std + 1e-9 (GEM's tinker trainer)",
    says: "over all turns, unbiased",
    variance,
    mapOf: ({ turn }) => stdWhitening(turn, variance),
  },
} as const satisfies Record<string, WhiteningFacts>;
