/** The state of an import into the page's first experiment: one run at a time, or several recordings. */
import { createStore } from "zustand/vanilla";
import type { ImportChoices } from "../interchange/import/choices.ts";
import type { TellingPlace } from "../interchange/import/telling.ts";
import { words } from "../interchange/import/words.ts";
import { isBusy } from "./experimentStore.ts";
import type { ExperimentStore, RecordingIntegrity } from "./experimentState.ts";
import type { ExperimentHandle } from "./hooks.ts";
import {
  filePath,
  type Checked,
  type ImportListener,
  type Refusal,
  type StartImport,
} from "./importFiles.ts";
import { startImport } from "./startImport.ts";
import type { ImportFacts } from "../reading/log/readImport.ts";
import { rawOf } from "../reading/log/rawRun.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { LayoutName } from "./layouts.ts";
import { layoutNow, withAlone, withLayout } from "./lens.ts";
import { keepRun } from "./runs.ts";
import { hasEdits, openDraft } from "./specDraft.ts";
import { LATEST, type TurnChoice } from "./turnChoice.ts";

/** Files as they were chosen, so that they can be read again with other choices. */
export interface ImportSource {
  files: readonly File[];
  /** Paths of files in the same folder that are not read. */
  left: readonly string[];
  choices: ImportChoices;
}

export interface ImportedRun {
  /** Name of the file or files. */
  name: string;
  log: RunLog;
  facts: ImportFacts;
  from: ImportSource;
  /** Whether its episodes and its hash chain have been checked; this happens while it is shown. */
  checked: boolean;
  /** Whether it is what its run wrote; null while unknown. */
  integrity: RecordingIntegrity | null;
}

export type Importing =
  | { state: "idle" }
  | { state: "reading"; name: string }
  | ({ state: "refused"; name: string; from: ImportSource | null } & Refusal)
  /**
   * Read, but a live run is on: the reader decides. noRoom: one of several that could not be kept.
   */
  | { state: "asking"; run: ImportedRun; noRoom: boolean }
  /** Read, and the page puts its notebook away first. */
  | { state: "opening"; run: ImportedRun };

/** The result of importing several recordings together. */
export interface Several {
  kept: readonly string[];
  /** Neither kept nor shown; null: there was no space. */
  left: readonly { name: string; why: string | null }[];
}

export interface ImportState {
  importing: Importing;
  /** Null if a single run was selected. */
  several: Several | null;
  /** The last imported run; shown while the experiment's view says so. */
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
 * Reads files; the current view stays until they are read, and if they cannot be.
 * @param left paths of files in the same folder that are not read
 * @param choices what the reader says of them
 */
export function importFiles(
  experiment: ExperimentHandle,
  files: readonly File[],
  start: StartImport = startImport,
  left: readonly string[] = [],
  choices: ImportChoices = {},
): void {
  const from = { files, left, choices };
  if (files.length === 0) return;
  stop();
  const name = nameOf(files);
  importStore.setState({ importing: { state: "reading", name }, several: null });
  let first = true;
  const listener: ImportListener = {
    onRead: (log, facts, ownName) => {
      const warnings =
        (first || ownName === null) && left.length > 0 ? [words.leftInFolder(left)] : [];
      const all = { ...facts, warnings: [...facts.warnings, ...warnings] };
      log.part = facts.part ?? null;
      const known = { log, facts: all, from, checked: false, integrity: null };
      const run = { name: ownName ?? name, ...known };
      const noRoom = ownName !== null && !keepOne(run);
      if (first) receive(experiment, run, noRoom);
      else if (noRoom) leaveOne({ name: run.name, why: null });
      else if (ownName === null) showGrown(experiment, run);
      first = false;
    },
    onChecked: noteChecked,
    onShare: (share) =>
      importStore.setState(({ imported }) => ({
        imported: imported && { ...imported, facts: { ...imported.facts, share } },
      })),
    onRefused: (refusal, ownName) => {
      if (ownName !== null) leaveOne({ name: ownName, why: refusal.why });
      if (ownName === null || importStore.getState().importing.state === "reading")
        refuseImport(ownName ?? name, refusal, from);
    },
  };
  stop = start(files, listener, choices);
}

/** Reads the same files with other choices. */
export function readAgain(
  experiment: ExperimentHandle,
  { files, left }: ImportSource,
  choices: ImportChoices,
): void {
  importFiles(experiment, files, startImport, left, choices);
}

/** Shows why something cannot be displayed. */
export function refuseImport(
  name: string,
  refusal: Refusal,
  from: ImportSource | null = null,
): void {
  importStore.setState({ importing: { state: "refused", name, from, ...refusal } });
}

const NONE: Several = { kept: [], left: [] };

/** Of several, as many are kept as fit; returns false if there is no space. */
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

/** The reader has seen the result for several recordings. */
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
  else openImport(experiment, run);
}

/** Puts away what is on screen, and then calls `showOpening`; null where nothing has to go. */
let makeRoom: (() => void) | null = null;

/** Names what puts a notebook away before another program's run is shown; returns what takes it back. */
export function onOpening(listener: () => void): () => void {
  makeRoom = listener;
  return () => {
    if (makeRoom === listener) makeRoom = null;
  };
}

/** Shows an imported run; one of another program once there is room, so that a notebook does not draw it before it goes. */
export function openImport(experiment: ExperimentHandle, run: ImportedRun): void {
  if (!makeRoom || run.facts.telling === undefined) return showImport(experiment, run);
  importStore.setState({ importing: { state: "opening", run } });
  makeRoom();
}

/** Shows the run that waited for room, unless other files have come; returns whether it did. */
export function showOpening(experiment: ExperimentHandle): boolean {
  const { importing } = importStore.getState();
  if (importing.state !== "opening") return false;
  showImport(experiment, importing.run);
  return true;
}

/** Milliseconds after a run is opened in which nobody has begun to read. */
const OPENING = 5000;
let openedAt = 0;

/** Where a run has led its reader: the same object for as long as they stay there. */
let led: TurnChoice = LATEST;

const tellingChoice = (telling?: TellingPlace | null): TurnChoice =>
  (led = { ...LATEST, ...telling });

/** To the turn where there is most to see in a run that was not whole when it opened. */
export function goToTelling(store: ExperimentStore, telling: TellingPlace | null): void {
  if (telling) store.setState({ choice: tellingChoice(telling) });
  importStore.setState(({ imported }) => ({ imported: imported && withoutElsewhere(imported) }));
}

function withoutElsewhere(run: ImportedRun): ImportedRun {
  const { elsewhere: _gone, ...facts } = run.facts;
  return { ...run, facts };
}

/** Whether a run is read and not shown yet. */
const waits = (importing: Importing) =>
  importing.state === "asking" || importing.state === "opening";

/** The same files with more in them: whoever looks at the run keeps the place, and whoever has closed it is left alone. */
function showGrown({ store, session }: ExperimentHandle, run: ImportedRun): void {
  const { importing, imported } = importStore.getState();
  if (waits(importing)) importStore.setState({ importing: { ...importing, run } });
  else if (imported?.name !== run.name || store.getState().view.origin !== "imported") stop();
  else {
    run.log.adopt(imported.log);
    // Whoever reads stays where they are: only a run that is opened leads to its most telling turn, or can.
    const { telling, ...facts } = run.facts;
    const isWhole = imported.facts.share !== undefined && facts.share === undefined;
    const elsewhere = isWhole && telling ? { elsewhere: telling } : {};
    const grown = { ...run, facts: { ...facts, ...elsewhere } };
    importStore.setState({ importing: IDLE, imported: grown });
    const isOpening = isWhole && performance.now() - openedAt < OPENING;
    if (isOpening) goToTelling(store, telling ?? null);
    // Of a run that is written on, the newest step, until the reader has chosen another.
    else if (facts.notes.includes(words.followed) && store.getState().choice === led)
      store.setState({ choice: (led = { ...LATEST, algorithm: telling?.algorithm ?? null }) });
    session.showImported(run.log, run.name);
  }
}

/** The result of the check is stored with the run, wherever the run is by now. */
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
    importing: waits(importing) ? { ...importing, run: checked(importing.run) } : importing,
  }));
}

/** Shows an imported run, replacing whatever is there. */
export function showImport({ store, session }: ExperimentHandle, run: ImportedRun): void {
  // Read again with other choices, it has the same episodes.
  const isAgain = importStore.getState().imported?.from.files === run.from.files;
  importStore.setState({ importing: IDLE, imported: run });
  openedAt = performance.now();
  if (!isAgain)
    store.setState(({ lens }) => ({
      choice: tellingChoice(run.facts.telling),
      // A custom arrangement stays.
      ...(layoutNow(lens) !== null && {
        lens: withLayout(withAlone(lens, null), layoutFor(run)),
      }),
    }));
  takeSpec(store, run.log);
  session.showImported(run.log, run.name);
}

/** Episodes with values can be explained, without them read; a file of curves shows the run's health. */
function layoutFor({ log, facts: { telling, absent } }: ImportedRun): LayoutName {
  const named = log.algorithms.filter((name) => log.iterationsWithEpisodes(name).length > 0);
  if (named.length === 0) return "health";
  const hasValues = (name: string) =>
    log
      .episodes(name, log.iterationsWithEpisodes(name).at(-1)!)
      .some(({ turns }) => turns.some(({ value }) => Number.isFinite(value)));
  // Another program's files were read to the end, and say it.
  const valued = telling ? !absent.includes(words.absent.values) : named.some(hasValues);
  return valued ? "why" : "logs";
}

/** A whole run brings its experiment; a plain recording does not change the form, and neither does any import after local edits. */
function takeSpec(store: ExperimentStore, log: RunLog): void {
  const raw = rawOf(log);
  if (!raw?.saved || hasEdits(store.getState().draft)) return;
  store.setState({ draft: openDraft(raw.spec), expected: null });
}

/** Continues training from the imported run's checkpoint. */
export function continueImport({ session }: ExperimentHandle): void {
  session.continueRun(() => importStore.setState({ imported: null }));
}

/** Cancels the current file or dismisses its message; other files are still read. The page does not change. */
export function dismissImport(): void {
  const { importing } = importStore.getState();
  if (importing.state === "reading") stop();
  importStore.setState({ importing: IDLE });
  if (importing.state !== "asking" || !importing.noRoom) return;
  const { run } = importing;
  // There may be space by now.
  if (!keepOne(run)) leaveOne({ name: run.name, why: null });
}

/** Back to the previous view. */
export function closeImport({ store, session }: ExperimentHandle): void {
  importStore.setState({ imported: null });
  store.setState({ choice: LATEST });
  session.showImported(null);
}
