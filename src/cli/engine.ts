/** Engines in Node: the compiled ones by default, on wasm unless WebGPU is requested. */
import type { Engine } from "../engine/engine.ts";
import { EngineError } from "../engine/errors.ts";
import { createTfjsEngine } from "../engine/tfjs/createTfjsEngine.ts";
import { nodeWasmBinary, provideWebGpu } from "../engine/tfjs/node.ts";
import { createWasmEngine } from "../engine/wasm/createWasmEngine.ts";
import { nodeKernels, nodeSpawn } from "../engine/wasm/node.ts";
import { createWebGpuEngine } from "../engine/webgpu/createWebGpuEngine.ts";
import { Trusted } from "../runtime/trust.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";

/** Opens the engine a spec names; "auto" is the fastest that needs no GPU. `workers`: number of the wasm engine's threads. */
export async function openNodeEngine(
  { name, backend }: ExperimentSpec["engine"],
  workers = 1,
): Promise<Engine> {
  if ((name === "wasm" || name === "webgpu") && backend !== "auto" && backend !== name)
    throw new InputError(`engine ${name} does not run on backend ${backend}; it needs ${name}`);
  if (backend === "webgpu" || name === "webgpu") {
    await provideWebGpu();
    if (name !== "tfjs") return checked(await createWebGpuEngine());
  }
  if (runsOnWorkers({ name, backend }))
    return createWasmEngine(nodeKernels(), { workers, spawn: nodeSpawn });
  const wasmBinary = nodeWasmBinary();
  return createTfjsEngine({ backend: backend === "auto" ? "wasm" : backend, wasmBinary });
}

/** Whether a spec names the wasm engine, which "auto" resolves to here. */
export function runsOnWorkers({ name, backend }: ExperimentSpec["engine"]): boolean {
  const onCpu = backend === "auto" || backend === "wasm";
  return (name === "auto" || name === "wasm") && onCpu;
}

/** Drivers differ, so WebGPU is checked, once per process; the wasm kernels give the same bits everywhere and need no check. */
const trusted = new Trusted({
  openReferee: () => createTfjsEngine({ backend: "cpu" }),
  store: null,
  build: "",
  browser: "",
  traits: async () => "",
  now: () => Date.now(),
});

/**
 * Returns an engine whose numbers match the referee's; disposes of others.
 * @throws EngineError "wrong-numbers", or the engine's own error.
 */
export async function checked(engine: Engine): Promise<Engine> {
  try {
    const unchecked = await trusted.trust(engine);
    if (unchecked === null) return engine;
    throw new EngineError("backend-failed", unchecked);
  } catch (error) {
    engine.dispose();
    throw error;
  }
}
