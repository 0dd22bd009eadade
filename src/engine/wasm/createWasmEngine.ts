/** The wasm engine: plans on SIMD kernels. Works in a page, in a worker and in Node. */
import type { Engine } from "../engine.ts";
import { EngineError } from "../errors.ts";
import { createPlanEngine } from "../plan/planEngine.ts";
import type { ThreadPort } from "../plan/workerCalls.ts";
import { WasmExecutor } from "./executor.ts";
import { RemoteWorker } from "../plan/remote.ts";

/** The smallest module that uses SIMD: () => i8x16.popcnt(i32x4.splat(0)). */
const SIMD_PROBE = Uint8Array.from([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
]);

export interface WasmOptions {
  /** Threads that share the work, including this one. Default 1. Results do not depend on it. */
  workers?: number;
  /** Starts a thread that runs `serveWasm`; see worker.ts. Without it only this thread is used. */
  spawn?: () => ThreadPort;
}

/**
 * `kernels`: the compiled module or its URL. If workers do not start, the others and this thread do
 * the work, and the engine's info says so.
 * @throws EngineError if this machine has no WebAssembly SIMD or the kernels do not load.
 */
export async function createWasmEngine(
  kernels: BufferSource | string,
  { workers = 1, spawn }: WasmOptions = {},
): Promise<Engine> {
  if (!WebAssembly.validate(SIMD_PROBE))
    throw new EngineError("backend-failed", "this browser's WebAssembly has no SIMD");
  const bytes = typeof kernels === "string" ? await load(kernels) : kernels;
  const { module, executor } = await start(bytes);
  const { remotes, missing } = await startWorkers(module, spawn ? workers - 1 : 0, spawn);
  const info = { ...executor.info, workers: inWords(remotes.length + 1, missing) };
  return createPlanEngine(executor, remotes, info);
}

const inWords = (threads: number, missing: string | null): string => {
  const words = threads === 1 ? "one thread" : `${threads} workers`;
  return missing === null ? words : `${words}, more did not start: ${missing}`;
};

async function load(url: string): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url);
    if (response.ok) return await response.arrayBuffer();
    throw new Error(`status ${response.status}`);
  } catch (error) {
    throw failed(`the wasm kernels at ${url} did not load`, error);
  }
}

async function start(bytes: BufferSource) {
  try {
    const module = await WebAssembly.compile(bytes);
    return { module, executor: await WasmExecutor.create(module) };
  } catch (error) {
    throw failed("the wasm kernels did not start", error);
  }
}

function failed(what: string, cause: unknown): EngineError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new EngineError("backend-failed", `${what} (${why}); reload, or choose another engine`, {
    cause,
  });
}

/** Milliseconds; a worker that has not started by then is not used. */
const TIME_LIMIT = 15_000;

/** Starts this many workers. `missing`: why some are missing; null if none is. */
async function startWorkers(
  kernels: WebAssembly.Module,
  count: number,
  spawn: (() => ThreadPort) | undefined,
): Promise<{ remotes: RemoteWorker[]; missing: string | null }> {
  const tries = Array.from({ length: spawn ? count : 0 }, () => startWorker(kernels, spawn!));
  const settled = await Promise.allSettled(tries);
  const remotes = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = settled.find((one) => one.status === "rejected");
  return { remotes, missing: failed ? causeOf(failed.reason) : null };
}

async function startWorker(
  kernels: WebAssembly.Module,
  spawn: () => ThreadPort,
): Promise<RemoteWorker> {
  const worker = new RemoteWorker(spawn());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), TIME_LIMIT);
  });
  try {
    await Promise.race([worker.call("start", { kernels }), late]);
    return worker;
  } catch (error) {
    worker.dispose();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const causeOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
