/** Engines as Node has them: the compiled ones unless asked otherwise, on wasm unless WebGPU is asked for. */
import type { Engine } from "../engine/engine.ts";
import { createTfjsEngine } from "../engine/tfjs/createTfjsEngine.ts";
import { nodeWasmBinary, provideWebGpu } from "../engine/tfjs/node.ts";
import { createWasmEngine } from "../engine/wasm/createWasmEngine.ts";
import { nodeKernels } from "../engine/wasm/node.ts";
import { createWebGpuEngine } from "../engine/webgpu/createWebGpuEngine.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../spec/inputError.ts";

/** Opens the engine a spec names; "auto" is the fastest that needs no GPU. */
export async function openEngine({ name, backend }: ExperimentSpec["engine"]): Promise<Engine> {
  if ((name === "wasm" || name === "webgpu") && backend !== "auto" && backend !== name)
    throw new InputError(`engine ${name} does not run on backend ${backend}; it needs ${name}`);
  if (backend === "webgpu" || name === "webgpu") {
    await provideWebGpu();
    if (name !== "tfjs") return createWebGpuEngine();
  }
  if (name !== "tfjs" && backend !== "cpu" && backend !== "webgpu")
    return createWasmEngine(nodeKernels());
  const wasmBinary = nodeWasmBinary();
  return createTfjsEngine({ backend: backend === "auto" ? "wasm" : backend, wasmBinary });
}
