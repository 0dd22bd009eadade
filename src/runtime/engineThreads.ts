/** The wasm engine's threads in a browser. */
import type { WorkerReply, ThreadPort } from "../engine/plan/workerCalls.ts";
import type { WasmOptions } from "../engine/wasm/createWasmEngine.ts";
import type { MachineMemory } from "../train/memoryNeeds.ts";

/** More threads gain little: a batch is split into about this many passes. */
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
      // An error without a message means that the script did not load.
      worker.onerror = ({ message }) => onEnd(message || "its script did not load");
    },
    terminate: () => worker.terminate(),
  };
}

const GIB = 2 ** 30;
/** Chromium's heap limit for one worker; Firefox documents none. */
const HEAP = 4 * GIB;
/**
 * Browsers report at most 8 GiB, or nothing: then the machine may have more, and a run may use this
 * much.
 */
const UNKNOWN = 16;

type DeviceHints = Pick<Navigator, "hardwareConcurrency"> & { deviceMemory?: number };

/** The memory that a run may use in a browser, as far as the browser reports it. */
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
