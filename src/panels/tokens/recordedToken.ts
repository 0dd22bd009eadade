/** A token as a log has it. */

/** Of one token; numbers that are not there, or are not finite, are null. */
export interface RecordedToken {
  turn: number;
  /** Within the turn. */
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
  /** Whether the objective cut it, as a file has it for single tokens; null where it does not. */
  clipped: boolean | null;
}
