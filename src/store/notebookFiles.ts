/** The page's end of the worker that packs and opens notebooks with their runs. */
import type { ExperimentHandle } from "./hooks.ts";
import type { FromNotebooks, ToNotebooks } from "./notebookWorker.ts";
import type { NotebookFiles } from "./notebookZip.ts";
import { isSavable, saveRun } from "./saveRun.ts";

/**
 * @param answers to its questions; null where there are none.
 * @throws Error saying in one sentence why there is no file
 */
export async function saveNotebook(
  text: string,
  experiments: Iterable<ExperimentHandle>,
  answers: unknown = null,
): Promise<Blob> {
  const runs = new Map<string, Blob>();
  for (const experiment of experiments)
    if (isSavable(experiment.store.getState().view.log))
      runs.set(experiment.id, (await saveRun(experiment)).content);
  const answer = await asked({ pack: { text, runs, answers } });
  if (!("packed" in answer)) throw new Error(whyNot(answer));
  return new Blob([answer.packed as Uint8Array<ArrayBuffer>], { type: "application/zip" });
}

/** @throws Error saying why the file is no notebook */
export async function openNotebookZip(file: Blob): Promise<NotebookFiles> {
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
