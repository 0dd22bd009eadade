/** Our WebGPU engine, with its executor in view. */
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import { openDevice } from "../../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { agreeingSubgroup } from "../../../src/engine/webgpu/createWebGpuEngine.ts";
import type { Contender } from "../contender.ts";
import { engineContender } from "./engines.ts";

/** As createWebGpuEngine makes it, on a device of its own. */
export async function openWebGpu(): Promise<Contender> {
  const opened = await openDevice();
  const executor = new WebGpuExecutor(opened, { subgroup: await agreeingSubgroup(opened) });
  return engineContender(createPlanEngine(executor), () => executor.submitted());
}
