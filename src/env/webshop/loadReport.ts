/** Problems in files from elsewhere: counted by kind, and named. */

export interface LoadWarning {
  /** E.g. "asin occurs again". */
  problem: string;
  /** How it was handled, e.g. "row left out". */
  remedy: string;
  count: number;
  /** The first few places. */
  examples: string[];
}

const MAX_EXAMPLES = 5;

export class LoadReport {
  readonly #found = new Map<string, LoadWarning>();

  note(place: string, problem: string, remedy: string): void {
    const key = `${problem}\n${remedy}`;
    let warning = this.#found.get(key);
    if (!warning) this.#found.set(key, (warning = { problem, remedy, count: 0, examples: [] }));
    warning.count++;
    if (warning.examples.length < MAX_EXAMPLES) warning.examples.push(place);
  }

  /** In the order of first occurrence. */
  get warnings(): LoadWarning[] {
    return [...this.#found.values()];
  }
}

/** One sentence, e.g. "asin occurs again: row left out (2: row 5, row 9)". */
export function describeWarning({ problem, remedy, count, examples }: LoadWarning): string {
  const more = count > examples.length ? ", ..." : "";
  return `${problem}: ${remedy} (${count}: ${examples.join(", ")}${more})`;
}
