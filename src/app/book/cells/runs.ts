/** What is started and stopped in a cell, by its kind: an experiment trains in its turn, a sweep its runs, code computes. */
import { hasFact, type Cell, type TypedCell } from "../../../notebook/cell.ts";
import type { StartedType } from "../../../notebook/cells/kinds.ts";
import type { OpenBook } from "../openBook.ts";
import { codeRun } from "./code/run.ts";
import { experimentRun } from "./experiment/run.ts";
import { sweepRun } from "./sweep/run.ts";
import type { CellStarter } from "./run.ts";

const RUNS: Readonly<Record<StartedType, CellStarter>> = {
  experiment: experimentRun,
  sweep: sweepRun,
  code: codeRun,
};

/** Null where nothing can be started. */
export function runOf(cell: Cell | undefined): { run: CellStarter; cell: TypedCell } | null {
  return hasFact(cell, "starts") ? { run: RUNS[cell.type as StartedType], cell } : null;
}

export function startCell(book: OpenBook, given: Cell | undefined): void {
  const found = runOf(given);
  found?.run.start(book, found.cell);
}

export function stopCell(book: OpenBook, given: Cell | undefined): void {
  const found = runOf(given);
  found?.run.stop(book, found.cell);
}
