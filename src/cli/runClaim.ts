/**
 * Whether `--out DIR` may be written to: a new or empty folder, or one that contains a run of the
 * same spec. Anything else is refused before a byte is written.
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

/** Left by a process that was killed before its first complete file: treated as empty. */
const SCRATCH = /^turnbook-run\.(json|lock)\.\d+\.part(\.old)?$/;

/**
 * Creates the folder if there is none, and marks it: the first file written. Another process may do
 * the same at the same time. Returns whether the marker still has to be written: runs of older
 * versions have none.
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

/** Creates the folder if there is none; returns whether it is effectively empty. */
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
  linkNew(part, marker); // if another process was faster, its marker stays
  rmSync(part, { force: true });
  syncFolder(directory);
}

/** The spec in the marker, or why there is none. */
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

/** From the first checkpoint that is ours and intact. */
async function specOfCheckpoints(directory: string): Promise<ExperimentSpec | null> {
  for (const name of [RUN_FILES.checkpoint, RUN_FILES.previous]) {
    try {
      return (await decodeCheckpoint(readFileSync(join(directory, name)))).spec;
    } catch {
      // Try the next one.
    }
  }
  return null;
}
