/** Reading chosen files in a worker, so that the page stays free and a broken file breaks nothing. */
import { words } from "../interchange/import/words.ts";
import type { ImportFacts } from "./readImport.ts";
import { appendTo } from "./recording.ts";
import { MAX_BYTES, type IndexedEvent } from "./recordingIndex.ts";
import { RunLog } from "./runLog.ts";

export type FromImporter =
  | { type: "events"; events: IndexedEvent[] }
  | { type: "done"; bytes: Uint8Array<ArrayBuffer>; facts: ImportFacts }
  /** After "done": what of the episodes is left out. */
  | { type: "checked"; warnings: string[] }
  | { type: "refused"; why: string; action: string };

export interface Refusal {
  why: string;
  action: string;
}

export interface ImportListener {
  onRead: (log: RunLog, facts: ImportFacts) => void;
  /** After a run has been read: whatever else there is to say of it. */
  onChecked: (log: RunLog, warnings: readonly string[]) => void;
  onRefused: (refusal: Refusal) => void;
}

/** Starts reading; the returned function ends that. What has been read is checked to the end all the same. */
export type StartImport = (files: readonly File[], listener: ImportListener) => () => void;

export const startImport: StartImport = (files, { onRead, onChecked, onRefused }) => {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MAX_BYTES) {
    const [why, action] = words.refused.large(megabytes(size), megabytes(MAX_BYTES));
    onRefused({ why, action });
    return () => {};
  }
  const worker = new Worker(new URL("./importWorker.ts", import.meta.url), { type: "module" });
  const log = new RunLog();
  let bytes: Uint8Array | null = null;
  const fail = (refusal: Refusal) => {
    worker.terminate();
    if (bytes === null) onRefused(refusal);
    else onChecked(log, [words.unchecked(refusal.why)]);
  };
  worker.addEventListener("message", ({ data }: MessageEvent<FromImporter>) => {
    if (data.type === "events") return appendTo(log, data.events, () => bytes!);
    if (data.type === "refused") return fail(data);
    if (data.type === "done") {
      bytes = data.bytes;
      return onRead(log, data.facts);
    }
    worker.terminate();
    onChecked(log, data.warnings);
  });
  worker.addEventListener("error", ({ message }) => {
    const [why, action] = words.refused.failed(message || "");
    fail({ why, action });
  });
  worker.postMessage([...files]);
  return () => {
    if (bytes === null) worker.terminate();
  };
};

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
