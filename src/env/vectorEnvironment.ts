/**
 * Several environments in lockstep, without autoreset: a row whose episode has ended stays ended
 * until it is reset (Gymnasium's AutoresetMode.DISABLED; GEM's own default resets at once and loses
 * the last observation). So every row is one whole episode, as on-policy learning needs.
 */
import type { Environment, ResetResult, StepResult } from "./environment.ts";

interface VectorSnapshot {
  /** [B] */
  rows: unknown[];
  /** Whether each row's episode is still running. [B] */
  running: boolean[];
}

export class VectorEnvironment<Info> {
  /** [B] */
  readonly rows: readonly Environment<Info>[];
  /** [B] */
  #running: boolean[];

  constructor(rows: readonly Environment<Info>[]) {
    this.rows = rows;
    this.#running = rows.map(() => false);
  }

  /** The rows whose episodes are still running, in order. */
  get active(): number[] {
    return this.rows.flatMap((_, row) => (this.#running[row] ? [row] : []));
  }

  /**
   * Resets all rows, each with its seed; given one number, row i gets seed + i, as in GEM. [B]
   * @throws RangeError if the number of seeds differs from the number of rows.
   */
  reset(seeds: number | readonly number[]): ResetResult<Info>[] {
    const each = typeof seeds === "number" ? this.rows.map((_, row) => seeds + row) : seeds; // [B]
    if (each.length !== this.rows.length) {
      throw new RangeError(`${each.length} seeds for ${this.rows.length} rows`);
    }
    return each.map((seed, row) => this.resetRow(row, seed));
  }

  /** Resets one row. */
  resetRow(row: number, seed: number): ResetResult<Info> {
    const result = this.#rowAt(row).reset(seed);
    this.#running[row] = true;
    return result;
  }

  /**
   * Plays one turn of every row that has a text; null, or a missing entry, leaves a row unchanged.
   * The results of such rows are null. [B]
   * @throws RangeError if a text is for a row that does not exist or has ended; then no row has
   * moved.
   */
  step(
    texts: readonly (string | null)[] | ReadonlyMap<number, string>,
  ): (StepResult<Info> | null)[] {
    const turns = turnsOfEnvironments(texts);
    for (const row of turns.keys()) {
      this.#rowAt(row);
      if (!this.#running[row]) throw new RangeError(`row ${row} has ended: reset it first`);
    }
    return this.rows.map((environment, row) => {
      const text = turns.get(row);
      if (text === undefined) return null;
      const result = environment.step(text);
      this.#running[row] = !(result.terminated || result.truncated);
      return result;
    });
  }

  snapshot(): VectorSnapshot {
    return { rows: this.rows.map((row) => row.snapshot()), running: [...this.#running] };
  }

  /** @throws RangeError if the snapshot has another number of rows. */
  restore({ rows, running }: VectorSnapshot): void {
    if (rows.length !== this.rows.length) {
      throw new RangeError(`a snapshot of ${rows.length} rows for ${this.rows.length} rows`);
    }
    this.rows.forEach((row, i) => row.restore(rows[i]));
    this.#running = [...running];
  }

  #rowAt(row: number): Environment<Info> {
    const environment = this.rows[row];
    if (!environment) throw new RangeError(`there is no row ${row} of ${this.rows.length}`);
    return environment;
  }
}

function turnsOfEnvironments(
  texts: readonly (string | null)[] | ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  if (!Array.isArray(texts)) return texts as ReadonlyMap<number, string>;
  const list = texts as readonly (string | null)[];
  return new Map(
    list.flatMap((text, row): [number, string][] => (text === null ? [] : [[row, text]])),
  );
}
