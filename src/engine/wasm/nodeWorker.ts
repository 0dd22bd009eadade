/** Entry of a worker thread in Node; build.mjs bundles it. */
import { parentPort } from "node:worker_threads";
import { serveWasm } from "./worker.ts";

const port = parentPort!;
port.on(
  "message",
  serveWasm((answer, transfer) => port.postMessage(answer, transfer)),
);
