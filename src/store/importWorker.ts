/** Reads chosen files off the page's thread. One request, then the page ends it. */
import { RefusedError } from "../interchange/import/refused.ts";
import type { FromImporter } from "./importFiles.ts";
import { readImport } from "./readImport.ts";

/** Events per message: each is taken in by the page in a few milliseconds. */
const CHUNK = 100;

const tell = (message: FromImporter, transfer: Transferable[] = []) =>
  self.postMessage(message, { transfer });

self.addEventListener("message", ({ data }: MessageEvent<File[]>) => {
  read(data).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    tell({ type: "refused", why, action: error instanceof RefusedError ? error.action : "" });
  });
});

async function read(files: readonly File[]): Promise<void> {
  const chosen = files.map(async (file) => ({
    name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()),
  }));
  const { bytes, index, facts } = await readImport(await Promise.all(chosen));
  for (let at = 0; at < index.events.length; at += CHUNK)
    tell({ type: "events", events: index.events.slice(at, at + CHUNK) });
  tell({ type: "done", bytes, facts }, [bytes.buffer]);
}
