/**
 * verl's masked statistics, for rows that still carry environment tokens and padding. A mask is 1
 * where a number counts. Packed columns need none of this; imported rows and checks against verl
 * do.
 *
 * Source: verl/utils/torch_functional.py.
 */
import type { Numbers } from "../numeric/statistics.ts";
export function maskedSum(x: Numbers, mask: Numbers): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) if (mask[i]) sum += x[i]!;
  return sum;
}

/** Sum over (count + 1e-8): 0 for an empty mask. */
export function maskedMean(x: Numbers, mask: Numbers): number {
  return maskedSum(x, mask) / (maskedSum(mask, mask) + 1e-8);
}

/**
 * Variance about maskedMean, unbiased by default. @throws RangeError for fewer than two numbers if
 * unbiased.
 */
export function maskedVar(x: Numbers, mask: Numbers, unbiased = true): number {
  const center = maskedMean(x, mask);
  const biased = maskedMean(
    Float64Array.from(x, (v) => (v - center) * (v - center)),
    mask,
  );
  if (!unbiased) return biased;
  const n = maskedSum(mask, mask);
  if (n < 2) throw new RangeError(`the unbiased variance of ${n} numbers is undefined`);
  return (biased * n) / (n - 1);
}

/**
 * (x - mean) / sqrt(var + 1e-8) at every position, masked ones too; shiftMean false adds the mean
 * back. [n]
 */
export function maskedWhiten(x: Numbers, mask: Numbers, shiftMean = true): Float64Array {
  const center = maskedMean(x, mask);
  const scale = 1 / Math.sqrt(maskedVar(x, mask) + 1e-8);
  return Float64Array.from(x, (v) => (v - center) * scale + (shiftMean ? 0 : center));
}
