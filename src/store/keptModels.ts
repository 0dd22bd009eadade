/** The model folders that this browser keeps, as the page lists them. */
import { createStore } from "zustand/vanilla";
import { browserModels, type KeptModel } from "../runtime/shelf/modelFiles.ts";
import { askToPersist } from "../runtime/shelf/persist.ts";
import { keepChosenModel } from "./chosenModels.ts";

export const modelShelf = browserModels();

export interface NamedFiles {
  name: string;
  files: ReadonlyMap<string, Blob>;
}

interface KeptModelsState {
  models: readonly KeptModel[];
  /** Share of the copy that is being made; null if none is. */
  copying: number | null;
  /** Why the last copy failed. */
  problem: string | null;
}

export const keptModels = createStore<KeptModelsState>(() => ({
  models: [],
  copying: null,
  problem: null,
}));

export async function listKept(): Promise<void> {
  keptModels.setState({ models: await modelShelf.list() });
}

/** After a click: the browser may ask whether the page may store for good. */
export async function keepModel(hash: string, { name, files }: NamedFiles): Promise<void> {
  const total = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  keptModels.setState({ copying: 0, problem: null });
  void askToPersist();
  try {
    await modelShelf.keep({ hash, name }, files, (done) =>
      keptModels.setState({ copying: done / Math.max(1, total) }),
    );
  } catch (error) {
    keptModels.setState({ problem: (error as Error).message });
  }
  keptModels.setState({ copying: null });
  await listKept();
}

export async function dropModel(hash: string): Promise<void> {
  await modelShelf.drop(hash);
  await listKept();
}

/** The files of a kept folder, also for experiments that name it; null if it is not kept. */
export async function openKept(hash: string): Promise<Map<string, Blob> | null> {
  const files = await modelShelf.open(hash);
  if (files) keepChosenModel(hash, files);
  return files;
}
