/** The checkpoints of kept runs in the browser's own files, as the page sees them: the training worker writes them (slotWriter.ts). */
import { decodeSlot, SLOT_NAMES, type Slot } from "./slot.ts";

export interface CheckpointFiles {
  /** Whole ones, the newest first; none where the browser has no files. Never rejects. */
  read(id: string): Promise<Slot[]>;
  /** Runs that have any. Never rejects. */
  ids(): Promise<string[]>;
  /** For good. Never rejects. */
  drop(id: string): Promise<void>;
}

/** The folder of all kept runs: a folder of each. */
const FOLDER = "turnbook-runs";
/** Times that a file is tried to be removed that its worker is just writing, and milliseconds between them. */
const TRIES = 20;
const PAUSE = 50;

export type OpenRoot = () => Promise<FileSystemDirectoryHandle>;

/** @throws Error where the browser has no files, or forbids them. */
export const browserRoot: OpenRoot = () => navigator.storage.getDirectory();

/** @throws Error where there are no files, or without `create` no such folder. */
export async function runFolder(
  root: OpenRoot,
  id: string,
  create = false,
): Promise<FileSystemDirectoryHandle> {
  return (await allRuns(root, create)).getDirectoryHandle(id, { create });
}

async function allRuns(root: OpenRoot, create: boolean): Promise<FileSystemDirectoryHandle> {
  return (await root()).getDirectoryHandle(FOLDER, { create });
}

export function browserRunFiles(root: OpenRoot = browserRoot): CheckpointFiles {
  return {
    read: async (id) => {
      const slots = await Promise.all(SLOT_NAMES.map((name) => readSlot(root, id, name)));
      return slots
        .filter((slot) => slot !== null)
        .sort((a, b) => b.checkpoint.events - a.checkpoint.events);
    },
    ids: async () => {
      const found: string[] = [];
      try {
        for await (const name of (await allRuns(root, false)).keys()) found.push(name);
      } catch {
        // There are no files, or nothing was ever kept in them.
      }
      return found;
    },
    drop: async (id) => {
      for (let n = 0; n < TRIES && !(await isGone(root, id)); n++)
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
    },
  };
}

async function readSlot(root: OpenRoot, id: string, name: string): Promise<Slot | null> {
  try {
    const file = await (await runFolder(root, id)).getFileHandle(name);
    return decodeSlot(new Uint8Array(await (await file.getFile()).arrayBuffer()));
  } catch {
    return null;
  }
}

/** Whether there is nothing of the run any more; false while its worker writes. */
async function isGone(root: OpenRoot, id: string): Promise<boolean> {
  try {
    await (await allRuns(root, false)).removeEntry(id, { recursive: true });
    return true;
  } catch (error) {
    return (error as Error).name !== "NoModificationAllowedError";
  }
}
