/** What only Node can do: find the compiled kernels. Never imported by browser code. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EngineError } from "../errors.ts";

const KERNELS = join("node_modules", ".cache", "turnbook-wasm", "kernels.wasm");

/** The kernels that build.mjs compiled, from the nearest node_modules above this file. */
export function nodeKernels(): Uint8Array<ArrayBuffer> {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, KERNELS))) {
    const above = dirname(folder);
    if (above === folder)
      throw new EngineError(
        "backend-failed",
        "the wasm kernels are not compiled; npm start does it",
      );
    folder = above;
  }
  return new Uint8Array(readFileSync(join(folder, KERNELS)));
}
