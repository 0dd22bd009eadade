/** What has happened to a run's worker: replaced, silent, or without a checkpoint to continue from. */
import { useState } from "react";
import { useShallow } from "zustand/shallow";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../store/hooks.ts";
import type { Silence } from "../store/pulse.ts";
import { titleOf } from "../reading/titles.ts";
import type { KeptRun } from "../runtime/shelf/keptRuns.ts";
import { discardKept, resumeKept } from "./keptRuns.ts";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";

const words = appWords.worker;

const selectNotices = (state: ExperimentState) => ({
  recovered: state.recovered,
  unprotected: state.unprotected,
  notKept: state.notKept,
  resumable: state.resumable,
  silence: state.silence,
});

export function RunNotices() {
  const { store } = useExperiment();
  const notices = useExperimentState(useShallow(selectNotices));
  const { recovered, unprotected, notKept, resumable, silence } = notices;
  return (
    <>
      {silence && <SilentWorker silence={silence} />}
      {resumable && <StoppedRun run={resumable} />}
      {recovered !== null && (
        <div className="notice notice-stale" data-testid="recovered">
          <p role="status">{recovered}</p>
          <div className="buttons">
            <Button onClick={() => store.setState({ recovered: null })}>{words.dismiss}</Button>
          </div>
        </div>
      )}
      {unprotected !== null && (
        <p className="note" data-testid="unprotected">
          {unprotected}
        </p>
      )}
      {notKept !== null && (
        <p className="note" role="status" data-testid="not-kept">
          {appWords.kept.notKept(notKept)}
        </p>
      )}
    </>
  );
}

/** It was in progress when its page was closed. */
function StoppedRun({ run }: { run: KeptRun }) {
  const experiment = useExperiment();
  const { stopped, resume, discard } = appWords.kept;
  const { spec, iteration, changed } = run;
  const methods = spec.algorithms.map(({ name }) => titleOf(name)).join(", ");
  const when = new Date(changed).toLocaleString(undefined, SHORT);
  return (
    <div className="notice notice-stale" data-testid="resumable">
      <p role="status">{stopped(methods, iteration, spec.optimisation.iterations, when)}</p>
      <div className="buttons">
        <Button data-testid="resume-run" onClick={() => void resumeKept(experiment, run)}>
          {resume}
        </Button>
        <Button data-testid="discard-run" onClick={() => void discardKept(experiment.store, run)}>
          {discard}
        </Button>
      </div>
    </div>
  );
}

const SHORT = { dateStyle: "medium", timeStyle: "short" } as const;

/** Rendered once: a growing number would be announced every second. */
function SilentWorker({ silence: { answers, seconds } }: { silence: Silence }) {
  const { session } = useExperiment();
  const [first] = useState(seconds);
  return (
    <div className="notice notice-problem" role="alert" data-testid="silent">
      <p>
        {answers ? words.stuck(first) : words.silent(first)} {words.fromCheckpoint}
      </p>
      <div className="buttons">
        <Button data-testid="replace-worker" onClick={session.replaceWorker}>
          {words.replace}
        </Button>
        <Button onClick={session.wait}>{words.wait}</Button>
      </div>
    </div>
  );
}
