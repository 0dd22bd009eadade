/** What is running on what, how far it is, and whether it is the run the link promised. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { formatDuration } from "../../charts/format.ts";
import type { Progress, RunState } from "../../runtime/protocol.ts";
import type { ExperimentState } from "../../store/experimentStore.ts";
import type { Comparison } from "../../store/fingerprint.ts";
import { useExperiment } from "../../store/hooks.ts";
import { comparison } from "../../store/links.ts";
import { strings } from "../strings.ts";

const words = strings.status;

const selectStatus = (all: ExperimentState) => ({
  view: all.view,
  state: all.state,
  stopping: all.stopping,
  engine: all.engine,
  progress: all.progress,
  fingerprint: all.fingerprint,
  runSpec: all.runSpec,
  expected: all.expected,
});

const STATES: Record<RunState, string> = {
  idle: "ready",
  loading: "loading",
  running: "running",
  paused: "paused",
  finished: "finished",
  failed: "stopped by an error",
};

export function StatusPanel() {
  const { store } = useExperiment();
  const shown = useStore(store, useShallow(selectStatus));
  const { view, state, stopping, engine, progress, fingerprint } = shown;
  const compared = comparison(shown);
  const recordedEngine = view.origin === "recorded" ? view.log.start?.engine : undefined;
  return (
    <section className="status" aria-label={words.title} data-testid="status" data-state={state}>
      <p className="status-line">
        <strong>{stopping ? "stopping" : STATES[state]}</strong>
        {progress && <span data-testid="phase">{progress.phase}</span>}
      </p>
      {progress && <ProgressLine progress={progress} />}
      <dl className="facts">
        <div>
          <dt>{words.engine}</dt>
          <dd data-testid="engine">
            {engine ? engineLine(engine) : words.noEngine}
            {engine?.fallback && (
              <span className="fallback" data-testid="fallback">
                {engine.fallback}
              </span>
            )}
            {!engine && recordedEngine && (
              <span className="note">
                {words.recordedOn} {recordedEngine.engine}, {recordedEngine.backend} (
                {recordedEngine.adapter})
              </span>
            )}
          </dd>
        </div>
        {(fingerprint !== null || compared.state !== "not-compared") && (
          <div>
            <dt>{words.fingerprint}</dt>
            <dd data-testid="fingerprint" data-comparison={compared.state}>
              {fingerprint !== null && <code>{fingerprint}</code>}
              <FingerprintState compared={compared} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function engineLine({
  engine,
  backend,
  adapter,
}: {
  engine: string;
  backend: string;
  adapter: string;
}) {
  return `${engine} on ${backend} (${adapter})`;
}

function ProgressLine({ progress: { done, total, secondsLeft } }: { progress: Progress }) {
  return (
    <div className="progress">
      <progress max={Math.max(total, 1)} value={done} aria-label="Iterations done" />
      <span className="number" data-testid="progress">
        {done} of {total}
        {secondsLeft !== null && `, about ${formatDuration(secondsLeft)} left`}
      </span>
    </div>
  );
}

function FingerprintState({ compared }: { compared: Comparison }) {
  switch (compared.state) {
    case "not-compared":
      return <span className="note">{words.notCompared}</span>;
    case "waiting":
      return <span>{compared.upTo === 0 ? words.waitingAtStart : words.waiting}</span>;
    case "reproduced":
      return <span className="good">✓ {words.reproduced}</span>;
    case "diverged":
      return (
        <span className="bad">
          ✗ {words.diverged}
          {compared.iteration === null ? "" : ` at iteration ${compared.iteration}`}.{" "}
          {words.divergedHint}
        </span>
      );
  }
}
