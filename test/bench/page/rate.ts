/** The bare product's rate in a page. */
import { openDevice } from "../../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { WasmExecutor } from "../../../src/engine/wasm/executor.ts";
import kernels from "../../../node_modules/.cache/turnbook-wasm/kernels.wasm?url";
import { gpuTimer } from "../gpuTimer.ts";
import { stepRate } from "../matmulRate.ts";
import { tokensOf } from "../workload.ts";

/** FLOP per second over the products of the larger training step. */
export async function pageRate(backend: "webgpu" | "wasm"): Promise<number> {
  const tokens = tokensOf("train-128x16");
  if (backend === "webgpu")
    return stepRate(gpuTimer(new WebGpuExecutor(await openDevice())), tokens);
  const bytes = await (await fetch(kernels)).arrayBuffer();
  const executor = await WasmExecutor.create(bytes);
  return stepRate({ executor, settle: async () => {} }, tokens);
}
