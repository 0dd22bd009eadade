/** What is started and stopped in one kind of cell: a folder here each, a line in `runs.ts`. */
import type { TypedCell } from "../../../notebook/cell.ts";
import type { SweepRun } from "../../../notebook/cells/sweep/plan.ts";
import type { ExperimentHandle } from "../../../store/hooks.ts";
import type { SweepRuns } from "../../../store/sweepRuns.ts";
import type { OpenBook } from "../openBook.ts";

/** `late`: only what has run, and would come out otherwise now. */
export type RunScope = "all" | "late";

export type BookStep =
  { experiment: ExperimentHandle } | { sweep: SweepRuns; runs: readonly SweepRun[] };

export interface CellStarter {
  start(book: OpenBook, cell: TypedCell): void;
  stop(book: OpenBook, cell: TypedCell): void;
  /** What of it is still to be trained; null for nothing. Absent: it trains nothing. */
  due?(book: OpenBook, cell: TypedCell, scope: RunScope): BookStep | null;
}
