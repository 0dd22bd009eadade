/** The training worker's session in this thread, with the files of `public`. */
import type { FromWorker } from "../../src/runtime/protocol.ts";
import { TrainingSession } from "../../src/runtime/session.ts";
import { loadAsset, wasmEngine } from "../train/support.ts";

/** On the one engine of the tests, which it must not take down. */
async function openEngine() {
  const engine = { ...(await wasmEngine()), dispose: () => undefined };
  return { engine, report: { ...engine.info, fallback: null } };
}

export function openTraining(say: (message: FromWorker) => void): TrainingSession {
  return new TrainingSession({
    post: (message) => say(structuredClone(message)),
    openEngine,
    loadAsset,
    now: () => performance.now(),
    rest: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
}
