/** Packs and opens notebooks with their runs. */
import type { ExperimentHandle } from "./hooks.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { FromFiles, OpenedNotebook } from "./filesWorker.ts";
import { askFiles, isSavable, saveLog, saveRun } from "./saveRun.ts";

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
  const answer = await askFiles({ pack: { text, runs, sweeps, answers } });
  if (!("bytes" in answer)) throw new Error(whyNot(answer));
  return new Blob([answer.bytes], { type: "application/zip" });
}

/** @throws Error saying why the file is not a notebook */
export async function openNotebookZip(file: Blob): Promise<OpenedNotebook> {
  const answer = await askFiles({ open: file });
  if (!("opened" in answer)) throw new Error(whyNot(answer));
  return answer.opened;
}

const whyNot = (answer: FromFiles) =>
  "refused" in answer ? answer.refused : "the worker gave another answer";
