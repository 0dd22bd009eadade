/**
 * Subgroups: threads that exchange numbers without workgroup memory and barriers. WebGPU does not promise which threads of a
 * workgroup are one, and drivers differ: so sums and maxima are taken both ways, and must be the same. To the bit they need not be: what
 * is done with a sum afterwards a compiler may round otherwise in another kernel, as NVIDIA's does.
 */
import { runCase } from "../check/kernelCheck.ts";
import { cachedCase, headStatsCase, normCase, opCase, WIDE, type Make } from "../check/opMakers.ts";
import { TIME_LIMIT, within } from "../check/within.ts";
import type { OpenDevice } from "./device.ts";
import { WebGpuExecutor } from "./executor.ts";

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
 * Threads of a subgroup, whose sums agree with those through workgroup memory; 0 where there are none, they do not agree, or
 * the card does not answer: then sums may be rounded otherwise than at a start where it did. `patience`: milliseconds for each of the two ways.
 */
export function agreeingSubgroup(opened: OpenDevice, patience = TIME_LIMIT): Promise<number> {
  const { device, software } = opened;
  if (software || !device.features.has("subgroups")) return Promise.resolve(0);
  const found = known.get(device) ?? find(opened, patience);
  known.set(device, found);
  return found;
}

async function find(opened: OpenDevice, patience: number): Promise<number> {
  // Where sizes vary, the threads of the least size are in one subgroup all the same.
  const size = opened.info.subgroupMinSize;
  if (!(size > 1 && Number.isInteger(Math.log2(size)))) return 0;
  try {
    return await within(patience, async (answered) => {
      const without = await numbersOf(opened, 0);
      answered();
      const numbers = await numbersOf(opened, size);
      return without.every((x, i) => agree(x, numbers[i]!)) ? size : 0;
    });
  } catch {
    return 0; // what is wrong with the device itself shows without subgroups, too, in the self-check
  }
}

/** A few roundings apart; a sum of other threads' numbers, or of some of them twice, is farther. */
const agree = (a: number, b: number) =>
  Object.is(a, b) || (Number.isFinite(a) && Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a)));

/** All that the cases write. */
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
