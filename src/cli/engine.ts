/** Engines as Node has them: tfjs on wasm unless asked otherwise. */
import type { Engine } from "../engine/engine.ts";
import { createTfjsEngine } from "../engine/tfjs/createTfjsEngine.ts";
import { nodeWasmBinary, provideWebGpu } from "../engine/tfjs/node.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

/** Opens the engine a spec names; "auto" is the one that needs no GPU. */
export async function openEngine({ backend }: ExperimentSpec["engine"]): Promise<Engine> {
  if (backend === "webgpu") await provideWebGpu();
  const wasmBinary = nodeWasmBinary();
  return createTfjsEngine({ backend: backend === "auto" ? "wasm" : backend, wasmBinary });
}
