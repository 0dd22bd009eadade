/** Which run, on which engine, its progress, and whether it matches the link's run. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { formatDuration } from "../../numeric/format.ts";
import type { RunState, WorkerProgress } from "../../runtime/protocol.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { isReproducible, type FingerprintCheck } from "../../reading/fingerprint.ts";
import { useExperiment } from "../../store/hooks.ts";
import { comparison, whatDiffers } from "../../store/links.ts";
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

export function StatusPanel() {
  const { id, store } = useExperiment();
  const shown = useStore(store, useShallow(selectStatus));
  const { state, stopping, progress, fingerprint } = shown;
  const compared = comparison(shown);
  return (
    <section
      className="status"
      aria-label={words.titleOf(id)}
      data-testid="status"
      data-state={state}
    >
      <p className="status-line">
        <strong>{stopping ? "stopping" : STATES[state]}</strong>
        {progress && <span>{progress.phase}</span>}
      </p>
      {progress && progress.total > 0 && <ProgressLine progress={progress} />}
      <dl className="facts">
        <div>
          <dt>{words.engine}</dt>
          <dd data-testid="engine">
            <Lines lines={engineLines(shown)} />
          </dd>
        </div>
        {(fingerprint !== null || compared.state !== "not-compared") && (
          <div>
            <dt>{words.fingerprint}</dt>
            <dd data-testid="fingerprint" data-comparison={compared.state}>
              {fingerprint !== null && <code>{fingerprint}</code>}
              <Lines lines={[comparedLine(shown, compared)]} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
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

interface StatusFact {
  text: string;
  id?: string;
  look?: "note" | "fallback";
  /** Its beginning. */
  strong?: { text: string; look: "good" | "bad" | undefined };
}

function Lines({ lines }: { lines: readonly StatusFact[] }) {
  return lines.map(({ text, id, look, strong }) => (
    <span key={text} className={look} data-testid={id}>
      {strong && <strong className={strong.look}>{strong.text}</strong>} {text}
    </span>
  ));
}

/** The engine, and what its choice means; before Run the one that will start. */
function engineLines({ view, engine, outlook, draft }: ShownStatus): StatusFact[] {
  const fallback = (id: string, text: string | null | undefined): StatusFact[] =>
    text ? [{ id, text, look: "fallback" }] : [];
  if (engine) {
    const { engine: name, backend, adapter, reproducible } = engine;
    const moved = view.origin === "live" && view.log.engines.length > 0;
    const promise = Object.entries(words.reproducible).find(([kind]) => kind === reproducible);
    return [
      { text: `${name} on ${backend} (${adapter})` },
      // One engine's reproducibility does not cover a run on two.
      ...fallback("moved", moved ? words.moved : null),
      ...(promise && !moved ? [{ text: promise[1], look: "note" } as const] : []),
      ...fallback("fallback", engine.fallback),
      ...fallback("unchecked", engine.unchecked),
    ];
  }
  const { backend } = draft.spec.engine;
  const adapter = outlook?.adapter ? ` (${outlook.adapter})` : "";
  const chosen = backend !== "auto" ? backend : outlook && `${outlook.backend}${adapter}`;
  const recorded = view.origin === "recorded" ? view.log.start?.engine : undefined;
  return [
    { text: chosen ? `${chosen}, ${words.chosen}` : words.noEngine },
    ...fallback("outlook", backend === "auto" ? outlook?.why : null),
    ...(recorded ? [{ text: words.recordedOn(recorded), look: "note" } as const] : []),
  ];
}

const MARKS: Record<Verdict["kind"], string> = {
  waiting: "",
  exact: "✓ ",
  tolerated: "≈ ",
  diverged: "✗ ",
};

/** How the run compares with the link's, or why it is not compared. */
function comparedLine(shown: ShownStatus, compared: FingerprintCheck): StatusFact {
  const { expected, view } = shown;
  const { log } = view;
  const verdict =
    expected && linkVerdict(compared, { log, expected, differences: whatDiffers(shown) });
  if (verdict) {
    const { kind, title, text, why } = verdict;
    const look = kind === "diverged" ? "bad" : kind === "waiting" ? undefined : "good";
    const strong = { text: `${MARKS[kind]}${title}.`, look } as const;
    return { id: "verdict-line", strong, text: `${text} ${why}` };
  }
  const isMoved = log.engines.length > 0;
  if (compared.state === "incomparable")
    return { text: isMoved ? words.movedFingerprint : words.incomparable };
  const unrepeatable = isMoved ? words.movedFingerprint : words.unrepeatable;
  return { text: isReproducible(log) ? words.notCompared : unrepeatable, look: "note" };
}
