/** Packs and opens notebooks with their runs, off the page's thread. One request, one answer. */
import { packNotebook, unpackNotebook, type NotebookFiles } from "./notebookZip.ts";

/** A notebook to pack, or the bytes of one to open. */
export type ToNotebooks =
  { pack: { text: string; runs: ReadonlyMap<string, Blob>; answers: unknown } } | { open: Blob };

export type FromNotebooks =
  { packed: Uint8Array } | { opened: NotebookFiles } | { refused: string };

self.addEventListener("message", ({ data }: MessageEvent<ToNotebooks>) => {
  void notebookAnswer(data).then((answer) => self.postMessage(answer));
});

export async function notebookAnswer(asked: ToNotebooks): Promise<FromNotebooks> {
  try {
    if ("open" in asked) return { opened: await unpackNotebook(await bytesOf(asked.open)) };
    const runs = new Map<string, Uint8Array>();
    for (const [id, run] of asked.pack.runs) runs.set(id, await bytesOf(run));
    return { packed: await packNotebook({ ...asked.pack, runs }) };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}
