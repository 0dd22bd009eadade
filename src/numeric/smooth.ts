/** Smoothing without a bias towards the start: the exponential mean divided by the weight that it has seen. */

/**
 * weight 0 leaves numbers as they are; towards 1 older ones count longer. A number that is not finite (null)
 * stays a gap and enters no mean.
 */
export function smooth(y: readonly (number | null)[], weight: number): (number | null)[] {
  if (weight <= 0) return [...y];
  let sum = 0;
  let seen = 0;
  return y.map((value) => {
    if (value === null) return null;
    sum = weight * sum + (1 - weight) * value;
    seen = weight * seen + (1 - weight);
    return sum / seen;
  });
}
