/** Checks a recording off the page's thread. Its bytes arrive in pieces, then null. */
import { checkRecording, type Integrity } from "../train/integrity.ts";

export type ToChecker = Uint8Array<ArrayBuffer> | null;

const pieces: Uint8Array[] = [];

self.addEventListener("message", ({ data }: MessageEvent<ToChecker>) => {
  if (data !== null) pieces.push(data);
  else void new Blob(pieces as BlobPart[]).arrayBuffer().then(check);
});

async function check(buffer: ArrayBuffer): Promise<void> {
  const integrity: Integrity = await checkRecording(new Uint8Array(buffer));
  self.postMessage(integrity);
}
