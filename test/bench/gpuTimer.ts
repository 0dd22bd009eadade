import type { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import type { Timer } from "./matmulRate.ts";

export const gpuTimer = (executor: WebGpuExecutor): Timer => ({
  executor,
  settle: async () => {
    await executor.submitted();
    await executor.device.queue.onSubmittedWorkDone();
  },
});
