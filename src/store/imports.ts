/** Importing as the screen sees it, into the page's first experiment: one run at a time, or several recordings. */
import { createStore } from "zustand/vanilla";
import { words } from "../interchange/import/words.ts";
import { isBusy } from "./experimentStore.ts";
import type { ExperimentStore, RecordingIntegrity } from "./experimentState.ts";
import type { ExperimentHandle } from "./hooks.ts";
import { filePath, type Checked, type Refusal, type StartImport } from "./importFiles.ts";
import { startImport } from "./startImport.ts";
import type { ImportFacts } from "../reading/log/readImport.ts";
import { rawOf } from "../reading/log/rawRun.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { keepRun } from "./runs.ts";
import { hasEdits, openDraft } from "./specDraft.ts";
import { LATEST } from "./turnChoice.ts";

export interface ImportedRun {
  /** Of the file or files. */
  name: string;
  log: RunLog;
  facts: ImportFacts;
  /** Whether its episodes and its chain have been looked through; they are while it is shown. */
  checked: boolean;
  /** Whether it is as its run wrote it; null while that is not known. */
  integrity: RecordingIntegrity | null;
}

export type Importing =
  | { state: "idle" }
  | { state: "reading"; name: string }
  | ({ state: "refused"; name: string } & Refusal)
  /** Read, but a live run is on: the reader decides. noRoom: one of several that could not be kept. */
  | { state: "asking"; run: ImportedRun; noRoom: boolean };

/** What became of several recordings that were chosen together. */
export interface Several {
  kept: readonly string[];
  /** Neither kept nor shown; null: there was no room. */
  left: readonly { name: string; why: string | null }[];
}

export interface ImportState {
  importing: Importing;
  /** Null where a single run was chosen. */
  several: Several | null;
  /** What was imported last; shown while the experiment's view says so. */
  imported: ImportedRun | null;
}

const IDLE: Importing = { state: "idle" };

export const importStore = createStore<ImportState>(() => ({
  importing: IDLE,
  several: null,
  imported: null,
}));

let stop = () => {};

/**
 * Reads files; what is shown stays until they are read, and when they cannot be.
 * @param left paths of what lay in the same folder and is not read
 */
export function importFiles(
  experiment: ExperimentHandle,
  files: readonly File[],
  start: StartImport = startImport,
  left: readonly string[] = [],
): void {
  if (files.length === 0) return;
  stop();
  const name = nameOf(files);
  importStore.setState({ importing: { state: "reading", name }, several: null });
  let first = true;
  stop = start(files, {
    onRead: (log, facts, ownName) => {
      const warnings = first && left.length > 0 ? [words.leftInFolder(left)] : [];
      const all = { ...facts, warnings: [...facts.warnings, ...warnings] };
      const run = { name: ownName ?? name, log, facts: all, checked: false, integrity: null };
      const noRoom = ownName !== null && !keepOne(run);
      if (first) receive(experiment, run, noRoom);
      else if (noRoom) leaveOne({ name: run.name, why: null });
      first = false;
    },
    onChecked: noteChecked,
    onRefused: (refusal, ownName) => {
      if (ownName !== null) leaveOne({ name: ownName, why: refusal.why });
      if (ownName === null || importStore.getState().importing.state === "reading")
        refuseImport(ownName ?? name, refusal);
    },
  });
}

/** Says why something cannot be shown. */
export function refuseImport(name: string, refusal: Refusal): void {
  importStore.setState({ importing: { state: "refused", name, ...refusal } });
}

const NONE: Several = { kept: [], left: [] };

/** Of several, each is kept as far as there is room; false when there is none. */
function keepOne({ log, name }: ImportedRun): boolean {
  if (!keepRun(log, name, "imported")) return false;
  importStore.setState(({ several }) => {
    const { kept, left } = several ?? NONE;
    return { several: { kept: [...kept, name], left } };
  });
  return true;
}

function leaveOne(one: Several["left"][number]): void {
  importStore.setState(({ several }) => {
    const { kept, left } = several ?? NONE;
    return { several: { kept, left: [...left, one] } };
  });
}

/** What became of several has been read. */
export function dismissSeveral(): void {
  importStore.setState({ several: null });
}

function nameOf(files: readonly File[]): string {
  const first = filePath(files[0]!);
  return files.length === 1 ? first : `${first} and ${files.length - 1} more`;
}

/** The first one is shown whether it is kept or not. */
function receive(experiment: ExperimentHandle, run: ImportedRun, noRoom: boolean): void {
  const state = experiment.store.getState();
  const live = isBusy(state) || state.view.origin === "live";
  if (live) importStore.setState({ importing: { state: "asking", run, noRoom } });
  else showImport(experiment, run);
}

/** What the check has found stands beside the run, wherever that stands by now. */
function noteChecked(log: RunLog, { warnings, integrity }: Checked): void {
  const checked = (run: ImportedRun): ImportedRun => {
    if (run.log !== log) return run;
    const { facts } = run;
    return {
      ...run,
      checked: true,
      integrity,
      facts: { ...facts, warnings: [...facts.warnings, ...warnings] },
    };
  };
  importStore.setState(({ importing, imported }) => ({
    imported: imported && checked(imported),
    importing:
      importing.state === "asking" ? { ...importing, run: checked(importing.run) } : importing,
  }));
}

/** Shows an imported run, whatever is there now. */
export function showImport({ store, session }: ExperimentHandle, run: ImportedRun): void {
  importStore.setState({ importing: IDLE, imported: run });
  store.setState({ choice: LATEST });
  takeSpec(store, run.log);
  session.showImported(run.log, run.name);
}

/** A whole run's experiment comes with it; a plain recording, and what somebody has changed, leave the form as it is. */
function takeSpec(store: ExperimentStore, log: RunLog): void {
  const raw = rawOf(log);
  if (!raw?.saved || hasEdits(store.getState().draft)) return;
  store.setState({ draft: openDraft(raw.spec), expected: null });
}

/** Trains on from where the imported run's checkpoint was taken. */
export function continueImport({ session }: ExperimentHandle): void {
  session.continueRun(() => importStore.setState({ imported: null }));
}

/** Leaves what is being read, or what was said of one: others are read on. The page stays as it is. */
export function dismissImport(): void {
  const { importing } = importStore.getState();
  if (importing.state === "reading") stop();
  importStore.setState({ importing: IDLE });
  if (importing.state !== "asking" || !importing.noRoom) return;
  const { run } = importing;
  // A place may be free by now.
  if (!keepOne(run)) leaveOne({ name: run.name, why: null });
}

/** Back to what was there before. */
export function closeImport({ store, session }: ExperimentHandle): void {
  importStore.setState({ imported: null });
  store.setState({ choice: LATEST });
  session.showImported(null);
}
