/** Entry of a thread that does part of the wasm engine's work; the training worker starts it. */
import type { WorkerRequest } from "../engine/plan/workerCalls.ts";
import { serveWasm } from "../engine/wasm/worker.ts";

const take = serveWasm((answer, transfer) => self.postMessage(answer, { transfer }));
self.addEventListener("message", (event: MessageEvent<WorkerRequest>) => take(event.data));
