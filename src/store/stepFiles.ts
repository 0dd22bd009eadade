/** Reads a step of files that are too large to be held, in a worker that ends when none is wanted. */
import type { ImportChoices } from "../interchange/import/choices.ts";
import type { IndexedStep } from "../reading/log/recordingIndex.ts";

export interface ToImporter {
  /** Including its folders. */
  path: string;
  file: File;
}

export interface StepRequest {
  id: number;
  /** By their indices in the step. */
  files: [at: number, file: ToImporter][];
  step: IndexedStep;
  choices: ImportChoices;
}

export interface FetchedStep {
  type: "step";
  id: number;
  /** The line of a recording; null: it could not be read. */
  bytes: Uint8Array<ArrayBuffer> | null;
  /** Why not, as sentences. */
  why?: string;
  /** Bytes of files that were read for it. */
  read: number;
}

/** Milliseconds without a question after which the worker ends. */
const IDLE = 10_000;

let worker: Worker | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
let ids = 0;
const waiting = new Map<number, (answer: Pick<FetchedStep, "bytes" | "why">) => void>();

/** @param files all that were chosen, in order. Rejects with why it cannot be read. */
export async function stepOfFiles(
  files: readonly ToImporter[],
  step: IndexedStep,
  choices: ImportChoices,
): Promise<Uint8Array> {
  clearTimeout(idle);
  worker ??= started();
  const id = ++ids;
  const own = [...new Set(step.parts.map(({ at }) => at))];
  worker.postMessage({
    id,
    files: own.map((at) => [at, files[at]!]),
    step,
    choices,
  } satisfies StepRequest);
  const { bytes, why } = await new Promise<Pick<FetchedStep, "bytes" | "why">>((resolve) =>
    waiting.set(id, resolve),
  );
  if (!bytes) throw new Error(why);
  return bytes;
}

function started(): Worker {
  const one = new Worker(new URL("./importWorker.ts", import.meta.url), { type: "module" });
  one.addEventListener("message", ({ data }: MessageEvent<FetchedStep>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
    if (waiting.size === 0) idle = setTimeout(end, IDLE);
  });
  one.addEventListener("error", ({ message }) => {
    for (const answer of waiting.values()) answer({ bytes: null, why: message });
    waiting.clear();
    end();
  });
  return one;
}

function end(): void {
  worker?.terminate();
  worker = null;
}
