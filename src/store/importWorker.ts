/** Reads chosen files off the page's thread. One request, then the page ends it. */
import { RefusedError } from "../interchange/import/refused.ts";
import { words } from "../interchange/import/words.ts";
import { checkRecording } from "../train/integrity.ts";
import type { FromImporter, ToImporter } from "./importFiles.ts";
import { leftOut } from "./leftOut.ts";
import { readImport, runsIn, type ChosenFile } from "./readImport.ts";

/** Events per message: each is taken in by the page in a few milliseconds. */
const CHUNK = 100;

const tell = (message: FromImporter, transfer: Transferable[] = []) =>
  self.postMessage(message, { transfer });

self.addEventListener("message", ({ data }: MessageEvent<ToImporter[]>) => {
  void read(data);
});

function refusalOf(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  // What the browser says of a folder, and of a file that has gone.
  if (error instanceof DOMException) return new RefusedError(words.refused.gone);
  return new RefusedError(words.refused.failed(error instanceof Error ? error.message : ""));
}

/** One after the other; what is refused does not keep the others from being read. */
async function read(files: readonly ToImporter[]): Promise<void> {
  await orRefused(async () => {
    const opened = files.map(async ({ path, file }) => ({
      name: path,
      bytes: new Uint8Array(await file.arrayBuffer()),
    }));
    const runs = runsIn(await Promise.all(opened));
    if (runs.length > 1) tell({ type: "several", names: runs.map(([file]) => file!.name) });
    for (const run of runs) {
      tell({ type: "begin", name: runs.length === 1 ? null : run[0]!.name });
      await orRefused(() => readRun(run));
    }
  });
  tell({ type: "end" });
}

async function orRefused(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { message, action } = refusalOf(error);
    tell({ type: "refused", why: message, action });
  }
}

async function readRun(files: readonly ChosenFile[]): Promise<void> {
  const { isOwn, bytes, index, facts } = await readImport(files);
  for (let at = 0; at < index.events.length; at += CHUNK)
    tell({ type: "events", events: index.events.slice(at, at + CHUNK) });
  // Shown first: looking through every episode takes longer than opening.
  const shown = isOwn ? bytes.slice() : bytes;
  tell({ type: "done", bytes: shown, facts }, [shown.buffer]);
  const warnings = isOwn ? leftOut(bytes, index.events) : [];
  // What is translated from other programs' files has no chain.
  const integrity = isOwn ? await checkRecording(bytes) : { state: "none" as const };
  tell({ type: "checked", warnings, integrity });
}
