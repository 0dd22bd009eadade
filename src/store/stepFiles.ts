/** Reads a step of files that are too large to be held, in a worker that ends when none is wanted. */
import type { ImportChoices } from "../interchange/import/choices.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";
import type { IndexedStep } from "../reading/log/recordingIndex.ts";
import { addPiece, type StepPiece } from "../reading/log/stepPieces.ts";

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

/** Its pieces in order, then its end. */
export type FetchedStep =
  | { type: "piece"; id: number; piece: StepPiece }
  | {
      type: "step";
      id: number;
      /** Why it could not be read, as sentences. */
      why?: string;
      /** Bytes of files that were read for it. */
      read: number;
    };

/** Milliseconds without a question after which the worker ends. */
const IDLE = 10_000;

interface Asked {
  request: StepRequest;
  /** As far as they have come. */
  episodes: EpisodeRecord[];
  answer: (why?: string) => void;
}

let worker: Worker | null = null;
/** Whether it reads all of its files, too: it is not ended meanwhile. */
let isReading = false;
let idle: ReturnType<typeof setTimeout> | undefined;
let ids = 0;
/** One at a time, the newest first: a reader waits for it, while the others may be of a panel that goes through many. */
let now: Asked | null = null;
const waiting: Asked[] = [];

/** @param files all that were chosen, in order. Rejects with why it cannot be read. */
export async function stepOfFiles(
  files: readonly ToImporter[],
  step: IndexedStep,
  choices: ImportChoices,
): Promise<EpisodeRecord[]> {
  const own = [...new Set(step.parts.map(({ at }) => at))];
  const places = own.map((at): [number, ToImporter] => [at, files[at]!]);
  const request = { id: ++ids, files: places, step, choices };
  const episodes: EpisodeRecord[] = [];
  const why = await new Promise<string | undefined>((answer) => {
    waiting.push({ request, episodes, answer });
    askNext();
  });
  if (why !== undefined) throw new Error(why);
  return episodes;
}

/** From now on it reads steps between other work: a second worker would have a heap of its own. */
export function askReader(reader: Worker): void {
  if (worker === reader) return;
  worker?.terminate();
  worker = listening(reader);
  isReading = true;
  askAgain();
}

/** It has been ended: with its files read, its heap is larger than what steps need. */
export function loseReader(reader: Worker): void {
  if (worker !== reader) return;
  worker = null;
  isReading = false;
  askAgain();
}

/** What was asked of a worker that is gone. */
function askAgain(): void {
  if (now) waiting.push(now);
  now = null;
  askNext();
}

function askNext(): void {
  if (now) return;
  clearTimeout(idle);
  now = waiting.pop() ?? null;
  // Asked again of another worker, its first pieces come again.
  if (now) now.episodes.length = 0;
  if (now) (worker ??= started()).postMessage(now.request);
  else if (!isReading) idle = setTimeout(end, IDLE);
}

function started(): Worker {
  const one = new Worker(new URL("./importWorker.ts", import.meta.url), { type: "module" });
  one.addEventListener("error", ({ message }) => {
    if (worker === one) end();
    for (const asked of [...waiting.splice(0), ...(now ? [now] : [])]) asked.answer(message);
    now = null;
  });
  return listening(one);
}

function listening(one: Worker): Worker {
  one.addEventListener(
    "message",
    ({ data }: MessageEvent<FetchedStep | { type: string; id?: undefined }>) => {
      // It may tell of other work as well.
      if (data.id === undefined || data.id !== now?.request.id) return;
      if ("piece" in data) return addPiece(now.episodes, data.piece);
      now.answer(data.why);
      now = null;
      askNext();
    },
  );
  return one;
}

function end(): void {
  worker?.terminate();
  worker = null;
}
