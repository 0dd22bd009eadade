/** Statistical significance and power: p-values, Holm's correction, the power of a paired t test. */
import { exp, log } from "./deterministic.ts";
import { mean, studentT, studentTail, variance, type Numbers } from "./statistics.ts";

/** Two-sided p-value for a mean of 0: a paired t test if x are differences. NaN for fewer than two values. */
export function tTest(x: Numbers): number {
  if (x.length < 2) return NaN;
  return studentTail(mean(x) / Math.sqrt(variance(x) / x.length), x.length - 1);
}

/**
 * p-values adjusted for multiple testing, in the given order: the probability that any of them is
 * below its level by chance stays at the level. Source: Holm 1979, "A simple sequentially rejective
 * multiple test procedure".
 */
export function holm(p: readonly number[]): number[] {
  const order = p.map((_, i) => i).sort((a, b) => p[a]! - p[b]!);
  const adjusted = p.slice(); // [tests]
  let least = 0;
  order.forEach((at, rank) => {
    least = Math.max(least, Math.min(1, (p.length - rank) * p[at]!));
    adjusted[at] = least;
  });
  return adjusted;
}

/** P(Z < x) for a standard normal: Marsaglia's series (Journal of Statistical Software 11(4), 2004). */
function normalBelow(x: number): number {
  if (!(Math.abs(x) <= 8)) return x < 0 ? 0 : x > 0 ? 1 : NaN;
  let term = x;
  let sum = x;
  for (let k = 3; sum + term !== sum; k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 + (sum * exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Intervals of the numerical integral; even, as Simpson's rule requires. */
const STEPS = 600;

/**
 * Power of a two-sided t test of n values at this level for a mean of `effect` standard deviations:
 * the noncentral t, as an integral over the sample's standard deviation.
 */
export function powerOf(n: number, effect: number, level = 0.05): number {
  const df = n - 1;
  const limit = studentT(1 - level, df);
  const shift = effect * Math.sqrt(n);
  const reach = 12 / Math.sqrt(2 * df);
  const from = Math.max(0, 1 - reach);
  const width = (1 + reach - from) / STEPS;
  let found = 0;
  let whole = 0;
  for (let i = 0; i <= STEPS; i++) {
    const s = from + i * width;
    const simpson = i === 0 || i === STEPS ? 1 : i % 2 === 1 ? 4 : 2;
    const weight = simpson * spreadDensity(s, df);
    found += weight * (normalBelow(shift - limit * s) + normalBelow(-shift - limit * s));
    whole += weight;
  }
  return found / whole;
}

/** Density of a sample's standard deviation if the true one is 1, up to a factor: sqrt(chi squared / df). */
function spreadDensity(s: number, df: number): number {
  if (s === 0) return df === 1 ? exp(0.5) : 0;
  return exp((df - 1) * log(s) - (df * (s * s - 1)) / 2);
}

/**
 * Fewest values, at most `most`, with which the test has that power; null if even `most` are too
 * few. @param effect in standard deviations; it may fall as values are added.
 */
export function valuesFor(
  effect: number | ((n: number) => number),
  power = 0.8,
  most = 10_000,
  level = 0.05,
): number | null {
  const effectAt = typeof effect === "number" ? () => effect : effect;
  const isEnough = (n: number) => powerOf(n, effectAt(n), level) >= power;
  if (!isEnough(most)) return null;
  let [few, enough] = [1, most];
  while (enough - few > 1) {
    const middle = (few + enough) >> 1;
    if (isEnough(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}

/** The mean, in standard deviations, that n values detect with that power. */
export function effectFor(n: number, power = 0.8): number {
  let [low, high] = [0, 100];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (powerOf(n, middle) >= power) high = middle;
    else low = middle;
  }
  return high;
}
