/**
 * Files that are there whole or not at all, even after a power failure: written beside their place, synced to disk, then
 * put there in one step.
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

/** What a file is called until it is whole. */
export function partialPath(path: string): string {
  return `${path}.part`;
}

/** Replaces a file of ours. A part that an earlier process left is written over. */
export function replaceFile(path: string, bytes: Uint8Array | string): void {
  const part = partialPath(path);
  writeSynced(part, bytes);
  renameSync(part, path);
  syncFolder(dirname(path));
}

/** Writes all of a file and waits until it is on disk; what could not be written whole is removed. */
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

/** One call may write a part only. */
export function writeAll(file: number, content: Uint8Array | string): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

/** Makes a folder and those above it. Node's own way says "no such folder" where the disk is read-only. */
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

/** Codes of file systems without hard links. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"];

/** Gives a whole file a second name, where nothing has that name yet; returns whether it was free. */
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

/** A rename is on disk when its folder is. Some systems cannot sync a folder. */
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
