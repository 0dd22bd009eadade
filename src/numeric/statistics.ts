/**
 * Statistics of small samples; every sum runs in index order, so results are the same everywhere.
 */
import { cos, sin } from "./deterministic.ts";
import { uniforms } from "./rng.ts";

export type Numbers = ArrayLike<number>;

export interface Interval {
  low: number;
  high: number;
}

/** Arithmetic mean; NaN for no values. */
export function mean(x: Numbers): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]!;
  return sum / x.length;
}

/** Sum of squared deviations from the mean. */
function squaredDeviations(x: Numbers): number {
  const m = mean(x);
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i]! - m) * (x[i]! - m);
  return sum;
}

/** Unbiased variance (divides by n - 1); NaN for fewer than two values. */
export function variance(x: Numbers): number {
  return x.length < 2 ? NaN : squaredDeviations(x) / (x.length - 1);
}

/** Population variance (divides by n); NaN for no values. */
export function populationVariance(x: Numbers): number {
  return squaredDeviations(x) / x.length;
}

/** Square root of the unbiased variance. */
export function std(x: Numbers): number {
  return Math.sqrt(variance(x));
}

/** Largest and smallest value; NaN for no values or if any is NaN. */
export function max(x: Numbers): number {
  let best = x.length > 0 ? x[0]! : NaN;
  for (let i = 1; i < x.length; i++) if (x[i]! > best || x[i] !== x[i]) best = x[i]!;
  return best;
}

export function min(x: Numbers): number {
  let best = x.length > 0 ? x[0]! : NaN;
  for (let i = 1; i < x.length; i++) if (x[i]! < best || x[i] !== x[i]) best = x[i]!;
  return best;
}

/** Quantile q in [0, 1], linear between order statistics (numpy's default); NaN for no values. */
export function quantile(x: Numbers, q: number): number {
  const sorted = Float64Array.from(x).sort(); // [n]
  const position = q * (sorted.length - 1);
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  if (sorted.length === 0) return NaN;
  return sorted[below]! + (position - below) * (sorted[above]! - sorted[below]!);
}

/**
 * Interquartile mean: the mean after dropping floor(n/4) values at either end (rliable, arXiv
 * 2108.13264).
 */
export function iqm(x: Numbers): number {
  const sorted = Float64Array.from(x).sort(); // [n]
  const cut = Math.floor(sorted.length / 4);
  return mean(sorted.subarray(cut, sorted.length - cut));
}

/**
 * P(|T| < t) of Student's t with df degrees of freedom at t = sqrt(df) tan(theta): the finite
 * series of Abramowitz and Stegun 26.7.3 and 26.7.4.
 */
function studentCentral(theta: number, df: number): number {
  const s = sin(theta);
  const c = cos(theta);
  const odd = df % 2 === 1;
  let term = odd ? c : 1;
  let sum = df === 1 ? 0 : term;
  for (let k = odd ? 3 : 2; k <= df - 2; k += 2) {
    term *= (c * c * (k - 1)) / k;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (theta + s * sum) : s * sum;
}

/**
 * The t with P(|T| < t) = level for df = 1, 2, ... degrees of freedom, by bisection on its angle.
 */
export function studentT(level: number, df: number): number {
  if (!Number.isInteger(df) || df < 1)
    throw new RangeError(`degrees of freedom ${df} must be 1 or more`);
  if (!(level > 0 && level < 1)) throw new RangeError(`level ${level} must lie between 0 and 1`);
  let low = 0;
  let high = Math.PI / 2;
  for (let i = 0; i < 60; i++) {
    const theta = (low + high) / 2;
    if (studentCentral(theta, df) < level) low = theta;
    else high = theta;
  }
  return (Math.sqrt(df) * sin(low)) / cos(low);
}

/** P(|T| >= |t|) of Student's t with df degrees of freedom: a two-sided p-value. */
export function studentTail(t: number, df: number): number {
  if (Number.isNaN(t)) return NaN;
  let [low, high] = [0, Math.PI / 2];
  for (let i = 0; i < 60; i++) {
    const theta = (low + high) / 2;
    if (Math.sqrt(df) * sin(theta) < Math.abs(t) * cos(theta)) low = theta;
    else high = theta;
  }
  return Math.max(0, 1 - studentCentral(low, df));
}

/** Two-sided t interval of the mean; NaN bounds for fewer than two values. */
export function tInterval(x: Numbers, level = 0.95): Interval {
  if (x.length < 2) return { low: NaN, high: NaN };
  const half = studentT(level, x.length - 1) * Math.sqrt(variance(x) / x.length);
  return { low: mean(x) - half, high: mean(x) + half };
}

interface BootstrapOptions {
  statistic?: (x: Numbers) => number;
  level?: number;
  resamples?: number;
  seed?: number;
}

/** An interval over the resamples in which the statistic is defined. */
export interface BootstrapInterval extends Interval {
  /** Share of the resamples in which the statistic is undefined (NaN): they are left out. */
  undefinedShare: number;
}

/**
 * Percentile bootstrap interval of a statistic (default the IQM) of all values pooled, resampling
 * with replacement inside each stratum, e.g. the runs of one task (rliable, arXiv 2108.13264). NaN
 * bounds if the statistic is undefined in every resample.
 */
export function bootstrapInterval(
  strata: Numbers[],
  options: BootstrapOptions = {},
): BootstrapInterval {
  const { statistic = iqm, level = 0.95, resamples = 2000, seed = 0 } = options;
  const n = strata.reduce((sum, x) => sum + x.length, 0);
  const results = new Float64Array(resamples); // [resamples]
  for (let r = 0; r < resamples; r++) {
    const key = { seed, stream: "bootstrap", iteration: r, trajectory: 0, step: 0 };
    results[r] = statistic(resample(strata, uniforms(key, n)));
  }
  const defined = results.filter((x) => !Number.isNaN(x)); // [<= resamples]
  return {
    low: quantile(defined, (1 - level) / 2),
    high: quantile(defined, (1 + level) / 2),
    undefinedShare: (resamples - defined.length) / resamples,
  };
}

/** Resamples each stratum; u holds one uniform per value. [n] */
function resample(strata: Numbers[], u: Float64Array): Float64Array {
  const out = new Float64Array(u.length); // [n]
  let j = 0;
  for (const x of strata) {
    for (let i = 0; i < x.length; i++, j++) out[j] = x[Math.floor(u[j]! * x.length)]!;
  }
  return out;
}

/**
 * 1 - Var(R - V) / (Var(R) + 1e-5), unbiased variances; NaN for fewer than two values.
 * Source: verl/trainer/ppo/metric_utils.py (`critic/vf_explained_var`).
 */
export function explainedVariance(returns: Numbers, values: Numbers): number {
  const error = Float64Array.from(returns, (R, i) => R - values[i]!); // [n]
  return 1 - variance(error) / (variance(returns) + 1e-5);
}

/** Pearson's correlation; NaN if either side is constant. */
export function pearson(x: Numbers, y: Numbers): number {
  const mx = mean(x);
  const my = mean(y);
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i]! - mx) * (y[i]! - my);
  return sum / Math.sqrt(squaredDeviations(x) * squaredDeviations(y));
}

/** Spearman's rank correlation, ties sharing their mean rank; NaN if either side is constant. */
export function spearman(x: Numbers, y: Numbers): number {
  return pearson(ranks(x), ranks(y));
}

/** Ranks from 1, ties sharing the mean of theirs; NaN if a number is NaN. [n] */
export function ranks(x: Numbers): Float64Array {
  // One unknown number leaves the rank of every other open.
  if (Array.from(x).some(Number.isNaN)) return new Float64Array(x.length).fill(NaN);
  const order = Array.from({ length: x.length }, (_, i) => i).sort(
    (a, b) => x[a]! - x[b]! || a - b,
  );
  const out = new Float64Array(x.length); // [n]
  for (let i = 0, end = 0; i < order.length; i = end) {
    end = i;
    while (end < order.length && x[order[end]!] === x[order[i]!]) end++;
    for (let j = i; j < end; j++) out[order[j]!] = (i + 1 + end) / 2;
  }
  return out;
}
