/** Reading chosen files in a worker, so that the page stays free and a broken file breaks nothing. */
import { words } from "../interchange/import/words.ts";
import type { SentCheckpoint } from "../record/sentCheckpoint.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { RecordingIntegrity } from "./experimentState.ts";
import { keepRaw, RawRun } from "../reading/log/rawRun.ts";
import type { ImportFacts } from "../reading/log/readImport.ts";
import { appendTo } from "../reading/log/recording.ts";
import { MAX_BYTES, type IndexedEvent } from "../reading/log/recordingIndex.ts";
import { RunLog } from "../reading/log/runLog.ts";
import { LARGEST_SAVED, SAVED_NAME } from "./savedLimits.ts";

export interface ToImporter {
  /** With the folders that it was found in. */
  path: string;
  file: File;
}

/** Of each run: its events, "done" and "checked", or that it is refused. */
export type FromImporter =
  /** Before the first of several recordings: all of them, in the order in which they are read. */
  | { type: "several"; names: string[] }
  /** The name of its file, where there are several recordings. */
  | { type: "begin"; name: string | null }
  | { type: "events"; events: IndexedEvent[] }
  /** `raw`: what it takes to save the run, where it is one of one's own; with a checkpoint, to continue it. */
  | { type: "done"; bytes: Uint8Array<ArrayBuffer>; facts: ImportFacts; raw?: OwnRun | undefined }
  | ({ type: "checked" } & Checked)
  | { type: "refused"; why: string; action: string }
  | { type: "end" };

export interface OwnRun {
  spec: ExperimentSpec;
  checkpoint: SentCheckpoint | null;
  /** Whether it was saved as a whole run, not recorded alone. */
  saved: boolean;
}

/** After "done". */
export interface Checked {
  /** What of the episodes is left out. */
  warnings: readonly string[];
  /** Whether the log is as its run wrote it; null where that could not be found out. */
  integrity: RecordingIntegrity | null;
}

export interface Refusal {
  why: string;
  action: string;
}

export interface ImportListener {
  /** name: of its file, where several recordings are read. */
  onRead: (log: RunLog, facts: ImportFacts, name: string | null) => void;
  /** After a run has been read: whatever else there is to say of it. */
  onChecked: (log: RunLog, checked: Checked) => void;
  /** name: of one of several; the others are read. */
  onRefused: (refusal: Refusal, name: string | null) => void;
}

/** Starts reading; the returned function ends that. A run that has been read is checked to the end all the same. */
export type StartImport = (files: readonly File[], listener: ImportListener) => () => void;

const paths = new WeakMap<File, string>();

/** Where a file was found in a folder that was dropped: only the page knows. */
export function rememberPath(file: File, path: string): void {
  paths.set(file, path);
}

/** A file's name, after the folders that it was found in. */
export function filePath(file: File): string {
  return paths.get(file) ?? (file.webkitRelativePath || file.name);
}

/** One of the runs that are read, as far as it is known. */
interface ImportedPart {
  name: string | null;
  log: RunLog;
  bytes: Uint8Array | null;
}

const newPart = (name: string | null): ImportedPart => ({ name, log: new RunLog(), bytes: null });

export const readInWorker: StartImport = (files, listener) => {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const most = files.every(({ name }) => name.endsWith(SAVED_NAME)) ? LARGEST_SAVED : MAX_BYTES;
  if (size > most) {
    const [why, action] = words.refused.large(megabytes(size), megabytes(most));
    listener.onRefused({ why, action }, null);
    return () => {};
  }
  const worker = new Worker(new URL("./importWorker.ts", import.meta.url), { type: "module" });
  let part = newPart(null);
  /** Names of recordings that have not begun. */
  let waiting: string[] = [];
  let stopped = false;
  worker.addEventListener("message", ({ data }: MessageEvent<FromImporter>) => {
    const between = data.type === "begin" || data.type === "checked" || data.type === "refused";
    if (data.type === "several") waiting = data.names;
    else if (data.type !== "begin") takeIn(part, data, listener);
    else if (!stopped) {
      part = newPart(data.name);
      waiting.shift();
    }
    if (data.type === "end" || (stopped && between)) worker.terminate();
  });
  worker.addEventListener("error", ({ message }) => {
    worker.terminate();
    brokenOff(part, stopped ? [] : waiting, message || "", listener);
  });
  worker.postMessage(files.map((file): ToImporter => ({ path: filePath(file), file })));
  return () => {
    stopped = true;
    if (part.bytes === null) worker.terminate();
  };
};

function takeIn(
  part: ImportedPart,
  data: FromImporter,
  { onRead, onChecked, onRefused }: ImportListener,
) {
  if (data.type === "events") appendTo(part.log, data.events, () => part.bytes!);
  // What has been read is shown, or kept: only its check failed.
  else if (data.type === "refused" && part.bytes !== null)
    onChecked(part.log, { warnings: [words.unchecked(data.why)], integrity: null });
  else if (data.type === "refused") onRefused(data, part.name);
  else if (data.type === "checked") onChecked(part.log, data);
  else if (data.type === "done") {
    part.bytes = data.bytes;
    if (data.raw) keepRaw(part.log, rawRun(data.raw, data.bytes, part.log));
    onRead(part.log, data.facts, part.name);
  }
}

function rawRun({ spec, checkpoint, saved }: OwnRun, bytes: Uint8Array, log: RunLog): RawRun {
  const raw = new RawRun(spec, saved);
  raw.append(bytes, log.version);
  raw.checkpoint = checkpoint;
  return raw;
}

/** The worker itself has failed: it reads none of those that waited either. */
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

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
