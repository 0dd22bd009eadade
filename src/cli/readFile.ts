/** Reads the text files that a command line names. */
import { readFileSync, statSync } from "node:fs";
import { InputError } from "../spec/inputError.ts";
import { userPath } from "./args.ts";

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The text of the file that option `--key` names, without the byte-order mark that some editors put
 * before it. Throws InputError when it cannot be read or is too large.
 */
export function readOption(key: string, path: string): string {
  const full = userPath(path);
  try {
    const { size } = statSync(full);
    if (size > MAX_BYTES) throw new InputError(`option --${key}: ${path} is larger than 64 MiB`);
    return readFileSync(full, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new InputError(`option --${key}: cannot read ${path} (${reason})`);
  }
}
