/**
 * What the screen shows of one experiment cell: its form, its run, and what is chosen in its panels.
 * One store per cell; curves and turn cells that depend on the cell read the same store.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Outlook } from "../runtime/outlook.ts";
import type { EngineReport, Progress, RunState } from "../runtime/protocol.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { DecodedLink } from "../spec/link.ts";
import type { Integrity } from "../train/integrity.ts";
import type { Expectation } from "../spec/linkExtras.ts";
import { recordedTruths, type FileCheck } from "./columnar.ts";
import { START_VIEW, type CurvesSlice } from "./curvesView.ts";
import { leaveFork, NO_FORKS, type ForksSlice } from "./forks.ts";
import { START_LENS, type LensSlice } from "./lens.ts";
import type { Silence } from "./pulse.ts";
import { noRun, viewOf, type RunView } from "./runLog.ts";
import { openDraft, type SpecDraft } from "./specDraft.ts";
import { NO_TRUTHS, type TruthsSlice } from "./truths.ts";
import { LATEST, type TurnChoice } from "./turnChoice.ts";

export interface SpecSlice {
  draft: SpecDraft;
  /** What the opened link promises of its experiment. */
  expected: (Expectation & { spec: ExperimentSpec }) | null;
  /** What could not be used of the link or the notebook cell. */
  warnings: string[];
  /** A link that arrived while there were local edits or a run: the reader decides. */
  waitingLink: DecodedLink | null;
}

export interface Problem {
  kind: "input" | "environment" | "learning" | "defect";
  message: string;
  action: string;
}

/** The recorded run that is shown until a live one takes over. */
export type Recording =
  | { state: "none" | "loading" | "missing" }
  /** It is there, and damaged: why, without a full stop. */
  | { state: "refused"; why: string }
  /** integrity: null while it is not known. */
  | { state: "shown"; command: string; warnings: string[]; integrity: RecordingIntegrity | null };

/** Of a log its chain, of a columnar recording its files. */
export type RecordingIntegrity = Integrity | ({ state: "file" } & FileCheck);

export interface RunSlice {
  view: RunView;
  /** The recorded run, also while a live one is shown; null when there is none. */
  recorded: RunView | null;
  state: RunState;
  /** Whether a reset is waiting for the worker's answer. */
  stopping: boolean;
  /** What is or was run live; null before the first run and after a reset. */
  runSpec: ExperimentSpec | null;
  engine: EngineReport | null;
  /** What will be used, before an engine has been started; null while the browser has not said. */
  outlook: Outlook | null;
  progress: Progress | null;
  problem: Problem | null;
  fingerprint: string | null;
  recording: Recording;
  /** Least milliseconds per iteration. */
  pace: number;
  /** One sentence: why the run has a new worker, and where that one begins. */
  recovered: string | null;
  /** One sentence: why there is no checkpoint. */
  unprotected: string | null;
  /** The worker does not respond. */
  silence: Silence | null;
  /** What is to be done to a run that would be lost by it: the reader decides. */
  leaving: Leaving | null;
}

export type Leaving = "reset" | "run";

export interface TurnsSlice {
  choice: TurnChoice;
  /** Which view of the experiment is open: its notebook, or the lens. */
  screen: Screen;
}

export type Screen = "notebook" | "lens";

export type ExperimentState = SpecSlice &
  RunSlice &
  TurnsSlice &
  TruthsSlice &
  ForksSlice &
  CurvesSlice &
  LensSlice;
export type ExperimentStore = StoreApi<ExperimentState>;

export function createExperimentStore(
  spec: ExperimentSpec,
  warnings: string[] = [],
): ExperimentStore {
  const store = createStore<ExperimentState>(() => ({
    ...initialSpec(spec, warnings),
    ...initialRun(),
    choice: LATEST,
    screen: "notebook",
    truths: NO_TRUTHS,
    ...NO_FORKS,
    curves: START_VIEW,
    lens: START_LENS,
  }));
  // The truth about one run says nothing about another; nor does what would have happened in it.
  store.subscribe((now, before) => {
    if (now.view.log !== before.view.log) {
      store.setState({ truths: recordedTruths(now.view.log), ...NO_FORKS });
      followReading(store);
    }
    leaveFork(store);
  });
  return store;
}

/** Long lines are read while panels wait: then there is something new to show, and perhaps true values with it. */
function followReading(store: ExperimentStore): void {
  const { log, origin } = store.getState().view;
  log.onRead = () => {
    if (store.getState().view.log !== log) return;
    store.setState(({ truths }) => ({
      view: viewOf(log, origin),
      truths: { ...recordedTruths(log), ...truths },
    }));
  };
}

function initialSpec(spec: ExperimentSpec, warnings: string[]): SpecSlice {
  return { draft: openDraft(spec), expected: null, warnings, waitingLink: null };
}

function initialRun(): RunSlice {
  return {
    view: noRun(),
    recorded: null,
    state: "idle",
    stopping: false,
    runSpec: null,
    engine: null,
    outlook: null,
    progress: null,
    problem: null,
    fingerprint: null,
    recording: { state: "none" },
    pace: 0,
    ...{ recovered: null, unprotected: null, silence: null, leaving: null },
  };
}

/** Whether a run is under way (paused counts). */
export function isBusy({ state }: Pick<RunSlice, "state">): boolean {
  return state === "loading" || state === "running" || state === "paused";
}
