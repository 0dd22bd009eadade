/** A small grid over fields and seeds of an experiment: its runs, one after the other, and their results. */
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { readFields } from "../../../../notebook/cellFields.ts";
import type { TypedCell } from "../../../../notebook/cell.ts";
import type { SweepRun, SweepSetting } from "../../../../notebook/cells/sweep/plan.ts";
import { SweepCurves } from "../../../../panels/curves/SweepCurves.tsx";
import { formatDuration } from "../../../../numeric/format.ts";
import type { ExperimentState, ExperimentStore } from "../../../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../../../store/hooks.ts";
import { hasLog, type SweepRuns } from "../../../../store/sweepRuns.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Warnings } from "../../../Warnings.tsx";
import { planOfSweep, runsOfSweep } from "./bookSweeps.ts";
import { useBook } from "../../useBook.ts";
import { words as all } from "../../words.ts";

const words = all.sweep;
const selectSpec = ({ draft }: ExperimentState) => draft.spec;

export function SweepCell({ cell }: { cell: TypedCell }) {
  const { store } = useBook();
  const experiment = useExperiment();
  const base = useExperimentState(selectSpec);
  const fields = useMemo(() => readFields("sweep", cell.body).value, [cell.body]);
  const plan = planOfSweep(cell, base);
  const sweep = runsOfSweep(store, cell, experiment);
  const results = useStore(sweep.store, (state) => state.results);
  useEffect(() => void (plan && sweep.look(runsIn(plan.settings))), [plan, sweep]);
  if (!fields || !plan) return null;
  const problems = new Set(
    runsIn(plan.settings).flatMap(({ key }) => {
      const result = results.get(key);
      return result && !hasLog(result) ? [result.problem] : [];
    }),
  );
  return (
    <section className="panel sweep" aria-label={words.title} data-testid="sweep">
      <h3 className="visually-hidden">{words.title}</h3>
      <Warnings warnings={[...plan.problems.map(words.leftOut), ...problems]} />
      <Head sweep={sweep} settings={plan.settings} />
      <SweepCurves
        settings={plan.settings.map(({ name, runs }) => ({
          name,
          planned: runs.length,
          logs: runs.flatMap(({ key }) => {
            const result = results.get(key);
            return hasLog(result) ? [result.log] : [];
          }),
        }))}
        metrics={fields.metrics?.join(",")}
        isTest={fields.cause !== undefined}
      />
    </section>
  );
}

function Head({ sweep, settings }: { sweep: SweepRuns; settings: readonly SweepSetting[] }) {
  const { results, pending, isPaused, isKept, isElsewhere } = useStore(sweep.store);
  const runs = runsIn(settings);
  const left = runs.filter(({ key }) => !hasLog(results.get(key)));
  return (
    <>
      <div className="code-head">
        <span>{words.plan(settings.length, runs.length)}</span>
        {pending.length > 0 && isPaused && (
          <Button data-testid="resume-sweep" onClick={() => sweep.resume()}>
            {words.resume}
          </Button>
        )}
        {pending.length > 0 ? (
          <Button data-testid="stop-sweep" onClick={() => sweep.stop()}>
            {words.stop}
          </Button>
        ) : (
          <Button
            data-testid="run-sweep"
            disabled={left.length === 0 || isElsewhere}
            onClick={() => void sweep.run(left)}
          >
            {left.length === 0 ? words.done : words.run(left.length)}
          </Button>
        )}
      </div>
      {pending.length > 0 && <Progress sweep={sweep} done={runs.length - left.length} />}
      <p className="note" role="status" data-testid="sweep-left">
        {pending.length > 0 ? (
          words.left(pending.length)
        ) : isElsewhere ? (
          words.elsewhere
        ) : (
          <Stopped sweep={sweep} runs={left} />
        )}{" "}
        {left.length < runs.length && (isKept ? words.kept : words.temporary)}
      </p>
    </>
  );
}

/** How far the runs are, and, once the current one knows its pace, how long they take at that pace. */
function Progress({ sweep, done }: { sweep: SweepRuns; done: number }) {
  const { pending, trainer } = useStore(sweep.store);
  return (
    <div className="progress">
      <progress max={done + pending.length} value={done} aria-label={words.progress} />
      <span className="number" data-testid="sweep-progress">
        {words.of(done, done + pending.length)}
        {trainer && <TimeLeft trainer={trainer} pending={pending} />}
      </span>
    </div>
  );
}

function TimeLeft(props: { trainer: ExperimentStore; pending: readonly SweepRun[] }) {
  const { trainer, pending } = props;
  const progress = useStore(trainer, (state) => state.progress);
  if (!progress || progress.secondsLeft === null || progress.done >= progress.total) return null;
  const { done, total, secondsLeft } = progress;
  const [current, ...others] = pending.map(({ spec }) => spec.optimisation.iterations);
  const perIteration = secondsLeft / ((1 - done / total) * current!);
  const rest = others.reduce((sum, iterations) => sum + iterations * perIteration, 0);
  return words.timeLeft(formatDuration(secondsLeft + rest));
}

/** For a kept run that did not finish: how far it came, and that it resumes from there. */
function Stopped({ sweep, runs }: { sweep: SweepRuns; runs: readonly SweepRun[] }) {
  const stopped = useStore(sweep.store, (state) => state.stopped);
  const run = runs.find(({ key }) => stopped.has(key));
  if (!run) return null;
  return words.stopped(stopped.get(run.key)!, run.spec.optimisation.iterations);
}

function runsIn(settings: readonly SweepSetting[]) {
  return settings.flatMap(({ runs }) => runs);
}
