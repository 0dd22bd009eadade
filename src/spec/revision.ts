/**
 * Changes of numbers are versioned by a revision: links, stored runs and recordings made before
 * remain reproducible. A spec without one has the first. What each later one changed:
 *
 * 2: the divisor of seq-mean-token-sum-norm is turns times tokens a turn where no horizon is set;
 * it was the longest rollout.
 *    DAPO keeps groups by success; it was by score. MT-GRPO adds later turns' scores; it was the outcome's alone.
 *    Runs of seeds 0 to 2,000 have levels of their own, a million each (levelCount.ts); some shared them.
 *    A response is cut off where it has no end, not where it is as long as it may be, and a turn is valid by its form, also
 *    where bad form costs nothing (train/rolloutMetrics.ts).
 */
export const CURRENT_REVISION = 2;

/** What a row's defaults depend on besides the row. */
export interface RowReading {
  revision: number;
  /** Maximum tokens of an episode: turns times tokens per turn. Null: unknown. */
  mostTokens: number | null;
}

/** For rows that are shown without an experiment. */
export const CURRENT_READING: RowReading = { revision: CURRENT_REVISION, mostTokens: null };

/** A number that differs between the first revision and the current one. */
export interface RevisionReason {
  /** The method, or the field. */
  what: string;
  /** In the first revision, in words. */
  was: string;
  now: string;
}
