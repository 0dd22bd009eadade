/** What an area of the hostile tests is given, and what it answers. */

/** One line of the table: how many attempts, and how many of them ended as they must. */
export interface Row {
  what: string;
  tried: number;
  survived: number;
  /** One sentence for each that did not, with what is needed to try it again. */
  lost: string[];
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
}

export interface CommandOptions {
  cwd?: string;
  input?: string;
  /** Seconds after which the command is killed; its code is null then. */
  limit?: number;
  /** The limit counts from its first line on stderr: a busy machine takes its time to start it. */
  starts?: boolean;
}

export interface Tools {
  /** The long form: more attempts. */
  full: boolean;
  /** Given as `--seed N`; 0 otherwise. */
  seed: number;
  /** Uniform in [0, 1), the same numbers at every run with a seed: one stream for each name. */
  random: (stream: string) => () => number;
  /** An empty folder of the area's own, removed at the end. */
  folder: (name: string) => string;
  /** Runs `turnbook ARGS` as a process of its own. */
  turnbook: (args: string[], options?: CommandOptions) => Promise<Finished>;
  /** Progress, on stderr. */
  say: (line: string) => void;
}

export interface Area {
  name: string;
  run: (tools: Tools) => Promise<Row[]>;
}

/** Tries each case and counts: `attempt` resolves to null where it ended well, and to what went wrong otherwise. */
export async function rowOf<T>(
  what: string,
  cases: Iterable<T>,
  attempt: (one: T, index: number) => Promise<string | null> | string | null,
): Promise<Row> {
  const lost: string[] = [];
  let tried = 0;
  for (const one of cases) {
    const wrong = await Promise.resolve(attempt(one, tried)).catch(
      (error: unknown) => `the attempt itself failed: ${String(error)}`,
    );
    if (wrong !== null) lost.push(wrong);
    tried += 1;
  }
  return { what, tried, survived: tried - lost.length, lost };
}

/** Uniform numbers in [0, 1), the same for a name: splitmix32 from a hash of it. */
export function seeded(stream: string): () => number {
  let state = 0x9e3779b9;
  for (const letter of stream) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}
