/** Files of dropped folders: programs write one file for each step and process, in folders of their own. */
import { append } from "../numeric/lists.ts";
import { filePath, rememberPath } from "../store/importFiles.ts";

/** Files that are read of a folder at most: the limit of their size comes long before, but only once all are known. */
export const MOST_FILES = 5000;

/** What else lies in such a folder, settings and weights, is no part of a run. */
const READABLE = /(?:^|\/)[^./][^/]*\.(?:jsonl|json|ndjson|txt)$/i;

/** Of a run's folder: it stands beside the log, and is no part of it. */
const MARKER = "turnbook-run.json";

export function isReadable(path: string): boolean {
  return READABLE.test(path) && !path.endsWith(MARKER);
}

/** A part of a columnar recording, by its name alone: beside a manifest it is one. */
const PART = /(?:^|\/)[a-z0-9][a-z0-9-]*\.(?:bin|safetensors)$/;

/** Of a folder's files those that a run can be read from; parts of a recording only where its manifest is there. */
export function runFiles(files: readonly File[]): File[] {
  const hasManifest = files.some((file) => /(?:^|\/)recording\.json$/.test(filePath(file)));
  return files.filter((file) => {
    const path = filePath(file);
    return isReadable(path) || (hasManifest && PART.test(path));
  });
}

/** May hold episodes, but only unpacked or converted: what it is shows once it is opened. */
const PACKED = /\.(?:gz|zst|xz|bz2|zip|parquet|pkl|pickle|pt|arrow|eval|db)$/i;

/** Of a folder's files, by their paths, those that may hold episodes and are not among those that are read. */
export function packedAmong(paths: readonly string[], read: readonly File[]): string[] {
  const known = new Set(read.map(filePath));
  return paths.filter((path) => PACKED.test(path) && !known.has(path));
}

/** What is dropped, where a folder is among it; null: files alone. To be asked while the event is handled. */
export function droppedEntries(data: DataTransfer): FileSystemEntry[] | null {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return entries.some(({ isDirectory }) => isDirectory) ? entries : null;
}

/** All files, those in folders if they can be read; at most one more than `MOST_FILES`. @param onLeft hears paths of the others */
export async function filesOf(
  entries: readonly FileSystemEntry[],
  onLeft: (path: string) => void = () => {},
): Promise<File[]> {
  const files: File[] = [];
  const waiting = [...entries].reverse();
  for (let entry = waiting.pop(); entry && files.length <= MOST_FILES; entry = waiting.pop()) {
    if (isFolder(entry)) append(waiting, await entriesOf(entry));
    else if (entries.includes(entry) || mayBeRead(entry.fullPath))
      files.push(await fileOf(entry as FileSystemFileEntry));
    else onLeft(entry.fullPath.replace(/^\//, ""));
  }
  const dropped = new Set(entries.map(({ fullPath }) => fullPath.replace(/^\//, "")));
  const inFolders = new Set(runFiles(files));
  return files.filter((file) => inFolders.has(file) || dropped.has(filePath(file)));
}

const mayBeRead = (path: string): boolean => isReadable(path) || PART.test(path);

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A folder lists its entries in portions; the last one is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    append(all, some);
  }
}

async function fileOf(entry: FileSystemFileEntry): Promise<File> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  rememberPath(file, entry.fullPath.replace(/^\//, ""));
  return file;
}
