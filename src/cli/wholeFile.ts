/**
 * Atomic file writes, even across a power failure: written to a temporary name, synced to disk,
 * then renamed.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./fileError.ts";

/** A file's temporary name. */
export function partialPath(path: string): string {
  return `${path}.part`;
}

/** Replaces one of our files. A temporary file left by an earlier process is overwritten. */
export function replaceFile(path: string, bytes: Uint8Array | string): void {
  const part = partialPath(path);
  writeSynced(part, bytes);
  renameSync(part, path);
  syncFolder(dirname(path));
}

/**
 * Writes a whole file and waits until it is on disk; removes it if it could not be written
 * completely.
 */
export function writeSynced(path: string, bytes: Uint8Array | string): void {
  const file = openSync(path, "w");
  try {
    writeAll(file, bytes);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** One call may write only a part. */
export function writeAll(file: number, content: Uint8Array | string): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

/** Creates a folder and its parents. Node's own error says "no such folder" if the disk is read-only. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (hasCode(error, "EEXIST") && statSync(path).isDirectory()) return;
    if (!hasCode(error, "ENOENT") || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}

/** Error codes of file systems without hard links. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"];

/** Gives a complete file a second name, unless that name exists; returns whether it was free. */
export function linkNew(from: string, to: string): boolean {
  try {
    linkOrCopy(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!hasCode(error, ...NO_LINKS)) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** A rename is durable once its folder is synced. Some systems cannot sync a folder. */
export function syncFolder(path: string): void {
  let folder: number;
  try {
    folder = openSync(path, "r");
  } catch (error) {
    if (hasCode(error, "EISDIR", "EPERM", "EACCES")) return;
    throw error;
  }
  try {
    fsyncSync(folder);
  } catch (error) {
    if (!hasCode(error, "EINVAL", "EPERM", "ENOTSUP", "EISDIR")) throw error;
  } finally {
    closeSync(folder);
  }
}
