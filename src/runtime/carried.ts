/**
 * Files that a page carries in itself, because it runs from a file or in a frame without an origin, where little can be fetched.
 * A worker of such a page is a script made of text, since module workers are refused there.
 */
import { base64ToBytes } from "../numeric/base64.ts";

export interface Carried {
  /** Base64 by path, e.g. `models/nano-sokoban/config.json`; of a path that ends in `.gz` the file without that, compressed. */
  files: Record<string, string>;
  /** Address of the page's folder, for what it does not carry. */
  site: string;
}

declare global {
  /** Absent in a page as a server has it. */
  var turnbookCarried: Carried | undefined;
}

export function isCarried(): boolean {
  return globalThis.turnbookCarried !== undefined;
}

/** Null where the page does not carry that file, or any. */
export function carriedFile(path: string): Uint8Array<ArrayBuffer> | null {
  const files = globalThis.turnbookCarried?.files;
  if (!files || !Object.hasOwn(files, path)) return null;
  return base64ToBytes(files[path]!);
}

/** What the training worker fetches. */
const OF_WORKERS = "models/";

/** Starts a worker from the text of its classic script; with the models that the page carries, if it needs them. */
export function carriedWorker(script: string, needsModels: boolean): Worker {
  const { files = {}, site = "" } = globalThis.turnbookCarried ?? {};
  const models = Object.entries(files).filter(
    ([path]) => needsModels && path.startsWith(OF_WORKERS),
  );
  const given: Carried = { files: Object.fromEntries(models), site };
  const start = `self.turnbookCarried=${JSON.stringify(given)};\n`;
  const url = URL.createObjectURL(new Blob([start, script], { type: "text/javascript" }));
  const worker = new Worker(url);
  // Its script has been read by the time of its first word.
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}
