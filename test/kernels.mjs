// Vitest's global set-up: the wasm kernels are compiled before any test needs them.
import { buildKernels } from "../src/engine/wasm/build.mjs";

export async function setup() {
  await buildKernels();
}
