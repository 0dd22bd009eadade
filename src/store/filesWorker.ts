/** Packs runs, models and notebooks into files, and opens notebooks, off the page's thread. One request, one answer. */
import { readRecording } from "../reading/log/recording.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { packNotebook, unpackNotebook, type NotebookFiles } from "./notebookZip.ts";
import { packRun, unpackRun, type ToPack } from "./savedRun.ts";

export type RunToSave = Omit<ToPack, "lines"> & { lines: Blob };

/** A checkpoint whose models are to be written as folders. */
export interface ModelsToSave {
  models: Uint8Array;
}

interface NotebookToPack {
  text: string;
  runs: ReadonlyMap<string, Blob>;
  sweeps: ReadonlyMap<string, Blob>;
  answers: unknown;
}

/** Something to pack, or the bytes of a notebook to open. */
export type ToFiles = RunToSave | ModelsToSave | { pack: NotebookToPack } | { open: Blob };

/** A finished run of a sweep, as in a notebook's file, checked. */
export interface SweptRun {
  spec: ExperimentSpec;
  /** Its log, one event per line. */
  lines: Uint8Array<ArrayBuffer>;
  events: number;
  /** Iterations that every method has completed. */
  iteration: number;
}

/** The runs of its experiments still have to be checked, each when it is read; those of its sweeps have been. */
export type OpenedNotebook = Omit<NotebookFiles, "sweeps"> & { sweeps: readonly SweptRun[] };

export type FromFiles =
  | { bytes: Uint8Array<ArrayBuffer> }
  | { opened: OpenedNotebook }
  /** Why not, without a full stop. */
  | { refused: string };

self.addEventListener("message", ({ data }: MessageEvent<ToFiles>) => {
  void filesAnswer(data).then((answer) =>
    self.postMessage(answer, { transfer: "bytes" in answer ? [answer.bytes.buffer] : [] }),
  );
});

export async function filesAnswer(asked: ToFiles): Promise<FromFiles> {
  try {
    if ("open" in asked) return { opened: await openedNotebook(asked.open) };
    return { bytes: (await packed(asked)) as Uint8Array<ArrayBuffer> };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

async function packed(asked: Exclude<ToFiles, { open: Blob }>): Promise<Uint8Array> {
  // Training code is loaded with the first models that are saved.
  if ("models" in asked) return (await import("./savedModels.ts")).packModels(asked.models);
  if ("lines" in asked) return packRun({ ...asked, lines: await bytesOf(asked.lines) });
  const [runs, sweeps] = [await allBytes(asked.pack.runs), await allBytes(asked.pack.sweeps)];
  return packNotebook({ ...asked.pack, runs, sweeps });
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

/** Null if it is damaged or unfinished: then it is trained again. */
async function readSwept(bytes: Uint8Array<ArrayBuffer>): Promise<SweptRun | null> {
  const saved = await unpackRun(bytes).catch(() => null);
  if (!saved) return null;
  const log = (await readRecording(saved.log))?.log;
  if (!log?.end) return null;
  const { version: events, finishedIterations: iteration } = log;
  return { spec: saved.spec, lines: saved.log, events, iteration };
}

async function allBytes(files: ReadonlyMap<string, Blob>): Promise<Map<string, Uint8Array>> {
  const all = new Map<string, Uint8Array>();
  for (const [name, content] of files) all.set(name, await bytesOf(content));
  return all;
}

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());
