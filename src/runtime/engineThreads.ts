/** The wasm engine's threads in a browser. */
import type { WorkerReply, ThreadPort } from "../engine/plan/workerCalls.ts";
import type { WasmOptions } from "../engine/wasm/createWasmEngine.ts";

/** More gain little: a batch is cut into about as many passes. */
const MOST = 8;

/** All cores but one, which the page itself needs. */
export const mostThreads = (cores: number): number => Math.max(1, Math.min(MOST, cores - 1));

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
