/** Starts a contender in a worker of a page. Each is loaded on its own, so that no other library runs beside it. */
import tfjsBinary from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import kernels from "../../../node_modules/.cache/turnbook-wasm/kernels.wasm?url";
import type { Contender, ContenderName } from "../contender.ts";

const openers: Record<ContenderName, () => Promise<Contender>> = {
  "turnbook-webgpu": async () => (await import("./webgpu.ts")).openWebGpu(),
  "turnbook-wasm": () => openWasm(1),
  "turnbook-wasm-2": () => openWasm(2),
  "referee-webgpu": () => openReferee("webgpu"),
  "referee-wasm": () => openReferee("wasm"),
  "jax-webgpu": async () => (await import("./jax.ts")).openJax("webgpu"),
  "jax-wasm": async () => (await import("./jax.ts")).openJax("wasm"),
  "tfjs-webgpu": async () => (await import("./tfjs.ts")).openTfjs("webgpu"),
  "tfjs-wasm": async () => (await import("./tfjs.ts")).openTfjs("wasm"),
};

export const openContender = (name: ContenderName): Promise<Contender> => openers[name]();

async function openWasm(workers: number): Promise<Contender> {
  const { createWasmEngine } = await import("../../../src/engine/wasm/createWasmEngine.ts");
  const { engineThreads } = await import("../../../src/runtime/engineThreads.ts");
  const { engineContender } = await import("./engines.ts");
  return engineContender(await createWasmEngine(kernels, { ...engineThreads(), workers }));
}

async function openReferee(backend: "webgpu" | "wasm"): Promise<Contender> {
  const { createTfjsEngine } = await import("../../../src/engine/tfjs/createTfjsEngine.ts");
  const tf = await import("@tensorflow/tfjs-core");
  const { engineContender } = await import("./engines.ts");
  const engine = await createTfjsEngine({ backend, wasmBinary: tfjsBinary });
  return engineContender(engine, () => submitHeld(tf.backend() as unknown as HoldingBackend));
}

/** tfjs's webgpu backend holds commands back until there are fifteen, or something is read; parts private by type. */
interface HoldingBackend {
  commandEncoder?: GPUCommandEncoder | null;
  endComputePassEncoder(): void;
  submitQueue(): void;
}

function submitHeld(backend: HoldingBackend): void {
  if (!backend.commandEncoder) return;
  backend.endComputePassEncoder();
  backend.submitQueue();
}
