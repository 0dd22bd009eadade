/**
 * Whether `--out DIR` may be written to: a new or empty folder, or one that holds a run of the same spec. What is
 * anybody else's is refused before a byte is written.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import { decodeCheckpoint } from "../train/checkpoint.ts";
import { decodeMarker, encodeMarker, RUN_FILES } from "../train/runFiles.ts";
import { onFiles } from "./fileError.ts";
import { firstSpecDifference, isSameSpec } from "./specDifference.ts";
import { linkNew, syncFolder, writeSynced, makeFolder } from "./wholeFile.ts";

/** What a process that was killed before its first whole file leaves: as good as empty. */
const SCRATCH = /^turnbook-run\.(json|lock)\.\d+\.part(\.old)?$/;

/**
 * Makes the folder where there is none, and marks it: the first file written. Another process may do so at once. Returns
 * whether the marker is still to be written: runs of older versions have none.
 */
export async function claimFolder(directory: string, spec: ExperimentSpec): Promise<boolean> {
  const failed = `--out ${directory} cannot be used`;
  if (onFiles(failed, () => isEmpty(directory))) onFiles(failed, () => mark(directory, spec));
  const marked = onFiles(failed, () => readMarker(directory));
  const saved = marked instanceof InputError ? await specOfCheckpoints(directory) : marked;
  if (!saved) throw marked;
  if (!isSameSpec(saved, spec))
    throw new InputError(
      `${directory} holds a run of another spec (${firstSpecDifference(saved, spec)}); use another --out folder`,
    );
  return marked instanceof InputError;
}

/** Makes the folder where there is none; whether it is as good as empty. */
function isEmpty(directory: string): boolean {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new InputError(`--out ${directory} is a file; it must be a folder`);
  makeFolder(directory);
  return readdirSync(directory).every((name) => SCRATCH.test(name));
}

function mark(directory: string, spec: ExperimentSpec): void {
  const marker = join(directory, RUN_FILES.marker);
  const part = `${marker}.${process.pid}.part`;
  writeSynced(part, encodeMarker(spec));
  linkNew(part, marker); // where another process was first, its marker stays
  rmSync(part, { force: true });
  syncFolder(directory);
}

/** The spec that the marker names, or why there is none. */
function readMarker(directory: string): ExperimentSpec | InputError {
  const path = join(directory, RUN_FILES.marker);
  if (!existsSync(path))
    return new InputError(
      `${directory} is not empty and holds no Turnbook run; use a new or an empty folder`,
    );
  try {
    return decodeMarker(readFileSync(path, "utf8"));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return new InputError(`${directory}: ${error.message}; use another --out folder`);
  }
}

/** Of the first checkpoint that is ours and whole. */
async function specOfCheckpoints(directory: string): Promise<ExperimentSpec | null> {
  for (const name of [RUN_FILES.checkpoint, RUN_FILES.previous]) {
    try {
      return (await decodeCheckpoint(readFileSync(join(directory, name)))).spec;
    } catch {
      // The next one, or none.
    }
  }
  return null;
}
