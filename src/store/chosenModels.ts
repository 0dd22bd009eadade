/** Model folders that the reader has chosen, as long as the page is open: experiments name them by the hash of their files. */
import { createStore } from "zustand/vanilla";
import type { ExperimentSpec } from "../spec/experiment.ts";

/** Files by name, by the folder's hash. The worker that trains compares it with the files. */
export const chosenModels = createStore<ReadonlyMap<string, ReadonlyMap<string, Blob>>>(
  () => new Map(),
);

export function keepChosenModel(hash: string, files: ReadonlyMap<string, Blob>): void {
  chosenModels.setState((all) => new Map([...all, [hash, files]]), true);
}

/** The files of the folder that a spec names; undefined if it names none, or one that was not chosen. */
export function chosenFilesOf({ model }: ExperimentSpec): ReadonlyMap<string, Blob> | undefined {
  return model.folder && chosenModels.getState().get(model.folder.hash);
}
