/** The wasm engine's threads in a browser. */
import type { WorkerReply, ThreadPort } from "../engine/plan/workerCalls.ts";
import type { WasmOptions } from "../engine/wasm/createWasmEngine.ts";
import type { MachineMemory } from "../train/memoryNeeds.ts";

/** More gain little: a batch is cut into about as many passes. */
const MOST = 8;

/** All cores but one, which the page itself needs. */
const mostThreads = (cores: number): number => Math.max(1, Math.min(MOST, cores - 1));

export const engineThreads = (): WasmOptions => ({
  workers: mostThreads(navigator.hardwareConcurrency),
  spawn,
});

function spawn(): ThreadPort {
  const worker = new Worker(new URL("./engineWorker.ts", import.meta.url), { type: "module" });
  return {
    post: (message) => worker.postMessage(message),
    listen: (onAnswer, onEnd) => {
      worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => onAnswer(data);
      worker.onmessageerror = () => onEnd("a message could not be read");
      // Without a message where the script itself did not load.
      worker.onerror = ({ message }) => onEnd(message || "its script did not load");
    },
    terminate: () => worker.terminate(),
  };
}

const GIB = 2 ** 30;
/** Chromium's limit for one worker's objects; Firefox has none that it says. */
const HEAP = 4 * GIB;
/** Browsers say at most 8 GiB, or nothing: then the machine may have more, and a run gets this. */
const UNKNOWN = 16;

type DeviceHints = Pick<Navigator, "hardwareConcurrency"> & { deviceMemory?: number };

/** The memory that a run may use in a browser, as far as browsers say. */
export function pageMemory(from: DeviceHints = globalThis.navigator as DeviceHints): MachineMemory {
  const { deviceMemory = 8, hardwareConcurrency } = from;
  const gibibytes = deviceMemory === 8 ? UNKNOWN : deviceMemory;
  return {
    heap: { bytes: HEAP, name: "a worker's heap" },
    total: { bytes: gibibytes * GIB, name: "this device's memory" },
    slot: 4,
    threads: mostThreads(hardwareConcurrency),
  };
}
