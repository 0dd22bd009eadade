/** Running and stopping a cell, whatever kind it is: an experiment trains in its turn, a sweep its runs, code computes. */
import type { Cell } from "../../notebook/document.ts";
import { isActive, leaveQueue, runInTurn } from "../../store/runQueue.ts";
import { plannedRuns, runsOfSweep } from "./bookSweeps.ts";
import type { OpenBook } from "./openBook.ts";

export function startCell({ store, code, experiments }: OpenBook, cell: Cell | undefined): void {
  if (!cell || cell.type === "prose") return;
  const { map } = experiments.getState();
  const experiment = map.get(cell.type === "experiment" ? cell.id : (cell.of ?? ""));
  if (cell.type === "code" && !cell.defines) void code.run([cell.id]);
  else if (cell.type === "experiment" && experiment) runInTurn(experiment);
  else if (cell.type === "sweep" && experiment)
    void runsOfSweep(store, cell, experiment).run(plannedRuns(cell, experiment));
}

export function stopCell({ store, code, experiments }: OpenBook, cell: Cell | undefined): void {
  if (cell?.type === "code") code.stop();
  else if (cell?.type === "sweep") {
    const base = experiments.getState().map.get(cell.of ?? "");
    if (base) runsOfSweep(store, cell, base).stop();
  } else if (cell?.type === "experiment") {
    const experiment = experiments.getState().map.get(cell.id);
    if (!experiment) return;
    leaveQueue(experiment);
    if (isActive(experiment)) experiment.session.toggleRun();
  }
}
