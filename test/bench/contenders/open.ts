/** Starts a contender in a worker of a page. Each is loaded on its own, so that no other library runs beside it. */
import tfjsBinary from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import kernels from "../../../node_modules/.cache/turnbook-wasm/kernels.wasm?url";
import type { Contender, ContenderName } from "../contender.ts";

const openers: Record<ContenderName, () => Promise<Contender>> = {
  "turnbook-webgpu": async () => (await import("./webgpu.ts")).openWebGpu(),
  "turnbook-wasm": () => openWasm(1),
  "turnbook-wasm-2": () => openWasm(2),
  "referee-webgpu": () => referee("webgpu"),
  "referee-wasm": () => referee("wasm"),
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

const referee = async (backend: "webgpu" | "wasm") =>
  (await import("./referee.ts")).openReferee(backend, tfjsBinary);
