/** Workers that answer, out of those that were asked for. */
import { RemoteWorker } from "../plan/remote.ts";
import type { ThreadPort } from "../plan/workerCalls.ts";

/** Milliseconds; one that has not started by then is done without. */
const PATIENCE = 15_000;

/** Starts so many workers. `missing` says why some are not there; null when all are. */
export async function startWorkers(
  kernels: WebAssembly.Module,
  count: number,
  spawn: (() => ThreadPort) | undefined,
): Promise<{ remotes: RemoteWorker[]; missing: string | null }> {
  const tries = Array.from({ length: spawn ? count : 0 }, () => start(kernels, spawn!));
  const settled = await Promise.allSettled(tries);
  const remotes = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = settled.find((one) => one.status === "rejected");
  return { remotes, missing: failed ? causeOf(failed.reason) : null };
}

async function start(kernels: WebAssembly.Module, spawn: () => ThreadPort): Promise<RemoteWorker> {
  const worker = new RemoteWorker(spawn());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), PATIENCE);
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
