/** The WebGPU engine: plans as compute shaders on one graphics device. Works in a page, in a worker and in Node. */
import type { Engine } from "../engine.ts";
import { createPlanEngine } from "../plan/planEngine.ts";
import { openDevice, type OpenDevice } from "./device.ts";
import { WebGpuExecutor, type ExecutorOptions } from "./executor.ts";

export interface WebGpuEngineOptions extends ExecutorOptions {
  /** A device that is shared with others; its owner destroys it. */
  device?: OpenDevice;
  /** Where to ask for one; absent: the page's. */
  gpu?: GPU;
}

/** @throws EngineError when there is no adapter or its device does not start. */
export async function createWebGpuEngine(options: WebGpuEngineOptions = {}): Promise<Engine> {
  const opened = options.device ?? (await openDevice(options.gpu));
  const executor = new WebGpuExecutor(opened, options);
  const engine = createPlanEngine(executor);
  const dispose = () => {
    engine.dispose();
    if (!options.device) opened.device.destroy();
  };
  return { ...engine, dispose };
}
