/**
 * A number that changes stands behind a revision: links, kept runs and recordings made before it reproduce for ever. A spec
 * without one has the first. What each later one changed:
 *
 * 2: the divisor of seq-mean-token-sum-norm is turns times tokens a turn where no horizon is set; it was the longest rollout.
 */
export const CURRENT_REVISION = 2;

/** What a row's defaults depend on besides the row. */
export interface Reading {
  revision: number;
  /** Tokens that an episode has at most: turns times tokens a turn. Null: not known. */
  mostTokens: number | null;
}

/** Of rows that are shown without an experiment. */
export const CURRENT_READING: Reading = { revision: CURRENT_REVISION, mostTokens: null };
