/** What only Node can do: find the wasm binary and provide WebGPU. Never imported by browser code. */
import { createRequire } from "node:module";

/** Path of tfjs's wasm binary in node_modules. */
export function nodeWasmBinary(): string {
  const require = createRequire(import.meta.url);
  return require.resolve("@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm");
}

export async function provideWebGpu(): Promise<void> {}
