/** Engines as Node has them: the compiled one on wasm unless asked otherwise. */
import type { Engine } from "../engine/engine.ts";
import { createTfjsEngine } from "../engine/tfjs/createTfjsEngine.ts";
import { nodeWasmBinary, provideWebGpu } from "../engine/tfjs/node.ts";
import { createWasmEngine } from "../engine/wasm/createWasmEngine.ts";
import { nodeKernels } from "../engine/wasm/node.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../spec/inputError.ts";

/** Opens the engine a spec names; "auto" is the fastest that needs no GPU. */
export async function openEngine({ name, backend }: ExperimentSpec["engine"]): Promise<Engine> {
  const onWasm = backend === "auto" || backend === "wasm";
  if (name === "wasm" && !onWasm)
    throw new InputError(`engine wasm does not run on backend ${backend}; it needs wasm`);
  if (name === "webgpu") throw new InputError("engine webgpu is not available here yet; use wasm");
  if (onWasm && name !== "tfjs") return createWasmEngine(nodeKernels());
  if (backend === "webgpu") await provideWebGpu();
  const wasmBinary = nodeWasmBinary();
  return createTfjsEngine({ backend: backend === "auto" ? "wasm" : backend, wasmBinary });
}
