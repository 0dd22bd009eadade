/** Statistics of the scores of a few seeds, some of them unknown. */
import { knownOnly, minus } from "../../numeric/finite.ts";
import { bootstrapInterval, iqm, tInterval, type Interval } from "../../numeric/statistics.ts";

export interface Score {
  seed: number;
  first: number | null;
  /** The last finite score; null if the run has none. */
  last: number | null;
}

/** For the runs that have one, in reward or share as measured. [<= runs] */
export function lastScores(scores: readonly Score[]): number[] {
  return knownOnly(scores.map(({ last }) => last));
}

/** Last scores a - b of the seeds that both have. [<= seeds] */
export function pairedBySeed(a: readonly Score[], b: readonly Score[]): number[] {
  return a.flatMap(({ seed, last }) => {
    const other = b.find((score) => score.seed === seed);
    return other ? knownOnly([minus(last, other.last)]) : [];
  });
}

/** 95 %, of the mean; null for fewer than two values. */
export function tIntervalOrNull(x: readonly number[]): Interval | null {
  return x.length < 2 ? null : tInterval(x);
}

/**
 * 95 % percentile bootstrap interval of a statistic of all values, resampled within each stratum.
 * Null if a stratum has fewer than two values: one value alone has no spread.
 */
export function bootstrapped(
  strata: readonly (readonly number[])[],
  statistic: (x: ArrayLike<number>) => number = iqm,
): Interval | null {
  if (strata.length === 0 || strata.some((x) => x.length < 2)) return null;
  const { low, high } = bootstrapInterval([...strata], { statistic });
  return { low, high };
}
