/** Which stored runs are removed, and why: computed beforehand, so that it can be announced. */

/** The fields of a run that decide. */
export interface Sweepable {
  id: string;
  place: string;
  /** Bytes of its lines. */
  bytes: number;
  checkpointBytes?: number;
  /** ISO time. */
  changed: string;
}

/** Maximum that is stored. */
export const SWEEP_LIMITS = { runs: 12, bytes: 500_000_000, days: 30 } as const;

interface LeavingRun<R> {
  run: R;
  why: "old" | "many" | "large";
}

interface SweepOptions<R> {
  /** Runs in use always stay. */
  isUsed: (run: R) => boolean;
  /** Milliseconds. */
  now: number;
  /** Runs still to come, which need space. */
  more?: number;
}

export function sizeOfRun({ bytes, checkpointBytes = 0 }: Sweepable): number {
  return bytes + checkpointBytes;
}

/** How many runs they count as: all sweep runs of one notebook count as one. */
export function countOfRuns(runs: readonly Sweepable[]): number {
  return new Set(runs.map(shareOf)).size;
}

/** Runs with the same key count once. */
function shareOf({ id, place }: Sweepable): string {
  const [sweeps] = /^.*\/~/.exec(place) ?? [];
  return sweeps ?? id;
}

/** Time in milliseconds at which a run becomes too old. */
export function endOfRun({ changed }: Sweepable): number {
  return Date.parse(changed) + SWEEP_LIMITS.days * 86_400_000;
}

/**
 * The runs to remove: too old, too many, or too large together. A run whose experiment has a newer
 * one, and which nobody sees any more, goes first; then the oldest.
 *
 * @param runs newest first.
 */
export function leavingRuns<R extends Sweepable>(
  runs: readonly R[],
  { isUsed, now, more = 0 }: SweepOptions<R>,
): LeavingRun<R>[] {
  const leaving: LeavingRun<R>[] = [];
  const shares = new Set<string>();
  let bytes = 0;
  for (const run of inOrderOfStaying(runs, isUsed)) {
    const size = sizeOfRun(run);
    const isOld = endOfRun(run) < now;
    const isMany = !shares.has(shareOf(run)) && shares.size + more >= SWEEP_LIMITS.runs;
    const why = isOld
      ? "old"
      : isMany
        ? "many"
        : bytes + size > SWEEP_LIMITS.bytes
          ? "large"
          : null;
    if (why !== null && !isUsed(run)) leaving.push({ run, why });
    else {
      shares.add(shareOf(run));
      bytes += size;
    }
  }
  return leaving;
}

/** Runs in use first, then the newest run of every experiment, then the others; newest first within each. */
function inOrderOfStaying<R extends Sweepable>(
  runs: readonly R[],
  isUsed: (run: R) => boolean,
): R[] {
  const newest = new Map([...runs].reverse().map((run) => [run.place, run.id]));
  const rank = (run: R) => (isUsed(run) ? 0 : newest.get(run.place) === run.id ? 1 : 2);
  return runs.toSorted((a, b) => rank(a) - rank(b));
}
