import { isZeroBeside, zeroBeside } from "./format.ts";
import { largestSize } from "./lists.ts";
import { quantile } from "./statistics.ts";

/** The full tone is at least this many times what counts as 0: numbers that hardly differ from 0 are pale. */
const FULL_TONE = 10;

/**
 * Absolute value that gets the full tone; 0 if there is none. It is at the 2 and 98 % quantiles, so
 * that one outlier does not bleach the rest; the largest number if nearly all are 0.
 */
export function signedLimit(values: readonly number[], size = largestSize(values)): number {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0 || isZeroBeside(size)) return 0;
  const ends = Math.max(Math.abs(quantile(finite, 0.02)), Math.abs(quantile(finite, 0.98)));
  return Math.max(ends > 0 ? ends : largestSize(finite), FULL_TONE * zeroBeside(size));
}
