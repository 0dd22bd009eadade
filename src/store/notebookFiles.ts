/** The page's side of the worker that packs and opens notebooks with their runs. */
import type { ExperimentHandle } from "./hooks.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { FromNotebooks, OpenedNotebook, ToNotebooks } from "./notebookWorker.ts";
import { isSavable, saveLog, saveRun } from "./saveRun.ts";

/**
 * @param answers to its questions; null if there are none.
 * @param swept finished runs of its sweeps, by the digests of what they train.
 * @throws Error saying in one sentence why there is no file
 */
export async function saveNotebook(
  text: string,
  experiments: Iterable<ExperimentHandle>,
  answers: unknown = null,
  swept: ReadonlyMap<string, RunLog> = new Map(),
): Promise<Blob> {
  const runs = new Map<string, Blob>();
  for (const experiment of experiments)
    if (isSavable(experiment.store.getState().view.log))
      runs.set(experiment.id, (await saveRun(experiment)).content);
  const sweeps = new Map<string, Blob>();
  for (const [digest, log] of swept) if (isSavable(log)) sweeps.set(digest, await saveLog(log));
  const answer = await asked({ pack: { text, runs, sweeps, answers } });
  if (!("packed" in answer)) throw new Error(whyNot(answer));
  return new Blob([answer.packed as Uint8Array<ArrayBuffer>], { type: "application/zip" });
}

/** @throws Error saying why the file is not a notebook */
export async function openNotebookZip(file: Blob): Promise<OpenedNotebook> {
  const answer = await asked({ open: file });
  if (!("opened" in answer)) throw new Error(whyNot(answer));
  return answer.opened;
}

const whyNot = (answer: FromNotebooks) =>
  "refused" in answer ? answer.refused : "the worker gave another answer";

async function asked(request: ToNotebooks): Promise<FromNotebooks> {
  const worker = new Worker(new URL("./notebookWorker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise((resolve) => {
      worker.addEventListener("message", ({ data }: MessageEvent<FromNotebooks>) => resolve(data));
      worker.addEventListener("error", ({ message }) =>
        resolve({ refused: message || "its worker failed" }),
      );
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}
