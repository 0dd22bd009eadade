/** Whether a recording in the page's memory is what its run wrote, checked in a worker. */
import type { Integrity } from "../train/integrity.ts";
import type { ToChecker } from "./integrityWorker.ts";

/** Bytes that are copied in about a millisecond. */
const PIECE = 4_000_000;

/** null if it cannot be checked. */
export async function checkIntegrity(bytes: Uint8Array): Promise<Integrity | null> {
  let worker: Worker;
  try {
    worker = new Worker(new URL("./integrityWorker.ts", import.meta.url), { type: "module" });
  } catch {
    return null; // workers are unavailable
  }
  const answer = new Promise<Integrity | null>((resolve) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Integrity>) => resolve(data));
    worker.addEventListener("error", () => resolve(null));
  });
  await sendInPieces(bytes, worker);
  const integrity = await answer;
  worker.terminate();
  return integrity;
}

async function sendInPieces(bytes: Uint8Array, worker: Worker): Promise<void> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece: ToChecker = new Uint8Array(bytes.subarray(at, at + PIECE));
    worker.postMessage(piece, [piece.buffer]);
    await new Promise((resolve) => setTimeout(resolve));
  }
  const end: ToChecker = null;
  worker.postMessage(end);
}
