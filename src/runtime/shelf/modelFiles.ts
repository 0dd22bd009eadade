/** Model folders that the reader keeps in the browser's file system: one folder each, named by the hash of its files. */
import { formatBytes } from "../../numeric/format.ts";
import { InputError } from "../../numeric/inputError.ts";
import { isRecord, jsonOrNothing } from "../../spec/jsonText.ts";
import { storageUse } from "./quota.ts";
import { browserRoot, type OpenRoot } from "./runFiles.ts";

/** The folder of all of them. */
const FOLDER = "turnbook-models";
/** Written last: without it a folder is not complete, and is dropped. */
const MARKER = "turnbook-kept.json";

export interface KeptModel {
  hash: string;
  name: string;
  /** Of all its files. */
  bytes: number;
}

interface KeptModels {
  /** Complete ones; empty if the browser has no file system. Never rejects. */
  list(): Promise<KeptModel[]>;
  /**
   * Copies the files, without reading them into memory. Nothing is left of a copy that fails.
   * @throws InputError if the storage is full, or the browser has none
   */
  keep(
    model: Pick<KeptModel, "hash" | "name">,
    files: ReadonlyMap<string, Blob>,
    onFile?: (done: number) => void,
  ): Promise<void>;
  /** The files; null if they are not kept. Never rejects. */
  open(hash: string): Promise<Map<string, Blob> | null>;
  /** Never rejects. */
  drop(hash: string): Promise<void>;
}

export function browserModels(root: OpenRoot = browserRoot, use = storageUse): KeptModels {
  const all = async (create: boolean) => (await root()).getDirectoryHandle(FOLDER, { create });
  const drop = async (hash: string) => {
    await all(false)
      .then((folder) => folder.removeEntry(hash, { recursive: true }))
      .catch(() => undefined);
  };
  return {
    list: async () => {
      const found: KeptModel[] = [];
      try {
        const folder = await all(false);
        for await (const hash of folder.keys()) {
          const marker = await markerOf(folder, hash);
          if (marker) found.push({ hash, ...marker });
        }
      } catch {
        // No file system, or nothing was ever kept in it.
      }
      return found;
    },
    keep: async ({ hash, name }, files, onFile) => {
      const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
      await checkSpace(bytes, use);
      try {
        const folder = await (await all(true)).getDirectoryHandle(hash, { create: true });
        let done = 0;
        for (const [file, blob] of files) {
          await write(folder, file, blob);
          onFile?.((done += blob.size));
        }
        await write(folder, MARKER, new Blob([JSON.stringify({ name, bytes })]));
      } catch (error) {
        await drop(hash);
        throw new InputError(whyNotKept(error, bytes));
      }
    },
    open: async (hash) => {
      const folder = await all(false).catch(() => null);
      if (!folder || !(await markerOf(folder, hash))) return null;
      return filesIn(await folder.getDirectoryHandle(hash)).catch(() => null);
    },
    drop,
  };
}

/** Null if the copy is not complete. */
async function markerOf(
  folder: FileSystemDirectoryHandle,
  hash: string,
): Promise<Omit<KeptModel, "hash"> | null> {
  try {
    const handle = await (await folder.getDirectoryHandle(hash)).getFileHandle(MARKER);
    const marker = jsonOrNothing(await (await handle.getFile()).text());
    if (!isRecord(marker)) return null;
    const { name, bytes } = marker;
    return typeof name === "string" && typeof bytes === "number" ? { name, bytes } : null;
  } catch {
    return null;
  }
}

async function filesIn(folder: FileSystemDirectoryHandle): Promise<Map<string, Blob>> {
  const files = new Map<string, Blob>();
  for await (const name of folder.keys())
    if (name !== MARKER) files.set(name, await (await folder.getFileHandle(name)).getFile());
  return files;
}

async function write(folder: FileSystemDirectoryHandle, name: string, blob: Blob): Promise<void> {
  const file = await folder.getFileHandle(name, { create: true });
  const target = await file.createWritable();
  try {
    await target.write(blob);
    await target.close();
  } catch (error) {
    await target.abort().catch(() => undefined);
    throw error;
  }
}

/** @throws InputError if the browser says that there is too little. */
async function checkSpace(bytes: number, use: typeof storageUse): Promise<void> {
  const known = await use();
  const left = known && known.most - known.used;
  if (left !== null && bytes > left)
    throw new InputError(
      `the folder has ${formatBytes(bytes)}, and the browser has room for ${formatBytes(left)}; delete kept models or runs first`,
    );
}

function whyNotKept(error: unknown, bytes: number): string {
  const name = (error as Error).name;
  if (name === "QuotaExceededError")
    return `the browser's storage is full: the folder has ${formatBytes(bytes)}; delete kept models or runs first`;
  if (error instanceof TypeError || name === "SecurityError")
    return "this browser cannot keep files; choose the folder again next time";
  return `the copy failed (${(error as Error).message}); choose the folder again, and try again`;
}
