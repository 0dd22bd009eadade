/** Files of public/ as the page would fetch them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../spec/inputError.ts";

declare const __TURNBOOK_ROOT__: string | undefined;

/** The repository's root: known to the bundle; beside this file when the sources run unbundled. */
export const projectRoot =
  typeof __TURNBOOK_ROOT__ === "string" ? __TURNBOOK_ROOT__ : join(import.meta.dirname, "..", "..");

export async function readAsset(path: string): Promise<Uint8Array> {
  try {
    return await readFile(join(projectRoot, "public", path));
  } catch {
    throw new InputError(`public/${path} is missing`);
  }
}
