/** Code of a worker's entry file; the entry itself belongs to the page or Node. */
import { serveReplicas } from "../plan/serveReplicas.ts";
import type { WorkerReply, WorkerRequest } from "../plan/workerCalls.ts";
import { WasmExecutor } from "./executor.ts";

/** Handles the main thread's messages; answers by `post`, which transfers the given buffers. */
export function serveWasm(
  post: (answer: WorkerReply, transfer: ArrayBuffer[]) => void,
): (question: WorkerRequest) => void {
  return serveReplicas(post, (kernels) => WasmExecutor.create(kernels));
}
