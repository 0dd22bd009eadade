/** Packs and opens notebooks with their runs, off the page's thread. One request, one answer. */
import { packNotebook, unpackNotebook, type NotebookFiles } from "./notebookZip.ts";
import { readSwept, type SweptRun } from "./sweptRun.ts";

interface NotebookToPack {
  text: string;
  runs: ReadonlyMap<string, Blob>;
  sweeps: ReadonlyMap<string, Blob>;
  answers: unknown;
}

/** The runs of its experiments still have to be checked, each when it is read; those of its sweeps have been. */
export type OpenedNotebook = Omit<NotebookFiles, "sweeps"> & { sweeps: readonly SweptRun[] };

/** A notebook to pack, or the bytes of one to open. */
export type ToNotebooks = { pack: NotebookToPack } | { open: Blob };

export type FromNotebooks =
  { packed: Uint8Array } | { opened: OpenedNotebook } | { refused: string };

self.addEventListener("message", ({ data }: MessageEvent<ToNotebooks>) => {
  void notebookAnswer(data).then((answer) => self.postMessage(answer));
});

export async function notebookAnswer(asked: ToNotebooks): Promise<FromNotebooks> {
  try {
    if ("open" in asked) return { opened: await openedNotebook(asked.open) };
    const [runs, sweeps] = [await allBytes(asked.pack.runs), await allBytes(asked.pack.sweeps)];
    return { packed: await packNotebook({ ...asked.pack, runs, sweeps }) };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

async function openedNotebook(file: Blob): Promise<OpenedNotebook> {
  const { sweeps, ...files } = await unpackNotebook(await bytesOf(file));
  const swept: SweptRun[] = [];
  for (const bytes of sweeps.values()) {
    const run = await readSwept(bytes as Uint8Array<ArrayBuffer>);
    if (run) swept.push(run);
  }
  return { ...files, sweeps: swept };
}

async function allBytes(files: ReadonlyMap<string, Blob>): Promise<Map<string, Uint8Array>> {
  const all = new Map<string, Uint8Array>();
  for (const [name, content] of files) all.set(name, await bytesOf(content));
  return all;
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}
