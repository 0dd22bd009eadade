/** Engines as Node has them: the compiled ones unless asked otherwise, on wasm unless WebGPU is asked for. */
import type { Engine } from "../engine/engine.ts";
import { refusalOf, selfCheck } from "../engine/selfCheck.ts";
import { createTfjsEngine } from "../engine/tfjs/createTfjsEngine.ts";
import { nodeWasmBinary, provideWebGpu } from "../engine/tfjs/node.ts";
import { createWasmEngine } from "../engine/wasm/createWasmEngine.ts";
import { nodeKernels, nodeSpawn } from "../engine/wasm/node.ts";
import { createWebGpuEngine } from "../engine/webgpu/createWebGpuEngine.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../spec/inputError.ts";

/** Opens the engine a spec names; "auto" is the fastest that needs no GPU. `workers` are the wasm engine's threads. */
export async function openEngine(
  { name, backend }: ExperimentSpec["engine"],
  workers = 1,
): Promise<Engine> {
  if ((name === "wasm" || name === "webgpu") && backend !== "auto" && backend !== name)
    throw new InputError(`engine ${name} does not run on backend ${backend}; it needs ${name}`);
  if (backend === "webgpu" || name === "webgpu") {
    await provideWebGpu();
    if (name !== "tfjs") return checked(await createWebGpuEngine());
  }
  if (name !== "tfjs" && backend !== "cpu" && backend !== "webgpu")
    return createWasmEngine(nodeKernels(), { workers, spawn: nodeSpawn });
  const wasmBinary = nodeWasmBinary();
  return createTfjsEngine({ backend: backend === "auto" ? "wasm" : backend, wasmBinary });
}

let refusal: Promise<Error | null> | undefined;

/**
 * Lets an engine pass whose numbers are the referee's; once per process. Drivers differ, so WebGPU is checked; the wasm kernels
 * give the same bits everywhere and are not.
 * @throws EngineError "wrong-numbers"
 */
async function checked(engine: Engine): Promise<Engine> {
  refusal ??= check(engine);
  const found = await refusal;
  if (found === null) return engine;
  engine.dispose();
  throw found;
}

async function check(engine: Engine): Promise<Error | null> {
  const referee = await createTfjsEngine({ backend: "cpu" });
  const found = refusalOf(await selfCheck(engine, referee));
  referee.dispose();
  return found;
}
