/** What a command is, and where it writes. */

/** Where a command writes; tests pass their own. */
export interface Output {
  /** One JSON value as one line on stdout. */
  json(value: unknown): void;
  /** A line for a shell, as it is, on stdout; absent: as JSON. */
  text?(line: string): void;
  /** Progress, on stderr. */
  progress(line: string): void;
}

/** An exit code where it is not 0. */
export type Command = (argv: string[], out: Output) => Promise<number | void>;
