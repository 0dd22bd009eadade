/**
 * Reads selected files in a worker, so that the page stays responsive and a broken file does no
 * harm.
 */
import type { ImportChoices } from "../interchange/import/choices.ts";
import { words } from "../interchange/import/words.ts";
import type { SentCheckpoint } from "../record/sentCheckpoint.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { RecordingIntegrity } from "./experimentState.ts";
import { keepRaw, RawRun } from "../reading/log/rawRun.ts";
import type { ImportFacts } from "../reading/log/readImport.ts";
import { appendTo } from "../reading/log/recording.ts";
import type { FetchStep, IndexedEvent } from "../reading/log/recordingIndex.ts";
import { RunLog } from "../reading/log/runLog.ts";
import {
  askReader,
  loseReader,
  stepOfFiles,
  type FetchedStep,
  type ToImporter,
} from "./stepFiles.ts";

/** What the worker is asked to read, once. */
export interface ImportRequest {
  files: readonly ToImporter[];
  choices: ImportChoices;
}

/** For each run: its events, "done" and "checked", or a refusal. */
export type FromImporter =
  /** Before the first of several recordings: all names, in reading order. */
  | { type: "several"; names: string[] }
  /** The name of its file, if there are several recordings. */
  | { type: "begin"; name: string | null }
  | { type: "events"; events: IndexedEvent[] }
  /** `raw`: the data needed to save the run, if it is our own; with a checkpoint, to continue it. */
  | DoneImport
  /** Of files that are too large to be held, how much is read. */
  | { type: "share"; share: number }
  | ({ type: "checked" } & Checked)
  | ({ type: "refused" } & Refusal)
  | { type: "end" };

interface DoneImport {
  type: "done";
  /** Null: its episodes stay in the files. */
  bytes: Uint8Array<ArrayBuffer> | null;
  facts: ImportFacts;
  raw?: OwnRun | undefined;
}

export interface OwnRun {
  spec: ExperimentSpec;
  checkpoint: SentCheckpoint | null;
  /** Whether it was saved as a whole run, not just recorded. */
  saved: boolean;
}

/** After "done". */
export interface Checked {
  /** Which episodes are left out. */
  warnings: readonly string[];
  /** Whether the log is what its run wrote; null if that could not be checked. */
  integrity: RecordingIntegrity | null;
}

export interface Refusal {
  why: string;
  action: string;
  /** Names of columns that a reader may explain. */
  columns?: readonly string[];
  /** Where in the page that is done. */
  href?: string;
}

export interface ImportListener {
  /** name: of its file, if several recordings are read. */
  onRead: (log: RunLog, facts: ImportFacts, name: string | null) => void;
  /** After a run has been read: the results of its checks. */
  onChecked: (log: RunLog, checked: Checked) => void;
  /** While a run that is shown already is read on. */
  onShare?: (share: number) => void;
  /** name: of one of several; the others are still read. */
  onRefused: (refusal: Refusal, name: string | null) => void;
}

/** Starts reading; the returned function stops it. The checks of a run that has been read still finish. */
export type StartImport = (
  files: readonly File[],
  listener: ImportListener,
  choices?: ImportChoices,
) => () => void;

const paths = new WeakMap<File, string>();

/** The folder path of a dropped file: only the page knows it. */
export function rememberPath(file: File, path: string): void {
  paths.set(file, path);
}

/** A file's path including its folders. */
export function filePath(file: File): string {
  return paths.get(file) ?? (file.webkitRelativePath || file.name);
}

/** One of the runs being read, as far as it is known. */
interface ImportedPart {
  name: string | null;
  log: RunLog;
  /** Null until it is read; empty if its episodes stay in the files. */
  bytes: Uint8Array | null;
  fetchStep: FetchStep;
  /** Whether more of it is being read. */
  goesOn: boolean;
}

export const readInWorker: StartImport = (files, listener, choices = {}) => {
  const sent = files.map((file): ToImporter => ({ path: filePath(file), file }));
  const newPart = (name: string | null): ImportedPart => {
    const log = new RunLog();
    const fetchStep: FetchStep = (step) =>
      stepOfFiles(sent, step, choices).catch((error: Error) => {
        const lost = words.lostStep(step.iteration, error.message);
        listener.onChecked(log, { warnings: [lost], integrity: { state: "none" } });
        throw error;
      });
    return { name, log, bytes: null, fetchStep, goesOn: false };
  };
  const worker = new Worker(new URL("./importWorker.ts", import.meta.url), { type: "module" });
  let part = newPart(null);
  /** Names of recordings that have not been started. */
  let waiting: string[] = [];
  let stopped = false;
  const end = () => {
    worker.terminate();
    loseReader(worker);
  };
  worker.addEventListener("message", ({ data }: MessageEvent<FromImporter | FetchedStep>) => {
    if (data.type === "step" || data.type === "piece") return;
    if (data.type === "done" && data.bytes === null) askReader(worker);
    const between = data.type === "begin" || data.type === "checked" || data.type === "refused";
    if (data.type === "several") waiting = data.names;
    else if (data.type !== "begin") takeIn(part, data, listener);
    else if (!stopped) {
      part = newPart(data.name);
      waiting.shift();
    }
    if (data.type === "end" || (stopped && between)) end();
  });
  worker.addEventListener("error", ({ message }) => {
    end();
    brokenOff(part, stopped ? [] : waiting, message || "", listener);
  });
  worker.postMessage({ files: sent, choices } satisfies ImportRequest);
  return () => {
    stopped = true;
    if (part.bytes === null || part.goesOn) end();
  };
};

function takeIn(
  part: ImportedPart,
  data: FromImporter,
  { onRead, onChecked, onShare, onRefused }: ImportListener,
) {
  if (data.type === "events") appendTo(part.log, data.events, () => part.bytes!, part.fetchStep);
  else if (data.type === "share") onShare?.(data.share);
  // A run that has been read is shown or kept: only its check failed.
  else if (data.type === "refused" && part.bytes !== null)
    onChecked(part.log, { warnings: [words.unchecked(data.why)], integrity: null });
  else if (data.type === "refused") onRefused(data, part.name);
  else if (data.type === "checked") onChecked(part.log, data);
  else if (data.type === "done") {
    part.bytes = data.bytes ?? new Uint8Array(0);
    part.goesOn = data.facts.share !== undefined;
    if (data.raw) keepRaw(part.log, rawRun(data.raw, part.bytes, part.log));
    onRead(part.log, data.facts, part.name);
  }
}

function rawRun({ spec, checkpoint, saved }: OwnRun, bytes: Uint8Array, log: RunLog): RawRun {
  const raw = new RawRun(spec, saved);
  raw.append(bytes, log.version);
  raw.checkpoint = checkpoint;
  return raw;
}

/** The worker itself has failed: it will not read the waiting files either. */
function brokenOff(
  part: ImportedPart,
  waiting: readonly string[],
  message: string,
  to: ImportListener,
) {
  const [why, action] = words.refused.failed(message);
  takeIn(part, { type: "refused", why, action }, to);
  const [notBegun, again] = words.refused.notBegun;
  for (const name of waiting) to.onRefused({ why: notBegun, action: again }, name);
}
