/** The memory that a run may use in a browser, as far as browsers say. */
import type { MachineMemory } from "../train/memoryNeeds.ts";
import { mostThreads } from "./engineThreads.ts";

const GIB = 2 ** 30;
/** Chromium's limit for one worker's objects; Firefox has none that it says. */
const HEAP = 4 * GIB;
/** Browsers say at most 8 GiB, or nothing: then the machine may have more, and a run gets this. */
const UNKNOWN = 16;

type Device = Pick<Navigator, "hardwareConcurrency"> & { deviceMemory?: number };

export function pageMemory(from: Device = globalThis.navigator as Device): MachineMemory {
  const { deviceMemory = 8, hardwareConcurrency } = from;
  const gibibytes = deviceMemory === 8 ? UNKNOWN : deviceMemory;
  return {
    heap: { bytes: HEAP, name: "a worker's heap" },
    total: { bytes: gibibytes * GIB, name: "this device's memory" },
    slot: 4,
    threads: mostThreads(hardwareConcurrency),
  };
}
