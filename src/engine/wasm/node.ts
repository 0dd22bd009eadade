/** Node-only parts: finds the compiled kernels, starts worker threads. Never imported by browser code. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { EngineError } from "../errors.ts";
import type { WorkerReply, ThreadPort } from "../plan/workerCalls.ts";

const CACHE = join("node_modules", ".cache", "turnbook-wasm");

/** A file made by build.mjs: next to this one in the package, else in the nearest node_modules above it. */
function built(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  if (existsSync(join(folder, name))) return join(folder, name);
  while (!existsSync(join(folder, CACHE, name))) {
    const above = dirname(folder);
    if (above === folder)
      throw new EngineError(
        "backend-failed",
        `the wasm engine's ${name} is not built; npm start builds it`,
      );
    folder = above;
  }
  return join(folder, CACHE, name);
}

/** The kernels that build.mjs compiled. */
export function nodeKernels(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(built("kernels.wasm")));
}

/** Starts a worker thread. It keeps the process alive only while an answer is pending. */
export function nodeSpawn(Thread = Worker): ThreadPort {
  const worker = new Thread(built("worker.mjs"), { execArgv: [] });
  let owed = 0;
  worker.unref();
  return {
    advice: "or with fewer workers",
    post: (message) => {
      if (owed++ === 0) worker.ref();
      worker.postMessage(message);
    },
    listen: (onAnswer, onEnd) => {
      worker.on("message", (answer: WorkerReply) => {
        if (--owed === 0) worker.unref();
        onAnswer(answer);
      });
      worker.on("error", (error) => onEnd(error.message));
      worker.on("messageerror", ({ message }) => onEnd(`an answer could not be read: ${message}`));
      worker.on("exit", (code) => onEnd(`exit code ${code}`));
    },
    terminate: () => void worker.terminate(),
  };
}
