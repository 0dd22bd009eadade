/** Which run, on which engine, its progress, and whether it matches the link's run. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { formatDuration } from "../../numeric/format.ts";
import type { Outlook } from "../../runtime/outlook.ts";
import type { WorkerProgress, RunState } from "../../runtime/protocol.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { isReproducible, type FingerprintCheck } from "../../reading/fingerprint.ts";
import { useExperiment } from "../../store/hooks.ts";
import { comparison, whatDiffers } from "../../store/links.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { panelWords } from "../shared/strings.ts";
import { linkVerdict, type Verdict } from "./verdict.ts";

const words = panelWords.status;

const selectStatus = (all: ExperimentState) => ({
  view: all.view,
  state: all.state,
  stopping: all.stopping,
  engine: all.engine,
  progress: all.progress,
  fingerprint: all.fingerprint,
  runSpec: all.runSpec,
  expected: all.expected,
  outlook: all.outlook,
  draft: all.draft,
});

const STATES: Record<RunState, string> = {
  idle: "ready",
  loading: "loading",
  running: "running",
  paused: "paused",
  finished: "finished",
  failed: "stopped by an error",
};

type ShownStatus = ReturnType<typeof selectStatus>;

function StateLine({
  stopping,
  state,
  progress,
}: Pick<ShownStatus, "stopping" | "state" | "progress">) {
  return (
    <>
      <p className="status-line">
        <strong>{stopping ? "stopping" : STATES[state]}</strong>
        {progress && <span data-testid="phase">{progress.phase}</span>}
      </p>
      {progress && progress.total > 0 && <ProgressLine progress={progress} />}
    </>
  );
}

export function StatusPanel() {
  const { id, store } = useExperiment();
  const shown = useStore(store, useShallow(selectStatus));
  const { view, state, engine, fingerprint, outlook } = shown;
  const moved = view.origin === "live" && view.log.engines.length > 0;
  const { backend } = shown.draft.spec.engine;
  const compared = comparison(shown);
  const { expected } = shown;
  const differences = whatDiffers(shown);
  const verdict = expected && linkVerdict(compared, { log: view.log, expected, differences });
  const recordedEngine = view.origin === "recorded" ? view.log.start?.engine : undefined;
  return (
    <section
      className="status"
      aria-label={words.titleOf(id)}
      data-testid="status"
      data-state={state}
    >
      <StateLine {...shown} />
      <dl className="facts">
        <div>
          <dt>{words.engine}</dt>
          <dd data-testid="engine">
            {engine ? engineLine(engine) : <EngineToCome outlook={outlook} backend={backend} />}
            {engine && (moved ? <Moved /> : <Reproducible of={engine.reproducible} />)}
            {engine?.fallback && (
              <span className="fallback" data-testid="fallback">
                {engine.fallback}
              </span>
            )}
            {engine?.unchecked && (
              <span className="fallback" data-testid="unchecked">
                {engine.unchecked}
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
              {verdict ? (
                <VerdictLine {...verdict} />
              ) : (
                <NoVerdict compared={compared} log={view.log} />
              )}
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

function ProgressLine({ progress: { done, total, secondsLeft } }: { progress: WorkerProgress }) {
  return (
    <div className="progress">
      <progress max={Math.max(total, 1)} value={done} aria-label="Done so far" />
      <span className="number" data-testid="progress">
        {done} of {total}
        {secondsLeft !== null && `, about ${formatDuration(secondsLeft)} left`}
      </span>
    </div>
  );
}

interface EngineToComeProps {
  outlook: Outlook | null;
  /** As in the form. */
  backend: string;
}

function EngineToCome({ outlook, backend }: EngineToComeProps) {
  if (backend !== "auto") return `${backend}, ${words.chosen}`;
  if (!outlook) return words.noEngine;
  const adapter = outlook.adapter === null ? "" : ` (${outlook.adapter})`;
  return (
    <>
      {`${outlook.backend}${adapter}, ${words.chosen}`}
      {outlook.why !== null && (
        <span className="fallback" data-testid="outlook">
          {outlook.why}
        </span>
      )}
    </>
  );
}

function Reproducible({ of: kind }: { of: string }) {
  const said = Object.entries(words.reproducible).find(([name]) => name === kind);
  return said ? (
    <span className="note" data-testid="reproducible" data-kind={kind}>
      {said[1]}
    </span>
  ) : null;
}

/** One engine's reproducibility does not cover a run on two. */
function Moved() {
  return (
    <span className="fallback" data-testid="moved">
      {words.moved}
    </span>
  );
}

const MARKS: Record<Verdict["kind"], string> = {
  waiting: "",
  exact: "✓ ",
  tolerated: "≈ ",
  diverged: "✗ ",
};

function VerdictLine({ kind, title, text, why }: Verdict) {
  const look = kind === "diverged" ? "bad" : kind === "waiting" ? undefined : "good";
  return (
    <span data-testid="verdict-line">
      <strong className={look}>
        {MARKS[kind]}
        {title}.
      </strong>{" "}
      {text} {why}
    </span>
  );
}

interface NoVerdictProps {
  compared: FingerprintCheck;
  log: RunLog;
}

function NoVerdict({ compared, log }: NoVerdictProps) {
  if (compared.state === "incomparable")
    return <span>{log.engines.length > 0 ? words.movedFingerprint : words.incomparable}</span>;
  return (
    <span className="note">{isReproducible(log) ? words.notCompared : unrepeatable(log)}</span>
  );
}

function unrepeatable(log: RunLog): string {
  return log.engines.length > 0 ? words.movedFingerprint : words.unrepeatable;
}
