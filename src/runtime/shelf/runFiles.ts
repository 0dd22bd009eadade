/** The checkpoints of stored runs in the browser's file system, as the page sees them: the training worker writes them (slotWriter.ts). */
import { decodeSlot, SLOT_NAMES, type Slot } from "./slot.ts";

export interface CheckpointFiles {
  /** Complete ones, the newest first; empty if the browser has no file system. Never rejects. */
  read(id: string): Promise<Slot[]>;
  /** Runs that have checkpoint files. Never rejects. */
  ids(): Promise<string[]>;
  /** Deletes permanently. Never rejects. */
  drop(id: string): Promise<void>;
}

/** The folder of all stored runs, with one folder for each. */
const FOLDER = "turnbook-runs";
/** Attempts to remove a file that its worker is writing, and milliseconds between them. */
const TRIES = 20;
const PAUSE = 50;

export type OpenRoot = () => Promise<FileSystemDirectoryHandle>;

/** @throws Error if the browser has no file system, or forbids it. */
export const browserRoot: OpenRoot = () => navigator.storage.getDirectory();

/** @throws Error if there is no file system, or without `create` no such folder. */
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
        // No file system, or nothing was ever stored in it.
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

/** Whether no file of the run is left; false while its worker writes. */
async function isGone(root: OpenRoot, id: string): Promise<boolean> {
  try {
    await (await allRuns(root, false)).removeEntry(id, { recursive: true });
    return true;
  } catch (error) {
    return (error as Error).name !== "NoModificationAllowedError";
  }
}
