/** Gives each job a worker of its own. */
import type { Answer, Job } from "./protocol.ts";

declare global {
  interface Window {
    runJob(job: Job): Promise<Answer>;
  }
}

window.runJob = (job) =>
  new Promise((resolve) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
    worker.onerror = ({ message }) => resolve({ kind: "error", message });
    worker.postMessage(job);
  });
