/** Model folders that the reader has chosen, as long as the page is open: experiments name them by the hash of their files. */
import { createStore } from "zustand/vanilla";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { FolderSpec } from "../spec/folder.ts";

/** Files by name, by the folder's hash. The worker that trains compares it with the files. */
export const chosenModels = createStore<ReadonlyMap<string, ReadonlyMap<string, Blob>>>(
  () => new Map(),
);

export function keepChosenModel(hash: string, files: ReadonlyMap<string, Blob>): void {
  chosenModels.setState((all) => new Map([...all, [hash, files]]), true);
}

/** The folder that a spec names and the reader has not chosen; undefined if there is nothing to choose. */
export function wantedFolder(
  spec: ExperimentSpec | null | undefined,
  chosen = chosenModels.getState(),
): FolderSpec | undefined {
  const folder = spec?.model.folder;
  return folder && !chosen.has(folder.hash) ? folder : undefined;
}

/** The files of the folder that a spec names; undefined if it names none, or one that was not chosen. */
export function chosenFilesOf({ model }: ExperimentSpec): ReadonlyMap<string, Blob> | undefined {
  return model.folder && chosenModels.getState().get(model.folder.hash);
}
