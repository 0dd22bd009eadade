/** What of a notebook is still to be run: counted and timed before anybody presses a button, and then run in its order. */
import type { Cell } from "../../notebook/document.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { sameSpec } from "../../spec/link.ts";
import { bookDraft } from "../../store/bookStore.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";
import type { MeasuredTimes } from "../../store/measuredTimes.ts";
import { isActive, runInTurn, runQueue, stopAll } from "../../store/runQueue.ts";
import type { SweepRun } from "../../notebook/sweepCell.ts";
import { hasLog, type SweepRuns } from "../../store/sweepRuns.ts";
import { runSeconds } from "../runTime.ts";
import { sweepsOf } from "./bookSweeps.ts";
import type { OpenBook } from "./openBook.ts";
import { isOutOfDate } from "./isOutOfDate.ts";

/** `late`: only what has run, and would come out otherwise now. */
type RunScope = "all" | "late";

type BookStep = { experiment: ExperimentHandle } | { sweep: SweepRuns; runs: readonly SweepRun[] };

export interface RunPlan {
  /** What trains, in the notebook's order. */
  steps: readonly BookStep[];
  /** Ids of cells. */
  code: readonly string[];
}

export function planRuns(book: OpenBook, scope: RunScope): RunPlan {
  const sweeps = new Map<Cell, BookStep>(
    sweepsOf(book).flatMap(({ cell, sweep, runs }) => {
      const left = leftOf(sweep, runs, scope);
      return left.length === 0 ? [] : [[cell, { sweep, runs: left }]];
    }),
  );
  const { map } = book.experiments.getState();
  const steps = bookDraft(book.store.getState()).cells.flatMap(({ cell }): BookStep[] => {
    const experiment = cell.type === "experiment" ? map.get(cell.id) : undefined;
    if (experiment) return isDue(experiment, scope) ? [{ experiment }] : [];
    const swept = sweeps.get(cell);
    return swept ? [swept] : [];
  });
  return { steps, code: codeOf(book, scope) };
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
