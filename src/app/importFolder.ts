/** Files of dropped folders: programs write one file for each step and process, in folders of their own. */
import { append } from "../numeric/lists.ts";
import { MAX_BYTES } from "../reading/log/recordingIndex.ts";
import { filePath, rememberPath } from "../store/importFiles.ts";

/** Maximum files read from a folder: their size limit applies long before, but only once all are known. */
export const MOST_FILES = 5000;

/** Text, and what is packed and may be opened; other files in such a folder, settings and weights, are not part of a run. */
const READABLE =
  /(?:^|\/)[^./][^/]*\.(?:jsonl|json|ndjson|csv|tsv|txt|gz|zst|zip|eval|parquet|pkl|pickle|pt)$/i;

/** Weights, and what trainers keep beside them, by the names that verl, transformers and DeepSpeed give them. */
const WEIGHTS =
  /(?:^|\/)(?:(?:model|pytorch_model|optim|scheduler|rng_state|extra_state|weights|adapter|ckpt|checkpoint|mp_rank|zero_pp_rank)[^/]*|data)\.(?:pt|pkl)$/i;

/** From a run's folder: it is next to the log, and not part of it. */
const MARKER = "turnbook-run.json";

export function isReadable(path: string): boolean {
  return READABLE.test(path) && !path.endsWith(MARKER) && !WEIGHTS.test(path);
}

/** A part of a columnar recording, by its name alone, if there is a manifest next to it. */
const PART = /(?:^|\/)[a-z0-9][a-z0-9-]*\.(?:bin|safetensors)$/;

/** The files of a folder that a run can be read from; parts of a recording only if its manifest is present. */
export function runFiles(files: readonly File[]): File[] {
  const hasManifest = files.some((file) => /(?:^|\/)recording\.json$/.test(filePath(file)));
  const read = files.filter((file) => {
    const path = filePath(file);
    return isReadable(path) || (hasManifest && PART.test(path));
  });
  // Lines first, then the smaller of what is read as a whole, as much as is read of one folder: large files are weights.
  const isPacked = (file: File) => WHOLE.test(filePath(file));
  let room = MAX_BYTES;
  const fits = new Set(
    read
      .toSorted((a, b) => Number(isPacked(a)) - Number(isPacked(b)) || a.size - b.size)
      .filter((file) => !isPacked(file) || (room -= file.size) >= 0),
  );
  return read.filter((file) => fits.has(file));
}

/** What a Hugging Face folder of a model has beside its weights. */
const OF_MODEL =
  /(?:^|\/)(?:config|generation_config|tokenizer|tokenizer_config|special_tokens_map|added_tokens|vocab|model\.safetensors\.index)\.json$|(?:^|\/)(?:merges|LICENSE|SHA256SUMS)(?:\.txt)?$/;

/** Whether they are a model's files and no run's. */
export function holdsModelAlone(files: readonly File[]): boolean {
  const paths = files.map(filePath);
  const has = (name: string) => paths.some((path) => path.split("/").at(-1) === name);
  return has("config.json") && has("tokenizer.json") && paths.every((path) => OF_MODEL.test(path));
}

/** May contain episodes: its content is known once it is opened. */
const PACKED = /\.(?:gz|zst|xz|bz2|zip|parquet|pkl|pickle|pt|arrow|eval|db)$/i;

/** The same without lines that are compressed. */
const WHOLE = /\.(?:xz|bz2|zip|parquet|pkl|pickle|pt|arrow|eval|db)$/i;

/** The paths of a folder's files that may contain episodes and are not read. */
export function packedAmong(paths: readonly string[], read: readonly File[]): string[] {
  const known = new Set(read.map(filePath));
  return paths.filter((path) => PACKED.test(path) && !known.has(path));
}

/**
 * All files, including those in folders if they can be read; at most one more than `MOST_FILES`.
 * @param onLeft receives the paths of the others in folders
 */
export async function filesOf(
  entries: readonly FileSystemEntry[],
  onLeft: (path: string) => void = () => {},
): Promise<File[]> {
  const files: File[] = [];
  const waiting = [...entries].reverse();
  for (let entry = waiting.pop(); entry && files.length <= MOST_FILES; entry = waiting.pop()) {
    if (isFolder(entry)) append(waiting, await folderEntries(entry));
    else if (entries.includes(entry) || mayBeRead(entry.fullPath))
      files.push(await entryFile(entry as FileSystemFileEntry));
    else onLeft(entry.fullPath.replace(/^\//, ""));
  }
  const dropped = new Set(entries.map(({ fullPath }) => fullPath.replace(/^\//, "")));
  const inFolders = new Set(runFiles(files));
  const read = (file: File) => inFolders.has(file) || dropped.has(filePath(file));
  for (const file of files) if (!read(file)) onLeft(filePath(file));
  return files.filter(read);
}

const mayBeRead = (path: string): boolean => isReadable(path) || PART.test(path);

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A folder lists its entries in portions; the last one is empty. */
export async function folderEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
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

export async function entryFile(entry: FileSystemFileEntry): Promise<File> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  rememberPath(file, entry.fullPath.replace(/^\//, ""));
  return file;
}
