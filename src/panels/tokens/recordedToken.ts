/** A token in a log. */

/** Numbers of one token that are missing or not finite are null. */
export interface RecordedToken {
  turn: number;
  /** Index within the turn. */
  token: number;
  id: number;
  /** With visible whitespace. */
  text: string;
  /** Whether a line ends in it. */
  breaks: boolean;
  oldLogprob: number | null;
  logprob: number | null;
  logRatio: number | null;
  entropy: number | null;
  advantage: number | null;
  value: number | null;
  /** Whether it was clipped, if a file has this for single tokens; null if not. */
  clipped: boolean | null;
}
