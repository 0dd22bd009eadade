/** Runs all of a notebook, or what is out of date in it; before that it says how much that is, and how long it takes. */
import { useStore } from "zustand";
import { measuredTimes } from "../../store/measuredTimes.ts";
import { runQueue } from "../../store/runQueue.ts";
import { Button } from "../../ui/Button.tsx";
import { roughly } from "../presetTime.ts";
import {
  countPlan,
  planRuns,
  runPlan,
  stopBook,
  timeOfPlan,
  type PlanTime,
  type RunPlan,
} from "./runBook.ts";
import { useBook } from "./useBook.ts";
import { useRunChanges } from "./useRunChanges.ts";
import { words as all } from "./words.ts";

const words = all.runBook;

export function RunBook() {
  const book = useBook();
  useRunChanges(book);
  const times = useStore(measuredTimes, (state) => state.times);
  const { current, waiting } = useStore(runQueue);
  const computes = useStore(book.code.store, ({ views }) =>
    Object.values(views).some(({ state }) => state === "running" || state === "waiting"),
  );
  const [whole, late] = [planRuns(book, "all"), planRuns(book, "late")];
  const say = (name: string, plan: RunPlan) =>
    isEmpty(plan) ? [] : [words.plan(name, partsOf(plan), timeIn(timeOfPlan(plan, times)))];
  const said = [...say(words.all, whole), ...say(words.late, late)];
  return (
    <div className="run-book">
      <div className="buttons">
        <Button
          data-testid="run-all"
          data-action="runBook"
          disabled={isEmpty(whole)}
          onClick={() => void runPlan(book, whole)}
        >
          {words.all}
        </Button>
        <Button
          data-testid="run-late"
          data-action="runLate"
          disabled={isEmpty(late)}
          onClick={() => void runPlan(book, late)}
        >
          {words.late}
        </Button>
        {(current ?? waiting[0] ?? (computes || null)) && (
          <Button data-testid="stop-all" data-action="stopBook" onClick={() => stopBook(book)}>
            {words.stop}
          </Button>
        )}
      </div>
      <p className="note" data-testid="run-plan">
        {said.length === 0 ? words.nothing : said.join(" ")}
      </p>
    </div>
  );
}

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
