/** A sweep's runs: they train one after the other. */
import type { SweepRun } from "../../../../notebook/cells/sweep/plan.ts";
import { hasLog, type SweepRuns } from "../../../../store/sweepRuns.ts";
import type { CellStarter, RunScope } from "../run.ts";
import { sweepOfCell } from "./bookSweeps.ts";

export const sweepRun: CellStarter = {
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
};

/** Of a sweep that has never run nothing is out of date; what another tab trains is left to it. */
function leftOf(sweep: SweepRuns, runs: readonly SweepRun[], scope: RunScope): SweepRun[] {
  const { results, pending, isElsewhere } = sweep.store.getState();
  if (isElsewhere) return [];
  if (scope === "late" && results.size === 0) return [];
  const asked = new Set(pending.map(({ key }) => key));
  return runs.filter(({ key }) => !hasLog(results.get(key)) && !asked.has(key));
}
