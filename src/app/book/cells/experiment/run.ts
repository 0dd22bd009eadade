/** An experiment's run: it trains in its turn. */
import { sameSpec } from "../../../../spec/link.ts";
import { isOutOfDate } from "../../../../store/experimentState.ts";
import type { ExperimentHandle } from "../../../../store/hooks.ts";
import { isActive, leaveQueue, runInTurn, runQueue } from "../../../../store/runQueue.ts";
import type { OpenBook } from "../../openBook.ts";
import type { CellStarter, RunScope } from "../run.ts";

export const experimentRun: CellStarter = {
  start: (book, { id }) => {
    const experiment = handleOf(book, id);
    if (experiment) runInTurn(experiment);
  },
  stop: (book, { id }) => {
    const experiment = handleOf(book, id);
    if (!experiment) return;
    leaveQueue(experiment);
    if (isActive(experiment)) experiment.session.toggleRun();
  },
  due: (book, { id }, scope) => {
    const experiment = handleOf(book, id);
    return experiment && isDue(experiment, scope) ? { experiment } : null;
  },
};

function handleOf({ experiments }: OpenBook, id: string): ExperimentHandle | undefined {
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
