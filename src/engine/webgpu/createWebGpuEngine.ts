/** The WebGPU engine: plans as compute shaders on one graphics device. Works in a page, in a worker and in Node. */
import { checkKernels } from "../check/kernelCheck.ts";
import type { Engine } from "../engine.ts";
import { createPlanEngine } from "../plan/planEngine.ts";
import { sharedDevice, type OpenDevice } from "./device.ts";
import { agreeingSubgroup } from "./subgroups.ts";
import { WebGpuExecutor, type ExecutorOptions } from "./executor.ts";

interface WebGpuEngineOptions extends ExecutorOptions {
  /** The device to run on; absent: the one that all engines of this process share. Its owner destroys it. */
  device?: OpenDevice;
}

/** @throws EngineError if there is no adapter or its device does not start. */
export async function createWebGpuEngine(options: WebGpuEngineOptions = {}): Promise<Engine> {
  const opened = options.device ?? (await sharedDevice());
  const software = options.softwareKernels ?? opened.software;
  const subgroup = await agreeingSubgroup({ ...opened, software });
  const executor = new WebGpuExecutor(opened, { subgroup, ...options });
  const engine = { ...createPlanEngine(executor), pace: executor.pace };
  return software
    ? engine
    : { ...engine, checkKernels: (answered) => checkKernels(executor, answered) };
}
