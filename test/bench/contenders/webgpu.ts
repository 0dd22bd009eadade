/** Our WebGPU engine, with its executor in view. */
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import { openDevice } from "../../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import type { Contender } from "../contender.ts";
import { engineContender } from "./engines.ts";

/** As createWebGpuEngine makes it. */
export async function openWebGpu(): Promise<Contender> {
  const executor = new WebGpuExecutor(await openDevice());
  return engineContender(createPlanEngine(executor), () => executor.submitted());
}
