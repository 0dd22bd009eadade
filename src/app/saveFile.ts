/** The shown run as a file of the reader's, and what came of it. */
import { createStore } from "zustand/vanilla";
import { download } from "../ui/download.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { saveKept, saveRun } from "../store/saveRun.ts";
import { records } from "./keptRuns.ts";

/** null before the first. */
export type Saved = { state: "saving" } | { state: "saved" | "refused"; what: string } | null;

export const lastSave = createStore<{ last: Saved }>(() => ({ last: null }));

export function saveFile(experiment: ExperimentHandle): Promise<void> {
  return saved(() => saveRun(experiment));
}

/** A run that the browser keeps. */
export function saveKeptFile(id: string): Promise<void> {
  return saved(() => saveKept(id, records));
}

async function saved(make: () => ReturnType<typeof saveRun>): Promise<void> {
  if (lastSave.getState().last?.state === "saving") return;
  lastSave.setState({ last: { state: "saving" } });
  try {
    const { name, content } = await make();
    download(content, name, content.type);
    lastSave.setState({ last: { state: "saved", what: name } });
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    lastSave.setState({ last: { state: "refused", what } });
  }
}
