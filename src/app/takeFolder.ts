/** A folder that was chosen or dropped: its run is read, or it is said why there is none. */
import { words as importing } from "../interchange/import/words.ts";
import { following } from "../store/followFiles.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { filePath, type StartImport } from "../store/importFiles.ts";
import { importFiles, refuseImport } from "../store/imports.ts";
import { filesOf, holdsModelAlone, MOST_FILES, packedAmong, runFiles } from "./importFolder.ts";
import { MODEL_HASH } from "./route.ts";

/** Browsers without folder support let the reader select files. */
export function takeChosenFolder(experiment: ExperimentHandle, files: File[]): void {
  if (!files[0]) return;
  const read = runFiles(files);
  const left = packedAmong(files.map(filePath), read);
  takeFolder(experiment, filePath(files[0]).split("/")[0]!, read, left);
}

export async function takeDroppedFolder(
  experiment: ExperimentHandle,
  entries: readonly FileSystemEntry[],
): Promise<void> {
  const { name } = entries.find(({ isDirectory }) => isDirectory)!;
  try {
    const left: string[] = [];
    const files = await filesOf(entries, (path) => left.push(path));
    // Its entries say what is in it at any later time, too.
    const start = following(() => filesOf(entries));
    takeFolder(experiment, name, files, packedAmong(left, files), start);
  } catch {
    refuse(name, importing.refused.folder);
  }
}

/** @param left paths in it of files that may contain episodes, but are compressed or binary */
function takeFolder(
  experiment: ExperimentHandle,
  name: string,
  files: File[],
  left: readonly string[],
  start?: StartImport,
): void {
  if (files.length > MOST_FILES) refuse(name, importing.refused.many(MOST_FILES));
  else if (holdsModelAlone(files)) refuse(name, importing.refused.model, MODEL_HASH);
  else if (files.length === 0)
    refuse(name, left.length > 0 ? importing.refused.packed(left) : importing.refused.bare);
  else importFiles(experiment, files, start, left);
}

/** @param href where the reader finds what to do */
function refuse(name: string, [why, action]: readonly [string, string], href?: string): void {
  refuseImport(name, { why, action, ...(href !== undefined && { href }) });
}
