/** The built page, and files of public/ as it would fetch them: the package has those within the page. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../numeric/inputError.ts";

declare const __TURNBOOK_ROOT__: string | undefined;

/** The root of the checkout or the package: known to the bundle; next to this file if the sources run unbundled. */
const projectRoot =
  typeof __TURNBOOK_ROOT__ === "string" ? __TURNBOOK_ROOT__ : join(import.meta.dirname, "..", "..");

/** The script that Node runs as `turnbook`: the checkout's, or the package's. */
export function launcher(): string {
  const ofCheckout = join(projectRoot, "src", "cli", "turnbook.mjs");
  return existsSync(ofCheckout) ? ofCheckout : join(projectRoot, "dist", "cli", "turnbook.mjs");
}

/** `src/cli/README.md`, which has every command; the package has it beside its bundle. */
export async function commandsReadme(): Promise<string> {
  const ofCheckout = join(projectRoot, "src", "cli", "README.md");
  const path = existsSync(ofCheckout) ? ofCheckout : join(pageFolder(), "cli", "README.md");
  return readFile(path, "utf8");
}

/** Where `npm run build` writes it. */
export function pageFolder(): string {
  return join(projectRoot, "dist");
}

export async function readAsset(path: string): Promise<Uint8Array> {
  const ofCheckout = join(projectRoot, "public", path);
  try {
    return await readFile(existsSync(ofCheckout) ? ofCheckout : join(pageFolder(), path));
  } catch {
    throw new InputError(`public/${path} is missing`);
  }
}
