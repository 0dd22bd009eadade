/**
 * Model folders that the reader keeps in the browser's file system: one folder each, named by the
 * hash of its files, or, if it was downloaded, holding its files in pieces.
 */
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
  downloads: ModelDownloads;
}

/** Folders that arrive piece by piece, and become kept models. */
export interface ModelDownloads {
  /** Bytes of each file that is there. Never rejects. */
  sizes(key: string): Promise<Map<string, number>>;
  /** Null if there is no such file. Never rejects. */
  text(key: string, file: string): Promise<string | null>;
  /** @throws InputError if the storage is full, or the browser has none */
  write(key: string, file: string, blob: Blob): Promise<void>;
  /** @throws InputError if the browser says that there is too little room */
  checkRoom(bytes: number): Promise<void>;
  /** Its files, each of its pieces in order. */
  files(key: string): Promise<Map<string, Blob>>;
  /** It is kept from now on. */
  finish(key: string, model: KeptModel): Promise<void>;
  /** Those that are not kept models yet. Never rejects. */
  unfinished(): Promise<{ key: string; bytes: number }[]>;
  /** Never rejects. */
  drop(key: string): Promise<void>;
}

/** Of piece `i` of a file that arrives in pieces. */
export const pieceName = (file: string, i: number) => `${file}.piece${String(i).padStart(4, "0")}`;
const PIECE_NAME = /^(.+)\.piece\d{4}$/;
/** What a download is of; not one of the model's files. */
export const ABOUT_DOWNLOAD = "turnbook-download.json";

/** The folders within the folder of all of them. */
function foldersIn(root: OpenRoot) {
  const all = async (create = false) => (await root()).getDirectoryHandle(FOLDER, { create });
  return {
    all,
    at: async (key: string, create = false) =>
      (await all(create)).getDirectoryHandle(key, { create }),
    /** Never rejects. */
    drop: async (key: string) => {
      await all()
        .then((folder) => folder.removeEntry(key, { recursive: true }))
        .catch(() => undefined);
    },
  };
}

export function browserModels(root: OpenRoot = browserRoot, use = storageUse): KeptModels {
  const folders = foldersIn(root);
  /** With the names of their folders. */
  const listed = async () => {
    const found: (KeptModel & { key: string })[] = [];
    try {
      const folder = await folders.all();
      for await (const key of folder.keys()) {
        const marker = await markerOf(folder, key);
        if (marker) found.push({ hash: key, ...marker, key });
      }
    } catch {
      // No file system, or nothing was ever kept in it.
    }
    return found;
  };
  const keyOf = async (hash: string) => (await listed()).find((one) => one.hash === hash)?.key;
  return {
    list: async () => (await listed()).map(({ key: _, ...model }) => model),
    keep: async ({ hash, name }, files, onFile) => {
      const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
      await checkSpace(bytes, use);
      try {
        const folder = await folders.at(hash, true);
        let done = 0;
        for (const [file, blob] of files) {
          await write(folder, file, blob);
          onFile?.((done += blob.size));
        }
        await write(folder, MARKER, new Blob([JSON.stringify({ name, bytes })]));
      } catch (error) {
        await folders.drop(hash);
        throw new InputError(whyNotKept(error, bytes));
      }
    },
    open: async (hash) => {
      const key = await keyOf(hash);
      return key === undefined ? null : filesIn(await folders.at(key)).catch(() => null);
    },
    drop: async (hash) => {
      const key = await keyOf(hash);
      if (key !== undefined) await folders.drop(key);
    },
    downloads: downloadsIn(folders, use),
  };
}

function downloadsIn(
  { all, at, drop }: ReturnType<typeof foldersIn>,
  use: typeof storageUse,
): ModelDownloads {
  const sizes = async (key: string) => {
    const found = new Map<string, number>();
    const folder = await at(key).catch(() => null);
    for await (const name of folder?.keys() ?? [])
      found.set(name, (await fileIn(folder!, name)).size);
    return found;
  };
  return {
    sizes,
    text: async (key, file) =>
      at(key)
        .then((folder) => fileIn(folder, file))
        .then((blob) => blob.text())
        .catch(() => null),
    write: async (key, file, blob) => {
      try {
        await write(await at(key, true), file, blob);
      } catch (error) {
        throw new InputError(whyNotKept(error, blob.size));
      }
    },
    checkRoom: (bytes) => checkSpace(bytes, use),
    files: async (key) => filesIn(await at(key)),
    finish: async (key, model) => write(await at(key), MARKER, new Blob([JSON.stringify(model)])),
    unfinished: async () => {
      const folder = await all().catch(() => null);
      const found: { key: string; bytes: number }[] = [];
      for await (const key of folder?.keys() ?? []) {
        const there = await sizes(key);
        if (!there.has(ABOUT_DOWNLOAD) || there.has(MARKER)) continue;
        found.push({ key, bytes: [...there.values()].reduce((sum, one) => sum + one, 0) });
      }
      return found;
    },
    drop,
  };
}

/** Null if the copy is not complete. */
async function markerOf(
  folder: FileSystemDirectoryHandle,
  key: string,
): Promise<Omit<KeptModel, "hash"> | KeptModel | null> {
  try {
    const file = await fileIn(await folder.getDirectoryHandle(key), MARKER);
    const marker = jsonOrNothing(await file.text());
    if (!isRecord(marker)) return null;
    const { name, bytes, hash } = marker;
    if (typeof name !== "string" || typeof bytes !== "number") return null;
    return { name, bytes, ...(typeof hash === "string" && { hash }) };
  } catch {
    return null;
  }
}

const fileIn = async (folder: FileSystemDirectoryHandle, name: string): Promise<Blob> =>
  (await folder.getFileHandle(name)).getFile();

/** Its files; those in pieces as one blob of files, none of which is read. */
async function filesIn(folder: FileSystemDirectoryHandle): Promise<Map<string, Blob>> {
  const names: string[] = [];
  for await (const name of folder.keys()) names.push(name);
  const parts = new Map<string, Blob[]>();
  for (const name of names.sort()) {
    if (name === MARKER || name === ABOUT_DOWNLOAD) continue;
    const whole = PIECE_NAME.exec(name)?.[1] ?? name;
    parts.set(whole, [...(parts.get(whole) ?? []), await fileIn(folder, name)]);
  }
  return new Map(
    [...parts].map(([name, [first, ...more]]) => [
      name,
      more.length > 0 ? new Blob([first!, ...more]) : first!,
    ]),
  );
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
