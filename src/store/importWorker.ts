/** Reads selected files off the page's thread. One request, then the page terminates it. */
import type { ImportChoices } from "../interchange/import/choices.ts";
import { RefusedError } from "../interchange/import/refused.ts";
import { words } from "../interchange/import/words.ts";
import { checkRecording } from "../train/integrity.ts";
import type { FromImporter, ImportRequest, OwnRun } from "./importFiles.ts";
import { leftOut } from "../reading/log/leftOut.ts";
import { readImport, runsIn, type ChosenFile } from "../reading/log/readImport.ts";
import type { RecordingIndex } from "../reading/log/recordingIndex.ts";
import { unpackRun } from "./savedRun.ts";

/** Events per message: the page handles each in a few milliseconds. */
const CHUNK = 100;

type Send = (message: FromImporter, transfer?: Transferable[]) => void;

self.addEventListener("message", ({ data }: MessageEvent<ImportRequest>) => {
  void readFiles(data, (message, transfer = []) => self.postMessage(message, { transfer }));
});

function refusalOf(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  // The browser's error for a folder, or for a file that has been removed.
  if (error instanceof DOMException) return new RefusedError(words.refused.gone);
  return new RefusedError(words.refused.failed(error instanceof Error ? error.message : ""));
}

/** One after the other; a refused file does not stop the others. */
export async function readFiles({ files, choices }: ImportRequest, send: Send): Promise<void> {
  await orRefused(send, async () => {
    const opened = files.map(async ({ path, file }) => ({
      name: path,
      bytes: new Uint8Array(await file.arrayBuffer()),
    }));
    const runs = runsIn(await Promise.all(opened));
    if (runs.length > 1) send({ type: "several", names: runs.map(([file]) => file!.name) });
    for (const run of runs) {
      send({ type: "begin", name: runs.length === 1 ? null : run[0]!.name });
      await orRefused(send, () => readRun(run, choices, send));
    }
  });
  send({ type: "end" });
}

async function orRefused(send: Send, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { message, action, columns } = refusalOf(error);
    send({ type: "refused", why: message, action, columns });
  }
}

async function readRun(
  files: readonly ChosenFile[],
  choices: ImportChoices,
  send: Send,
): Promise<void> {
  const saved = files.length === 1 ? await unpackRun(files[0]!.bytes) : null;
  const chosen = saved ? [{ name: files[0]!.name, bytes: saved.log }] : files;
  const { isOwn, bytes, index, facts } = await readImport(chosen, choices);
  for (let at = 0; at < index.events.length; at += CHUNK)
    send({ type: "events", events: index.events.slice(at, at + CHUNK) });
  // Shown first: checking every episode takes longer than opening.
  const shown = isOwn ? bytes.slice() : bytes;
  const raw = saved ?? (isOwn ? ownRun(index) : undefined);
  const own = raw && { spec: raw.spec, checkpoint: raw.checkpoint, saved: saved !== null };
  const weights = own?.checkpoint ? [own.checkpoint.bytes.buffer] : [];
  send({ type: "done", bytes: shown, facts, raw: own }, [shown.buffer, ...weights]);
  const warnings = isOwn ? leftOut(bytes, index.events) : [];
  // Logs translated from other programs' files have no hash chain.
  const integrity = isOwn ? await checkRecording(bytes) : { state: "none" as const };
  send({ type: "checked", warnings, integrity });
}

/** For a plain recording: its run, if the file says. */
function ownRun({ events }: RecordingIndex): Omit<OwnRun, "saved"> | undefined {
  const start = events.find(({ event }) => event.type === "start")?.event;
  return start?.type === "start" ? { spec: start.spec, checkpoint: null } : undefined;
}
