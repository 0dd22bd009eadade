/**
 * Means of branches with their intervals, for the value of a state and for the difference of two
 * states: `trueValues` explains the method.
 */
import { max, mean, min, studentT, variance } from "../../numeric/statistics.ts";

const LEVEL = 0.95;

/** A mean, its variance, and the degrees of freedom of the variance. */
interface Moment {
  mean: number;
  variance: number;
  df: number;
}

/** Branch statistics of a state, or of a turn and what follows it. */
export interface BranchMoments {
  plain: Moment;
  /** With two imagined branches at either end, for V and Q. */
  padded: Moment;
  /** With one at either end, for differences. */
  halfPadded: Moment;
}

const NOTHING: Moment = { mean: 0, variance: 0, df: 1 };
/** No more rewards, for certain. */
export const OVER: BranchMoments = { plain: NOTHING, padded: NOTHING, halfPadded: NOTHING };

/** `best`: what the best player would earn; NaN if unknown. */
export function branchMoments(returns: Float64Array, best: number): BranchMoments {
  const low = min(returns);
  const high = best === best ? Math.max(best, max(returns)) : max(returns);
  const padded = (n: number) =>
    momentOf(
      Float64Array.from([
        ...returns,
        ...Array<number>(n).fill(low),
        ...Array<number>(n).fill(high),
      ]),
    );
  return { plain: momentOf(returns), padded: padded(2), halfPadded: padded(1) };
}

function momentOf(x: Float64Array): Moment {
  return { mean: mean(x), variance: variance(x) / x.length, df: x.length - 1 };
}

/** A turn with this `reward`, followed by the given state: Q of the turn. */
export function after(
  reward: number,
  { plain, padded, halfPadded }: BranchMoments,
  gamma: number,
): BranchMoments {
  const Q = (x: Moment) => discounted(x, reward, gamma);
  return { plain: Q(plain), padded: Q(padded), halfPadded: Q(halfPadded) };
}

/** r + gamma x. */
function discounted({ mean, variance, df }: Moment, reward: number, gamma: number): Moment {
  return { mean: reward + gamma * mean, variance: gamma * gamma * variance, df };
}

/** a - b of independent means. */
function difference(a: Moment, b: Moment): Moment {
  const sum = a.variance + b.variance;
  const squares = (a.variance * a.variance) / a.df + (b.variance * b.variance) / b.df;
  const df = squares > 0 ? Math.floor((sum * sum) / squares) : 1;
  return { mean: a.mean - b.mean, variance: sum, df: Math.max(1, df) };
}

/** A mean with its 95 % interval, which need not be centred on it. */
export interface BranchMean {
  mean: number;
  low: number;
  high: number;
  standardError: number;
}

/** Mean and interval of V or Q. */
export function worth({ plain, padded }: BranchMoments): BranchMean {
  return intervalAround(plain, padded);
}

/** Of a - b, which are independent. */
export function gap(a: BranchMoments, b: BranchMoments): BranchMean {
  return intervalAround(difference(a.plain, b.plain), difference(a.halfPadded, b.halfPadded));
}

/** The plain mean is unbiased; the interval is the padded sample's. */
function intervalAround(plain: Moment, padded: Moment): BranchMean {
  const half = tOf(padded.df) * Math.sqrt(padded.variance);
  return {
    mean: plain.mean,
    low: padded.mean - half,
    high: padded.mean + half,
    standardError: Math.sqrt(plain.variance),
  };
}

const quantiles = new Map<number, number>();

function tOf(df: number): number {
  const t = quantiles.get(df) ?? studentT(LEVEL, df);
  quantiles.set(df, t);
  return t;
}
