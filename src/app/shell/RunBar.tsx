/** The run, always visible: its buttons, its state in words, its iterations, and its engine. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { formatDuration } from "../../numeric/format.ts";
import type { RunState } from "../../runtime/protocol.ts";
import {
  fingerprintShown,
  type ExperimentState,
  type ExperimentStore,
} from "../../store/experimentState.ts";
import { showsAnotherRun } from "../../store/anotherRun.ts";
import {
  ExperimentContext,
  type ExperimentHandle,
  useExperiment,
  useExperimentState,
} from "../../store/hooks.ts";
import { runQueue, toggleInTurn } from "../../store/runQueue.ts";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { titleOf } from "../../reading/titles.ts";
import { RunAnew } from "../RunAnew.tsx";
import { appWords } from "../strings.ts";
import { copyLink } from "../copyLink.ts";
import { useRunTime } from "../runTime.ts";
import { CopyResult } from "./CopyResult.tsx";
import { Timeline } from "./Timeline.tsx";
import { Button } from "../../ui/Button.tsx";
import { PROMISES, type Promised } from "../../spec/reproducible.ts";
import { words } from "./words.ts";

interface RunBarProps {
  experiment: ExperimentHandle;
  /** Whether the keys of the run work on the current page. */
  hasKeys: boolean;
  /** Address of the experiment's cell. */
  placeHref: () => string;
  /** Address of the doctor's findings. */
  healthHref: () => string;
}

export function RunBar({ experiment, hasKeys, placeHref, healthHref }: RunBarProps) {
  const { state, origin, iteration } = useStore(experiment.store, useShallow(selectBar));
  return (
    <ExperimentContext value={experiment}>
      <section
        className="run-bar"
        aria-label={words.title}
        data-testid="run-bar"
        data-run-state={state}
        data-run-iteration={origin === "live" ? iteration : undefined}
      >
        <RunButtons hasKeys={hasKeys} />
        {state === "paused" && <RunAnew />}
        <RunName href={placeHref} />
        <StateInWords />
        <Timeline healthHref={healthHref} />
        <TimeLeft />
        <RunsOn />
        <Button
          className="bar-share"
          aria-label={words.share}
          data-testid="copy-link"
          onClick={() => void copyLink(experiment.store)}
        >
          <Icon name="share" />
          <span>{words.share}</span>
        </Button>
        <CopyResult />
      </section>
    </ExperimentContext>
  );
}

const selectBar = ({ state, view }: ExperimentState) => ({
  state,
  origin: view.origin,
  iteration: view.log.finishedIterations,
});

const selectButtons = (all: ExperimentState) => ({
  state: all.state,
  stopping: all.stopping,
  hasRun: all.runSpec !== null,
  unusable: Object.keys(all.draft.pending).length > 0,
});

function RunButtons({ hasKeys }: { hasKeys: boolean }) {
  const experiment = useExperiment();
  const { store, session } = experiment;
  const { state, stopping, hasRun, unusable } = useStore(store, useShallow(selectButtons));
  const place = usePlaceInQueue(store);
  const starts = state === "idle" || state === "finished" || state === "failed";
  const busy = state === "running" || state === "loading";
  const { label, icon } = place === null ? runButton(state) : WAITS;
  const resetName = state === "loading" ? words.cancel : words.reset;
  return (
    <div className="bar-buttons" role="group" aria-label={words.title}>
      <Button
        look="primary"
        data-as="run"
        data-testid="run"
        disabled={stopping || state === "loading" || (starts && unusable)}
        title={place === null ? undefined : words.leaveQueue}
        onClick={() => toggleInTurn(experiment)}
      >
        <Icon name={icon} />
        {stopping ? words.stopping : label}
        {hasKeys && <kbd aria-hidden="true">{words.space}</kbd>}
      </Button>
      <Button
        data-as="step"
        data-testid="step"
        title={words.stepHint}
        aria-label={words.step}
        disabled={stopping || busy || (starts && unusable)}
        onClick={session.step}
      >
        <Icon name="step" />
      </Button>
      <Button
        data-testid="reset"
        title={resetName}
        aria-label={resetName}
        disabled={stopping || !hasRun}
        onClick={session.reset}
      >
        <Icon name="reset" />
      </Button>
    </div>
  );
}

/** What the buttons run, with a link to it. */
function RunName({ href }: { href: () => string }) {
  const { id, store } = useExperiment();
  const { preset, seed, optimisation, algorithms } = useStore(store, ({ draft }) => draft.spec);
  const methods = algorithms.map(({ name }) => titleOf(name)).join(", ");
  const about = appWords.settingsAre(preset, seed, optimisation.iterations, methods);
  return (
    <a
      className="bar-name"
      href={href()}
      title={words.runs(about)}
      data-testid="bar-name"
      onPointerDown={({ currentTarget }) => (currentTarget.href = href())}
    >
      {id}
    </a>
  );
}

/** Its position in the queue for the engine, from 1; null if it is not waiting. */
function usePlaceInQueue(store: ExperimentStore): number | null {
  const at = useStore(runQueue, ({ waiting }) => waiting.findIndex((one) => one.store === store));
  return at < 0 ? null : at + 1;
}

const WAITS = { label: words.waits, icon: "pause" } as const;

function runButton(state: RunState): { label: string; icon: IconName } {
  if (state === "running") return { label: words.pause, icon: "pause" };
  if (state === "paused") return { label: words.resume, icon: "play" };
  return { label: state === "loading" ? words.loading : words.run, icon: "play" };
}

const selectWords = (all: ExperimentState) => ({
  state: all.state,
  stopping: all.stopping,
  origin: all.view.origin,
  other: showsAnotherRun(all),
});

function StateInWords() {
  const { store } = useExperiment();
  const place = usePlaceInQueue(store);
  const ahead = useStore(runQueue, ({ current }) => current?.id);
  const { state, stopping, origin, other } = useExperimentState(useShallow(selectWords));
  const text = stopping
    ? words.stopping
    : place !== null
      ? words.queued(place, ahead)
      : state === "idle"
        ? other
          ? words.otherRun
          : words.origins[origin]
        : words.states[state];
  return (
    <span
      className={state === "failed" ? "chip chip-bad" : "chip"}
      title={other ? words.otherRunHint : undefined}
      data-part="state"
      data-testid="bar-state"
    >
      {state === "failed" && <Icon name="alert" size={14} />}
      {text}
    </span>
  );
}

const selectTime = ({ state, progress }: ExperimentState) =>
  state === "running" || state === "paused" ? (progress?.secondsLeft ?? null) : null;

function TimeLeft() {
  const left = useStore(useExperiment().store, selectTime);
  if (left === null) return <TimeBefore />;
  return <span className="bar-fact bar-time">{words.left(formatDuration(left))}</span>;
}

const selectIdle = ({ state }: ExperimentState) => state === "idle";

/** Before Run: how long it will take. */
function TimeBefore() {
  const isIdle = useStore(useExperiment().store, selectIdle);
  const time = useRunTime();
  if (!isIdle || time === null) return null;
  return (
    <span className="bar-fact bar-time" data-testid="bar-takes">
      {words.takes(time)}
    </span>
  );
}

const selectEngine = (state: ExperimentState) => ({
  backend:
    state.engine?.backend ?? chosenBackend(state.draft.spec.engine.backend, state.outlook?.backend),
  promised: state.engine?.reproducible ?? null,
  seed: state.view.log.start?.spec.seed ?? state.draft.spec.seed,
  fingerprint: fingerprintShown(state),
});

function chosenBackend(inForm: string, predicted: string | undefined): string | null {
  return inForm === "auto" ? (predicted ?? null) : inForm;
}

function RunsOn() {
  const { backend, promised, seed, fingerprint } = useExperimentState(useShallow(selectEngine));
  return (
    <span className="bar-fact bar-engine">
      {backend !== null && (
        <span>
          {words.backends[backend] ?? backend}
          <Exactness backend={backend} promised={promised} />
        </span>
      )}
      <span>
        {words.seed} <strong>{seed}</strong>
      </span>
      {fingerprint !== null && (
        <code title={words.fingerprint(fingerprint)}>{fingerprint.slice(0, 6)}</code>
      )}
    </span>
  );
}

/** For the page's own engines before a run has reported it. */
const OWN: Partial<Record<string, Promised>> = { wasm: "everywhere", webgpu: "device" };

/** `promised`: by the running engine; null before. Renders nothing if unknown. */
export function Exactness({ backend, promised }: { backend: string; promised: string | null }) {
  const known = promised !== null && isPromise(promised) ? promised : OWN[backend];
  if (known === undefined) return null;
  const Said = known === "no" ? "span" : "strong";
  return (
    <>
      {", "}
      <Said title={PROMISES[known]} data-testid="bar-exact">
        {words.exact[known]}
      </Said>
    </>
  );
}

function isPromise(text: string): text is Promised {
  return Object.hasOwn(PROMISES, text);
}
