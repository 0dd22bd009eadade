/** The WebGPU engine: plans as compute shaders on one graphics device. Works in a page, in a worker and in Node. */
import { checkKernels, runCase } from "../check/kernelCheck.ts";
import type { Engine } from "../engine.ts";
import { createPlanEngine } from "../plan/planEngine.ts";
import { sharedDevice, type OpenDevice } from "./device.ts";
import { WebGpuExecutor, type ExecutorOptions } from "./executor.ts";
import { cachedCase, headStatsCase, normCase, opCase, WIDE, type Make } from "../check/opMakers.ts";
import { TIME_LIMIT, within } from "../check/within.ts";

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

// Subgroups: threads that exchange numbers without workgroup memory and barriers. WebGPU does not
// define which threads of a workgroup form one, and drivers differ: so sums and maxima are computed
// both ways, and must agree. They need not be bit-identical: a compiler may round what follows a
// sum differently in another kernel, as NVIDIA's does.

/** Items of 64, 16 and 4 lanes, sums and maxima. */
const CASES: Record<string, Make> = {
  "64 lanes": normCase(9, 68),
  "16 lanes": normCase(9, 20),
  "4 lanes": normCase(9, 6),
  maxima: headStatsCase({ M: 5, n: 72, v0: 0, first: true, last: true }, true),
  shares: cachedCase(11, WIDE, 90),
};

const known = new WeakMap<GPUDevice, Promise<number>>();

/**
 * Size of a subgroup whose sums agree with those through workgroup memory; 0 if there are none,
 * they do not agree, or the card does not answer: then sums may be rounded differently than at a
 * start where it did. `timeLimit`: milliseconds for each of the two ways.
 */
export function agreeingSubgroup(opened: OpenDevice, timeLimit = TIME_LIMIT): Promise<number> {
  const { device, software } = opened;
  if (software || !device.features.has("subgroups")) return Promise.resolve(0);
  const found = known.get(device) ?? find(opened, timeLimit);
  known.set(device, found);
  return found;
}

async function find(opened: OpenDevice, timeLimit: number): Promise<number> {
  // If sizes vary, the threads of the smallest size are always in one subgroup.
  const size = opened.info.subgroupMinSize;
  if (!(size > 1 && Number.isInteger(Math.log2(size)))) return 0;
  try {
    return await within(timeLimit, async (answered) => {
      const without = await numbersOf(opened, 0);
      answered();
      const numbers = await numbersOf(opened, size);
      return without.every((x, i) => agree(x, numbers[i]!)) ? size : 0;
    });
  } catch {
    return 0; // other errors of the device also show without subgroups, in the self-check
  }
}

/**
 * Within a few roundings; a sum of other threads' numbers, or of some of them twice, differs more.
 */
const agree = (a: number, b: number) =>
  Object.is(a, b) || (Number.isFinite(a) && Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a)));

/** All outputs of the cases. */
async function numbersOf(opened: OpenDevice, subgroup: number): Promise<number[]> {
  const executor = new WebGpuExecutor(opened, { softwareKernels: false, subgroup });
  try {
    const running = Object.entries(CASES).map(([name, make], i) =>
      runCase(executor, opCase(name, make, 4000 + i)),
    );
    const arrays = (await Promise.all(running)).flatMap((results) => Object.values(results));
    return arrays.flatMap((all) => [...all]);
  } finally {
    executor.dispose();
  }
}
