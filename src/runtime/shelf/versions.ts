/** Earlier versions of a notebook: how many stay, and which. */

export interface KeptVersion {
  /** Id of its notebook. */
  notebook: string;
  /** ISO time at which this text was last changed. */
  saved: string;
  title: string;
  text: string;
}

/** Versions of one notebook at most. */
export const MOST_VERSIONS = 20;

/**
 * Which versions go when there are too many: those with the closest neighbours for their age, so that the newer a time, the
 * closer the versions that are left of it. The newest and the oldest stay.
 *
 * @param times of all versions in milliseconds, ascending. [N]
 * @returns those that go. [max(0, N - most)]
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
  // A version dated after now, by a clock that was set back, counts as new.
  const crowding = (i: number) => (times[i + 1]! - times[i - 1]!) / Math.max(1, now - times[i]!);
  let at = 1;
  for (let i = 2; i < times.length - 1; i++) if (crowding(i) < crowding(at)) at = i;
  return at;
}
