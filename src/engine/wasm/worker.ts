/** What a worker's entry file runs; the entry itself is the page's or Node's. */
import { serveReplicas } from "../plan/serveReplicas.ts";
import type { WorkerReply, WorkerRequest } from "../plan/workerCalls.ts";
import { WasmExecutor } from "./executor.ts";

/** Takes the lead's messages; answers by `post`, which moves the given buffers. */
export function serveWasm(
  post: (answer: WorkerReply, transfer: ArrayBuffer[]) => void,
): (question: WorkerRequest) => void {
  return serveReplicas(post, (kernels) => WasmExecutor.create(kernels));
}
