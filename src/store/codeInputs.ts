/** What code cells of a notebook may name besides each other: its runs, as data, and what readers set. */
import { hasFact, type Cell } from "../notebook/cell.ts";
import type { InputValue } from "../notebook/cells/kind.ts";
import { kindOf } from "../notebook/cells/kinds.ts";
import { episodesOfRun, runColumns } from "../reading/cellInputs.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { CodeInput } from "./codeCells.ts";

/** A run in its current state. */
export interface CellRun {
  log: RunLog;
  /** Whether it is training right now. */
  isBusy: boolean;
}

/** Name of the object that holds all runs by their experiments' ids. */
const ALL_RUNS = "runs";

/** Values that readers have set, by the cell's name. */
export type Moved = Readonly<Record<string, InputValue>>;

/** The value of the input cell of this name; undefined without one, or if its body is wrong. */
export function readerInput(
  cells: readonly Cell[],
  moved: Moved,
  name: string,
): CodeInput | undefined {
  const cell = cells.find((one) => hasFact(one, "given") && one.id === name);
  if (!hasFact(cell, "given")) return undefined;
  const value = kindOf(cell.type).given?.(cell.body, moved[name]) ?? null;
  if (value === null) return undefined;
  return { stamp: JSON.stringify(value), isBusy: false, value: async () => value };
}

/** A run by its experiment's id, or all of them; undefined for other names. */
export function codeInput(runs: ReadonlyMap<string, CellRun>, name: string): CodeInput | undefined {
  const wanted = name === ALL_RUNS ? [...runs] : [...runs].filter(([id]) => id === name);
  if (wanted.length === 0 && name !== ALL_RUNS) return undefined;
  return {
    stamp: wanted.map(([, { log }]) => stampOf(log)).join(),
    isBusy: wanted.some(([, { isBusy }]) => isBusy),
    value: async (source, signal) => {
      const values = await Promise.all(wanted.map(([, { log }]) => runOf(log, source, signal)));
      if (name !== ALL_RUNS) return values[0];
      return Object.fromEntries(wanted.map(([id], i) => [id, values[i]]));
    },
  };
}

/** Numbers for logs, so that a different run is a different value. */
const numbers = new WeakMap<RunLog, number>();
let lastNumber = 0;

function stampOf(log: RunLog): string {
  const number = numbers.get(log) ?? ++lastNumber;
  numbers.set(log, number);
  return `${number}.${log.version}`;
}

/** Episodes are many: only code that names them gets them. */
async function runOf(log: RunLog, source: string, signal: AbortSignal): Promise<unknown> {
  const wants = (word: string) => new RegExp(`\\b${word}\\b`).test(source);
  const run = runColumns(log);
  if (!wants("episodes") && !wants("turns") && !wants("tokens")) return run;
  return { ...run, ...(await episodesOfRun(log, wants("tokens"), signal)) };
}
