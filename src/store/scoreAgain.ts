/** A line of the referee computed again on this machine, in a worker. */
import type { RefereeLine } from "../reading/referee/lines.ts";
import type { ToReferee } from "./refereeWorker.ts";

/** null if it cannot be computed here. */
export async function scoreAgain(asked: ToReferee): Promise<RefereeLine | null> {
  let worker: Worker;
  try {
    worker = new Worker(new URL("./refereeWorker.ts", import.meta.url), { type: "module" });
  } catch {
    return null; // workers are unavailable
  }
  const answer = new Promise<RefereeLine | null>((resolve) => {
    worker.addEventListener("message", ({ data }: MessageEvent<RefereeLine | undefined>) =>
      resolve(data ?? null),
    );
    worker.addEventListener("error", () => resolve(null));
  });
  worker.postMessage(asked);
  const line = await answer;
  worker.terminate();
  return line;
}
