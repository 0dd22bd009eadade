/** A chosen model folder as files by name. */
import { filePath } from "./importFiles.ts";

export interface ChosenFolder {
  name: string;
  files: Map<string, File>;
}

const CONFIG = "config.json";

/** The files beside the highest config.json, or those of the folder itself. `paths`: from the folder's own name on, if it is known. */
export function modelFolder(files: readonly File[]): ChosenFolder | null {
  const paths = files.map((file) => filePath(file));
  const roots = paths
    .filter((path) => path.split("/").at(-1) === CONFIG)
    .map((path) => path.slice(0, -CONFIG.length));
  const depth = (path: string) => path.split("/").length;
  const first = paths[0];
  if (first === undefined) return null;
  const root = roots.sort((a, b) => depth(a) - depth(b))[0] ?? first.replace(/[^/]*$/, "");
  const inRoot = files.filter((_, i) => paths[i]!.replace(/[^/]*$/, "") === root);
  return {
    name: root.split("/").at(-2) ?? "model",
    files: new Map(inRoot.map((file) => [file.name, file])),
  };
}

type Pick = () => Promise<FileSystemDirectoryHandle>;

/** The browser's own dialog for folders; null if it has none. */
export function folderPicker(): Pick | null {
  const { showDirectoryPicker: pick } = globalThis as { showDirectoryPicker?: Pick };
  return pick ? () => pick.call(globalThis) : null;
}

export async function pickedFolder(folder: FileSystemDirectoryHandle): Promise<ChosenFolder> {
  const files = new Map<string, File>();
  for await (const entry of folder.values())
    if (entry.kind === "file")
      files.set(entry.name, await (entry as FileSystemFileHandle).getFile());
  return { name: folder.name, files };
}
