/** The store's state of one experiment cell, slice by slice. */
import type { RunState, EngineReport, WorkerProgress } from "../runtime/protocol.ts";
import type { KeptRun } from "../runtime/shelf/keptRuns.ts";
import type { Outlook } from "../runtime/outlook.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { sameSpec, type DecodedLink } from "../spec/link.ts";
import type { Expectation } from "../spec/linkExtras.ts";
import type { Integrity } from "../train/integrity.ts";
import type { RunView } from "../reading/log/runLog.ts";
import type { Silence } from "./pulse.ts";
import type { FileCheck } from "../reading/log/columnar.ts";
import type { SpecDraft } from "./specDraft.ts";
import type { TurnChoice } from "./turnChoice.ts";
import type { CurvesSlice } from "./curvesView.ts";
import type { ForksSlice } from "./forkTypes.ts";
import type { LensSlice } from "./lens.ts";
import type { SeedsSlice } from "./seeds.ts";
import type { TruthsSlice } from "./truths.ts";
import type { StoreApi } from "zustand";

export interface SpecSlice {
  /** The address of the notebook that defines the experiment, such as #book/k3x9/first; null if a link defines it. */
  home: string | null;
  /** Where its runs are stored: the notebook's address and its name there; null if they are not. */
  place: string | null;
  /**
   * The page's own experiment, which its recorded run belongs to, whatever a link or the form
   * contains.
   */
  own: ExperimentSpec;
  draft: SpecDraft;
  /** The expected results in the opened link. */
  expected: (Expectation & { spec: ExperimentSpec }) | null;
  /** What could not be used of the link or the notebook cell. */
  warnings: string[];
  /** A link that arrived during local edits or a run: the reader decides. */
  waitingLink: DecodedLink | null;
}

export interface Problem {
  kind: "input" | "environment" | "learning" | "defect";
  message: string;
  action: string;
}

/** The recorded run shown until a live one replaces it. */
export type Recording =
  | { state: "none" | "loading" | "missing" }
  /** The file exists but is damaged: why, without a full stop. */
  | { state: "refused"; why: string }
  /** integrity: null while unknown. */
  | { state: "shown"; command: string; warnings: string[]; integrity: RecordingIntegrity | null };

/** For a log its hash chain, for a columnar recording its files. */
export type RecordingIntegrity = Integrity | ({ state: "file" } & FileCheck);
export interface RunSlice {
  view: RunView;
  /** The recorded run, also while a live one is shown; null if there is none. */
  recorded: RunView | null;
  state: RunState;
  /** Whether a reset is waiting for the worker's answer. */
  stopping: boolean;
  /** The spec of the current or last live run; null before the first run and after a reset. */
  runSpec: ExperimentSpec | null;
  engine: EngineReport | null;
  /**
   * The engine that will be used, before one has been started; null until the browser has answered.
   */
  outlook: Outlook | null;
  progress: WorkerProgress | null;
  problem: Problem | null;
  fingerprint: string | null;
  recording: Recording;
  /** Minimum milliseconds per iteration. */
  pace: number;
  /** One sentence: why the run has a new worker, and where it continues. */
  recovered: string | null;
  /** One sentence: why there is no checkpoint. */
  unprotected: string | null;
  /** Why the live run is not stored in the browser, without a full stop; null if it is, or if runs are not stored at all. */
  notKept: string | null;
  /** A run of this experiment that was unfinished when its page was closed: the reader decides. */
  resumable: KeptRun | null;
  /** The worker does not respond. */
  silence: Silence | null;
  /** An action that would lose an unsaved run: the reader decides. */
  leaving: Leaving | null;
}

export type Leaving = "reset" | "run";
interface TurnsSlice {
  choice: TurnChoice;
  /** The open view of the experiment: its notebook, or the lens. */
  screen: Screen;
}

export type Screen = "notebook" | "lens";
export type ExperimentState = SpecSlice &
  RunSlice &
  TurnsSlice &
  TruthsSlice &
  ForksSlice &
  CurvesSlice &
  SeedsSlice &
  LensSlice;
export type ExperimentStore = StoreApi<ExperimentState>;

/** Resets the state that belongs to the previous run. */
export const CLEARED: Partial<RunSlice> = {
  problem: null,
  fingerprint: null,
  progress: null,
  recovered: null,
  unprotected: null,
  silence: null,
  resumable: null,
};

export function isRunOver(state: RunState): boolean {
  return state === "idle" || state === "finished" || state === "failed";
}

/** The last hash of the run that is shown, once it has ended; null before, and for files without one. */
export const fingerprintShown = ({ fingerprint, view: { log } }: ExperimentState): string | null =>
  fingerprint || (log.end && log.lastChain) || null;

/** Whether an experiment shows a run of something else than what it says now. */
export const isOutOfDate = ({ runSpec, draft }: ExperimentState): boolean =>
  runSpec !== null && !sameSpec(runSpec, draft.spec);
