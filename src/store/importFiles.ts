/** Reading chosen files in a worker, so that the page stays free and a broken file breaks nothing. */
import { words } from "../interchange/import/words.ts";
import type { ImportFacts } from "./readImport.ts";
import { appendTo } from "./recording.ts";
import { MAX_BYTES, type IndexedEvent } from "./recordingIndex.ts";
import { RunLog } from "./runLog.ts";

export type FromImporter =
  | { type: "events"; events: IndexedEvent[] }
  | { type: "done"; bytes: Uint8Array<ArrayBuffer>; facts: ImportFacts }
  | { type: "refused"; why: string; action: string };

export interface Refusal {
  why: string;
  action: string;
}

export interface ImportListener {
  onRead: (log: RunLog, facts: ImportFacts) => void;
  onRefused: (refusal: Refusal) => void;
}

/** Starts reading; the returned function ends it, whatever it is doing. */
export type StartImport = (files: readonly File[], listener: ImportListener) => () => void;

export const startImport: StartImport = (files, { onRead, onRefused }) => {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MAX_BYTES) {
    const [why, action] = words.refused.large(megabytes(size), megabytes(MAX_BYTES));
    onRefused({ why, action });
    return () => {};
  }
  const worker = new Worker(new URL("./importWorker.ts", import.meta.url), { type: "module" });
  const end = () => worker.terminate();
  const log = new RunLog();
  let bytes = new Uint8Array();
  worker.addEventListener("message", ({ data }: MessageEvent<FromImporter>) => {
    if (data.type === "events") return appendTo(log, data.events, () => bytes);
    end();
    if (data.type === "refused") return onRefused(data);
    bytes = data.bytes;
    onRead(log, data.facts);
  });
  worker.addEventListener("error", ({ message }) => {
    end();
    const [why, action] = words.refused.failed(message || "");
    onRefused({ why, action });
  });
  worker.postMessage([...files]);
  return end;
};

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
