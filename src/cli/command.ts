/** What a command is, and where it writes its output. */

/** Where a command writes; tests pass their own. */
export interface Output {
  /** One JSON value as one line on stdout. */
  json(value: unknown): void;
  /** A line for a shell, unquoted, on stdout; absent: as JSON. */
  text?(line: string): void;
  /** Progress, on stderr. */
  progress(line: string): void;
}

/** Returns an exit code unless it is 0. */
export type Command = (argv: string[], out: Output) => Promise<number | void>;
