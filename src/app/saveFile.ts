/** Saves the run shown as a file, and reports the result. */
import { createStore } from "zustand/vanilla";
import { download } from "../ui/download.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { saveKept, saveModels, saveRun } from "../store/saveRun.ts";
import { say } from "../ui/toasts.ts";
import { records } from "./keptRuns.ts";
import { appWords } from "./strings.ts";

/** In progress, or why it failed; null otherwise. */
export type Saved = { state: "saving" } | { state: "refused"; what: string } | null;

export const lastSave = createStore<{ last: Saved }>(() => ({ last: null }));

export function saveFile(experiment: ExperimentHandle): Promise<void> {
  return saved(() => saveRun(experiment));
}

/** The models of the run shown, as Hugging Face folders. */
export function saveModelsFile(experiment: ExperimentHandle): Promise<void> {
  return saved(() => saveModels(experiment));
}

/** A run stored in the browser. */
export function saveKeptFile(id: string): Promise<void> {
  return saved(() => saveKept(id, records));
}

async function saved(make: () => ReturnType<typeof saveRun>): Promise<void> {
  if (lastSave.getState().last?.state === "saving") return;
  lastSave.setState({ last: { state: "saving" } });
  try {
    const { name, content } = await make();
    download(content, name, content.type);
    lastSave.setState({ last: null });
    say({ text: appWords.saved(name), testId: "saved" });
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    lastSave.setState({ last: { state: "refused", what } });
  }
}
