/** Earlier versions of a notebook: how many are kept, and which. */

export interface KeptVersion {
  /** Id of its notebook. */
  notebook: string;
  /** ISO time at which this text was last changed. */
  saved: string;
  title: string;
  text: string;
}

/** Maximum versions of one notebook. */
export const MOST_VERSIONS = 20;

/**
 * Which versions to remove when there are too many: those with the closest neighbours for their
 * age, so that recent versions are kept more densely. The newest and the oldest stay.
 *
 * @param times of all versions in milliseconds, ascending. [N]
 * @returns the times to remove. [max(0, N - most)]
 */
export function thinnedTimes(
  times: readonly number[],
  now: number,
  most = MOST_VERSIONS,
): number[] {
  const left = [...times];
  const gone: number[] = [];
  while (left.length > Math.max(2, most)) {
    const at = mostCrowded(left, now);
    gone.push(left[at]!);
    left.splice(at, 1);
  }
  return gone;
}

function mostCrowded(times: readonly number[], now: number): number {
  // A version dated in the future, after a clock was set back, counts as new.
  const crowding = (i: number) => (times[i + 1]! - times[i - 1]!) / Math.max(1, now - times[i]!);
  let at = 1;
  for (let i = 2; i < times.length - 1; i++) if (crowding(i) < crowding(at)) at = i;
  return at;
}
