/** What is started and stopped in a cell, by its kind: an experiment trains in its turn, a sweep its runs, code computes. */
import { computes, hasFact, type Cell, type TypedCell } from "../../../notebook/cell.ts";
import type { StartedType } from "../../../notebook/cells/kinds.ts";
import type { SweepRun } from "../../../notebook/cells/sweep/plan.ts";
import { sameSpec } from "../../../spec/link.ts";
import { askForBook } from "../../../store/codeConsent.ts";
import { isOutOfDate } from "../../../store/experimentState.ts";
import type { ExperimentHandle } from "../../../store/hooks.ts";
import { isActive, leaveQueue, runInTurn, runQueue } from "../../../store/runQueue.ts";
import { hasLog, type SweepRuns } from "../../../store/sweepRuns.ts";
import type { OpenBook } from "../openBook.ts";
import { sweepOfCell } from "./sweep/bookSweeps.ts";

/** `late`: only what has run, and would come out otherwise now. */
export type RunScope = "all" | "late";

export type BookStep =
  { experiment: ExperimentHandle } | { sweep: SweepRuns; runs: readonly SweepRun[] };

interface CellStarter {
  start(book: OpenBook, cell: TypedCell): void;
  stop(book: OpenBook, cell: TypedCell): void;
  /** What of it is still to be trained; null for nothing. Absent: it trains nothing. */
  due?(book: OpenBook, cell: TypedCell, scope: RunScope): BookStep | null;
}

const STARTERS: Readonly<Record<StartedType, CellStarter>> = {
  experiment: {
    start: (book, cell) => {
      const experiment = handleOf(book, cell);
      if (experiment) runInTurn(experiment);
    },
    stop: (book, cell) => {
      const experiment = handleOf(book, cell);
      if (!experiment) return;
      leaveQueue(experiment);
      if (isActive(experiment)) experiment.session.toggleRun();
    },
    due: (book, cell, scope) => {
      const experiment = handleOf(book, cell);
      return experiment && isDue(experiment, scope) ? { experiment } : null;
    },
  },
  sweep: {
    start: (book, cell) => {
      const found = sweepOfCell(book, cell);
      if (found) void found.sweep.run(found.runs);
    },
    stop: (book, cell) => sweepOfCell(book, cell)?.sweep.stop(),
    due: (book, cell, scope) => {
      const found = sweepOfCell(book, cell);
      const runs = found ? leftOf(found.sweep, found.runs, scope) : [];
      return found && runs.length > 0 ? { sweep: found.sweep, runs } : null;
    },
  },
  code: {
    start: ({ code, store }, cell) => {
      if (!computes(cell)) return;
      // Keys do not go round the question that the cell's button asks.
      void askForBook(store).then((mayRun) => (mayRun ? code.run([cell.id]) : undefined));
    },
    stop: ({ code }) => code.stop(),
  },
};

const starterOf = ({ type }: TypedCell) => STARTERS[type as StartedType];

export function startCell(book: OpenBook, cell: Cell | undefined): void {
  if (hasFact(cell, "starts")) starterOf(cell).start(book, cell);
}

export function stopCell(book: OpenBook, cell: Cell | undefined): void {
  if (hasFact(cell, "starts")) starterOf(cell).stop(book, cell);
}

export function dueIn(book: OpenBook, cell: Cell, scope: RunScope): BookStep | null {
  return hasFact(cell, "starts") ? (starterOf(cell).due?.(book, cell, scope) ?? null) : null;
}

function handleOf({ experiments }: OpenBook, { id }: TypedCell): ExperimentHandle | undefined {
  return experiments.getState().map.get(id);
}

/** Neither what trains or waits already, nor what has finished as it is written. */
function isDue(experiment: ExperimentHandle, scope: RunScope): boolean {
  const state = experiment.store.getState();
  if (isActive(experiment) || isWaiting(experiment)) return false;
  if (scope === "late") return isOutOfDate(state);
  const isDone = state.state === "finished" && state.runSpec !== null;
  return !(isDone && sameSpec(state.runSpec!, state.draft.spec));
}

function isWaiting({ store }: ExperimentHandle): boolean {
  return runQueue.getState().waiting.some((one) => one.store === store);
}

/** Of a sweep that has never run nothing is out of date; what another tab trains is left to it. */
function leftOf(sweep: SweepRuns, runs: readonly SweepRun[], scope: RunScope): SweepRun[] {
  const { results, pending, isElsewhere } = sweep.store.getState();
  if (isElsewhere) return [];
  if (scope === "late" && results.size === 0) return [];
  const asked = new Set(pending.map(({ key }) => key));
  return runs.filter(({ key }) => !hasLog(results.get(key)) && !asked.has(key));
}
