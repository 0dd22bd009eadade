/** A dropped model folder as files by name. */
import { append } from "../../numeric/lists.ts";
import { modelFolder, type ChosenFolder } from "../../store/folderFiles.ts";
import { folderEntries, entryFile } from "../importFolder.ts";

/** Must be called while the drop is handled. */
export function droppedFolder(data: DataTransfer): Promise<ChosenFolder | null> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const folder = entries.find((entry) => entry.isDirectory);
  if (!folder) return Promise.resolve(modelFolder([...data.files]));
  return readFolder(folder as FileSystemDirectoryEntry).then(modelFolder);
}

/** Its files and those of its folders, no deeper. */
async function readFolder(folder: FileSystemDirectoryEntry, deeper = true): Promise<File[]> {
  const files: File[] = [];
  for (const entry of await folderEntries(folder)) {
    if (entry.isFile) files.push(await entryFile(entry as FileSystemFileEntry));
    else if (deeper) append(files, await readFolder(entry as FileSystemDirectoryEntry, false));
  }
  return files;
}
