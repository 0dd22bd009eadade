// Vitest's global set-up: the wasm kernels and Node's worker are built before any test needs them.
import { buildKernels, buildNodeWorker } from "../src/engine/wasm/build.mjs";

export async function setup() {
  await buildKernels();
  await buildNodeWorker();
}
