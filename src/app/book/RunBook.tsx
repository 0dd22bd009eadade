/** Runs all of a notebook, or what is out of date in it; before that it says how much that is, and how long it takes. */
import { useStore } from "zustand";
import { measuredTimes, type MeasuredTimes } from "../../store/measuredTimes.ts";
import { runAsWritten, runQueue, stopAll } from "../../store/runQueue.ts";
import { Button } from "../../ui/Button.tsx";
import { roughly } from "../presetTime.ts";
import { useBook } from "./useBook.ts";
import { useRunChanges } from "./useRunChanges.ts";
import { words as all } from "./words.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { bookCells } from "../../store/bookStore.ts";
import { runSeconds } from "../runTime.ts";
import { dueIn, type BookStep, type RunScope } from "./cells/runs.ts";
import type { OpenBook } from "./openBook.ts";

const words = all.runBook;

/** Above a notebook: how much there is to run; of one that has no head, the buttons, too. */
export function RunBook() {
  const id = useStore(useBook().store, (state) => state.id);
  return (
    <div className="run-book">
      {id === null && (
        <div className="buttons">
          <RunButtons />
        </div>
      )}
      <Planned />
    </div>
  );
}

/** One press runs what is out of date, or all where nothing is. */
export function RunButtons() {
  const book = useBook();
  useRunChanges(book);
  const { current, waiting } = useStore(runQueue);
  const computes = useStore(book.code.store, ({ views }) =>
    Object.values(views).some(({ state }) => state === "running" || state === "waiting"),
  );
  const [whole, late] = [planRuns(book, "all"), planRuns(book, "late")];
  const primary = (is: boolean) => (is ? { look: "primary" as const } : {});
  return (
    <>
      <Button
        data-testid="run-late"
        data-action="runLate"
        className="run-late"
        disabled={isEmpty(late)}
        {...primary(!isEmpty(late))}
        onClick={() => void runPlan(book, late)}
      >
        {words.late(late.steps.length + late.code.length)}
      </Button>
      <Button
        data-testid="run-all"
        data-action="runBook"
        className="run-all"
        disabled={isEmpty(whole)}
        {...primary(isEmpty(late) && !isEmpty(whole))}
        onClick={() => void runPlan(book, whole)}
      >
        {words.all}
      </Button>
      {(current ?? waiting[0] ?? (computes || null)) && (
        <Button data-testid="stop-all" data-action="stopBook" onClick={() => stopBook(book)}>
          {words.stop}
        </Button>
      )}
    </>
  );
}

/** How much there is to run, and how long it takes. */
function Planned() {
  const book = useBook();
  useRunChanges(book);
  const times = useStore(measuredTimes, (state) => state.times);
  const [whole, late] = [planRuns(book, "all"), planRuns(book, "late")];
  const say = (name: string, plan: RunPlan) =>
    isEmpty(plan) ? [] : [words.plan(name, partsOf(plan), timeIn(timeOfPlan(plan, times)))];
  // What a reader has not seen yet was not run, and is not up to date.
  const waits = useStore(book.store, ({ isForeign }) => isForeign) && hasCode(book);
  const said = [...say(words.all, whole), ...say(words.lateOf, late)];
  return (
    <p className="note" data-testid="run-plan">
      {said.length > 0 ? said.join(" ") : waits ? words.waits : words.nothing}
    </p>
  );
}

const hasCode = ({ code }: OpenBook) => Object.keys(code.store.getState().views).length > 0;

const isEmpty = ({ steps, code }: RunPlan) => steps.length + code.length === 0;

function partsOf(plan: RunPlan): string[] {
  const { experiments, runs, code } = countPlan(plan);
  return [
    ...(experiments > 0 ? [words.experiments(experiments)] : []),
    ...(runs > 0 ? [words.runs(runs)] : []),
    ...(code > 0 ? [words.code(code)] : []),
  ];
}

function timeIn({ seconds, untimed }: PlanTime): string {
  if (seconds === 0) return untimed === 0 ? "" : words.unknown;
  return untimed === 0 ? words.about(roughly(seconds)) : words.over(roughly(seconds), untimed);
}

interface RunPlan {
  /** What trains, in the notebook's order. */
  steps: readonly BookStep[];
  /** Ids of cells. */
  code: readonly string[];
}

/** What of a notebook is still to be run: counted and timed before anybody presses a button, and then run in its order. */
function planRuns(book: OpenBook, scope: RunScope): RunPlan {
  const steps = bookCells(book.store.getState()).flatMap((cell) => dueIn(book, cell, scope) ?? []);
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
function countPlan({ steps, code }: RunPlan) {
  const experiments = steps.filter((step) => "experiment" in step).length;
  const runs = steps.reduce((sum, step) => sum + ("runs" in step ? step.runs.length : 0), 0);
  return { experiments, runs, code: code.length };
}

interface PlanTime {
  /** Of those whose time is known. */
  seconds: number;
  /** Number of runs without a measured time. */
  untimed: number;
}

/** How long what trains will take, one after the other. */
function timeOfPlan({ steps }: RunPlan, times: MeasuredTimes | null): PlanTime {
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
async function runPlan({ code }: OpenBook, plan: RunPlan): Promise<void> {
  if (plan.code.length > 0) void code.run(plan.code);
  for (const step of plan.steps)
    if ("experiment" in step) runAsWritten(step.experiment);
    else {
      const { sweep, runs } = step;
      await sweep.run([...sweep.store.getState().pending, ...runs]);
    }
}

/** Pauses what trains, and forgets what waits, code too. */
function stopBook({ code }: OpenBook): void {
  stopAll();
  code.stop();
}
