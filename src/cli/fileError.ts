/** Errors of the file system in one sentence: bad input if another path would work, otherwise the machine's fault. */
import { InputError } from "../numeric/inputError.ts";

/** The machine's fault: the command ends with exit code 1 and this one line. */
export class FileError extends Error {
  override name = "FileError";
}

/** Another path, or other rights, would help. */
const PATHS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "part of the path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "it already exists",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its links form a loop",
};

const AGAIN = "free some space, then run the same command again";
const MACHINE: Record<string, string> = {
  ENOSPC: `the disk is full; ${AGAIN}`,
  EDQUOT: `the disk quota is used up; ${AGAIN}`,
  EFBIG: "the file would exceed the size limit; raise the limit, then run the same command again",
  EIO: "the disk reports an error",
};

/** Runs the work; `failed` starts the sentence: "run/checkpoint.zip cannot be written". */
export function onFiles<T>(failed: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(error, failed);
  }
}

/** Other errors are returned unchanged. */
function fileError(error: unknown, failed: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof InputError) return error;
  const path = PATHS[code];
  if (path !== undefined) return new InputError(`${failed}: ${path} (${code})`);
  return new FileError(`${failed}: ${MACHINE[code] ?? (error as Error).message} (${code})`);
}

/** Whether a call failed with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}
