/** The wasm engine: plans on SIMD kernels. Works in a page, in a worker and in Node. */
import type { Engine } from "../engine.ts";
import { EngineError } from "../errors.ts";
import { createPlanEngine } from "../plan/planEngine.ts";
import { WasmExecutor } from "./executor.ts";

/** The smallest module that uses SIMD: () => i8x16.popcnt(i32x4.splat(0)). */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** @throws EngineError when this machine has no WebAssembly SIMD or the kernels do not load. */
export async function createWasmEngine(kernels: BufferSource | string): Promise<Engine> {
  if (!WebAssembly.validate(SIMD_PROBE))
    throw new EngineError("backend-failed", "this browser's WebAssembly has no SIMD");
  const bytes = typeof kernels === "string" ? await load(kernels) : kernels;
  return createPlanEngine(await WasmExecutor.create(bytes));
}

async function load(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (response.ok) return response.arrayBuffer();
  throw new EngineError("backend-failed", `the kernels at ${url} do not load (${response.status})`);
}
