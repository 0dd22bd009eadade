/** What of a notebook is still to be run: counted and timed before anybody presses a button, and then run in its order. */
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { bookCells } from "../../store/bookStore.ts";
import type { MeasuredTimes } from "../../store/measuredTimes.ts";
import { runInTurn, stopAll } from "../../store/runQueue.ts";
import { runSeconds } from "../runTime.ts";
import type { BookStep, RunScope } from "./cells/run.ts";
import { runOf } from "./cells/runs.ts";
import type { OpenBook } from "./openBook.ts";

export interface RunPlan {
  /** What trains, in the notebook's order. */
  steps: readonly BookStep[];
  /** Ids of cells. */
  code: readonly string[];
}

export function planRuns(book: OpenBook, scope: RunScope): RunPlan {
  const steps = bookCells(book.store.getState()).flatMap((cell) => {
    const found = runOf(cell);
    return found?.run.due?.(book, found.cell, scope) ?? [];
  });
  return { steps, code: codeOf(book, scope) };
}

/** Code from elsewhere waits until its reader has seen it. */
function codeOf({ store, code }: OpenBook, scope: RunScope): string[] {
  if (store.getState().isForeign) return [];
  const views = Object.entries(code.store.getState().views);
  const isBusy = (state: string) => state === "running" || state === "waiting";
  return views.flatMap(([id, { state }]) =>
    isBusy(state) || (scope === "late" && state === "fresh") ? [] : [id],
  );
}

/** How many there are of each kind. */
export function countPlan({ steps, code }: RunPlan) {
  const experiments = steps.filter((step) => "experiment" in step).length;
  const runs = steps.reduce((sum, step) => sum + ("runs" in step ? step.runs.length : 0), 0);
  return { experiments, runs, code: code.length };
}

export interface PlanTime {
  /** Of those whose time is known. */
  seconds: number;
  /** How many runs nobody has timed. */
  untimed: number;
}

/** How long what trains will take, one after the other. */
export function timeOfPlan({ steps }: RunPlan, times: MeasuredTimes | null): PlanTime {
  const specs = steps.flatMap((step): ExperimentSpec[] =>
    "runs" in step
      ? step.runs.map(({ spec }) => spec)
      : [step.experiment.store.getState().draft.spec],
  );
  const all = specs.map((spec) => runSeconds(spec, times));
  return {
    seconds: all.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    untimed: all.filter((one) => one === null).length,
  };
}

/** Code computes at once, and by itself again when what it reads has been trained. */
export async function runPlan({ code }: OpenBook, plan: RunPlan): Promise<void> {
  if (plan.code.length > 0) void code.run(plan.code);
  for (const step of plan.steps)
    if ("experiment" in step) runInTurn(step.experiment);
    else {
      const { sweep, runs } = step;
      await sweep.run([...sweep.store.getState().pending, ...runs]);
    }
}

/** Pauses what trains, and forgets what waits, code too. */
export function stopBook({ code }: OpenBook): void {
  stopAll();
  code.stop();
}
