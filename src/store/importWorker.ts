/** Reads chosen files off the page's thread. One request, then the page ends it. */
import { RefusedError } from "../interchange/import/refused.ts";
import { words } from "../interchange/import/words.ts";
import type { FromImporter } from "./importFiles.ts";
import { leftOut } from "./leftOut.ts";
import { readImport } from "./readImport.ts";

/** Events per message: each is taken in by the page in a few milliseconds. */
const CHUNK = 100;

const tell = (message: FromImporter, transfer: Transferable[] = []) =>
  self.postMessage(message, { transfer });

self.addEventListener("message", ({ data }: MessageEvent<File[]>) => {
  read(data).catch((error: unknown) => {
    const { message, action } = refusalOf(error);
    tell({ type: "refused", why: message, action });
  });
});

function refusalOf(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  // What the browser says of a folder, and of a file that has gone.
  if (error instanceof DOMException) return new RefusedError(words.refused.gone);
  return new RefusedError(words.refused.failed(error instanceof Error ? error.message : ""));
}

async function read(files: readonly File[]): Promise<void> {
  const chosen = files.map(async (file) => ({
    name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()),
  }));
  const { isOwn, bytes, index, facts } = await readImport(await Promise.all(chosen));
  for (let at = 0; at < index.events.length; at += CHUNK)
    tell({ type: "events", events: index.events.slice(at, at + CHUNK) });
  // Shown first: looking through every episode takes longer than opening.
  const shown = isOwn ? bytes.slice() : bytes;
  tell({ type: "done", bytes: shown, facts }, [shown.buffer]);
  tell({ type: "checked", warnings: isOwn ? leftOut(bytes, index.events) : [] });
}
