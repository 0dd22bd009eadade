/** A model folder at an address that the reader types: looked at, then downloaded once the reader agrees. */
import { createStore } from "zustand/vanilla";
import {
  fetchFolder,
  lookAt,
  type Connection,
  type RemoteFolder,
} from "../../runtime/shelf/modelDownload.ts";
import { askToPersist } from "../../runtime/shelf/persist.ts";
import { keptModels, listKept, modelShelf, type NamedFiles } from "../../store/keptModels.ts";

type Download = Awaited<ReturnType<typeof fetchFolder>>;

interface AddressState {
  doing: "nothing" | "looking" | "downloading";
  folder: RemoteFolder | null;
  /** Bytes that are here; null before the download. */
  done: number | null;
  problem: string | null;
  /** Downloads that were stopped, here or on an earlier visit. */
  unfinished: readonly { key: string; bytes: number }[];
}

export const addressed = createStore<AddressState>(() => ({
  doing: "nothing",
  folder: null,
  done: null,
  problem: null,
  unfinished: [],
}));

let stopper = new AbortController();
const connection = (): Connection => {
  stopper = new AbortController();
  const { signal } = stopper;
  return { origin: location.origin, fetch: (...args) => fetch(...args), signal };
};

export async function lookAtAddress(typed: string): Promise<void> {
  addressed.setState({ doing: "looking", folder: null, done: null, problem: null });
  await orProblem(async () => {
    addressed.setState({ folder: await lookAt(typed, connection()) });
  });
}

/** Downloads the folder that was looked at, or the rest of it. Null if it was stopped or failed. */
export async function downloadFolder(): Promise<(NamedFiles & Pick<Download, "key">) | null> {
  const { folder } = addressed.getState();
  if (!folder) return null;
  addressed.setState({ doing: "downloading", problem: null });
  void askToPersist();
  return orProblem(async () => {
    const onBytes = (done: number) => addressed.setState({ done });
    const { key, files } = await fetchFolder(folder, connection(), modelShelf.downloads, onBytes);
    return { key, name: folder.name, files };
  });
}

/** What is here stays. */
export const stopDownload = () => stopper.abort();

/** The downloaded folder is a kept model from now on; of two of one hash the older stays. */
export async function keepDownload(
  hash: string,
  { key, name, files }: NamedFiles & { key: string },
) {
  const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  if (keptModels.getState().models.some((model) => model.hash === hash))
    await modelShelf.downloads.drop(key);
  else await modelShelf.downloads.finish(key, { hash, name, bytes });
  addressed.setState({ folder: null, done: null });
  await Promise.all([listKept(), listUnfinished()]);
}

export async function listUnfinished(): Promise<void> {
  addressed.setState({ unfinished: await modelShelf.downloads.unfinished() });
}

export async function discardUnfinished(): Promise<void> {
  for (const { key } of addressed.getState().unfinished) await modelShelf.downloads.drop(key);
  addressed.setState({ done: null });
  await listUnfinished();
}

async function orProblem<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!stopper.signal.aborted) addressed.setState({ problem: (error as Error).message });
    return null;
  } finally {
    addressed.setState({ doing: "nothing" });
    await listUnfinished();
  }
}
