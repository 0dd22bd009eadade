/** Saves the run shown as one file, or its models as another. */
import { zipColumnar } from "../interchange/columnar/zip.ts";
import { recordedSource, type RecordedSource } from "../reading/log/columnar.ts";
import type { RunRecords } from "../runtime/shelf/keptRuns.ts";
import type { ExperimentHandle } from "./hooks.ts";
import { capital } from "../numeric/counted.ts";
import { rawOf } from "../reading/log/rawRun.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { ownNameOf } from "./runs.ts";
import { SAVED_NAME } from "./savedLimits.ts";
import type { FromFiles, ModelsToSave, RunToSave, ToFiles } from "./filesWorker.ts";
import { noteSaved } from "./unsaved.ts";

interface SavedFile {
  name: string;
  content: Blob;
}

/** Makes the file of a run; replaceable in tests, which have no workers. */
type Pack<Request = RunToSave> = (request: Request) => Promise<FromFiles>;

/** Whether there is data to save, all of it in memory or fetchable. */
export function isSavable(log: RunLog): boolean {
  const raw = rawOf(log);
  return recordedSource(log) !== null || (raw !== null && raw.isWhole && log.version > 0);
}

/** @throws Error saying in one sentence why there is no file. */
export async function saveRun(
  { store, session }: ExperimentHandle,
  pack: Pack = askFiles,
): Promise<SavedFile> {
  const isLive = store.getState().view.origin === "live";
  if (isLive) await session.freshCheckpoint();
  const { log } = store.getState().view;
  const source = recordedSource(log);
  if (source) return saveColumnar(source, ownNameOf(log));
  const { version } = log;
  const { spec, checkpoint, lines } = await rawRun(log);
  const request = { spec, lines, checkpoint: checkpoint?.bytes ?? null, fromFile: !isLive };
  const content = await packed(request, pack);
  noteSaved(log, version);
  return { name: nameOf(ownNameOf(log), spec.preset, spec.seed), content };
}

/** Only the log of a finished run, without its models. @throws Error saying in one sentence why there is no file. */
export async function saveLog(log: RunLog, pack: Pack = askFiles): Promise<Blob> {
  const { spec, lines } = await rawRun(log);
  return packed({ spec, lines, checkpoint: null, fromFile: false }, pack);
}

async function rawRun(log: RunLog) {
  const raw = rawOf(log);
  if (!raw?.isWhole) throw new Error("The log of this run is not fully in memory.");
  const { spec, checkpoint } = raw;
  return { spec, checkpoint, lines: await raw.blob() };
}

/** A run stored in the browser, open or not. @throws Error saying in one sentence why there is no file. */
export async function saveKept(
  id: string,
  records: RunRecords,
  pack: Pack = askFiles,
): Promise<SavedFile> {
  const whole = await records.read(id);
  if (!whole) throw new Error("This run is no longer in the browser's storage.");
  const { spec } = whole.run;
  const lines = new Blob(whole.lines.map(({ bytes }) => bytes as Uint8Array<ArrayBuffer>));
  const checkpoint = whole.checkpoint?.bytes ?? null;
  const content = await packed({ spec, lines, checkpoint, fromFile: false }, pack);
  return { name: nameOf(undefined, spec.preset, spec.seed), content };
}

/** The newest checkpoint's models. @throws Error saying in one sentence why there is no file. */
export async function saveModels(
  { store, session }: ExperimentHandle,
  pack: Pack<ModelsToSave> = askFiles,
): Promise<SavedFile> {
  if (store.getState().view.origin === "live") await session.freshCheckpoint();
  const { log } = store.getState().view;
  const raw = rawOf(log);
  if (!raw?.checkpoint) throw new Error("This run has no checkpoint.");
  const content = await packed({ models: raw.checkpoint.bytes }, pack);
  return { name: nameOf(ownNameOf(log), raw.spec.preset, raw.spec.seed, MODELS_NAME), content };
}

/** Suffix of a zip of models. */
const MODELS_NAME = ".models.zip";

async function packed<Request>(request: Request, pack: Pack<Request>): Promise<Blob> {
  const answer = await pack(request);
  if ("bytes" in answer) return new Blob([answer.bytes], { type: ZIP });
  throw new Error(
    "refused" in answer ? `${capital(answer.refused)}.` : "The worker gave another answer.",
  );
}

/** As it was read, including parts that have not been loaded yet. */
async function saveColumnar(source: RecordedSource, own: string | undefined): Promise<SavedFile> {
  const { preset = "recording", seed = 1 } = source.spec ?? {};
  const bytes = (await zipColumnar(await source.files())) as Uint8Array<ArrayBuffer>;
  return { name: nameOf(own, preset, seed), content: new Blob([bytes], { type: ZIP }) };
}

const ZIP = "application/zip";

function nameOf(
  own: string | undefined,
  preset: string,
  seed: number,
  ending: string = SAVED_NAME,
): string {
  const base = own
    ?.split("/")
    .at(-1)!
    .replace(/(\.turnbook)?\.(zip|jsonl|json|ndjson|csv|tsv|txt)$/i, "");
  return `${base || `${preset}-seed-${seed}`}${ending}`;
}

/** The answer of a worker of its own. */
export async function askFiles(request: ToFiles): Promise<FromFiles> {
  const worker = new Worker(new URL("./filesWorker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise((resolve) => {
      worker.addEventListener("message", ({ data }: MessageEvent<FromFiles>) => resolve(data));
      worker.addEventListener("error", ({ message }) => {
        const why = message || "its worker failed";
        const what = "open" in request ? "read" : "written";
        resolve({ refused: `the file could not be ${what} (${why})` });
      });
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}
