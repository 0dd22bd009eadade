/**
 * Files embedded in the page, for a page opened from disk or in a frame without an origin, where
 * little can be fetched. A worker of such a page is started from text, since module workers are
 * refused there.
 */
import { base64ToBytes } from "../numeric/base64.ts";

export interface Carried {
  /**
   * Base64 by path, e.g. `models/nano-sokoban/config.json`. For a path that ends in `.gz`: the
   * unpacked file, compressed as the bundle is.
   */
  files: Record<string, string>;
  /** Address of the page's folder, for files that are not embedded. */
  site: string;
}

declare global {
  /** Absent in a page loaded from a server. */
  var turnbookCarried: Carried | undefined;
}

export function isCarried(): boolean {
  return globalThis.turnbookCarried !== undefined;
}

/** Null unless the page embeds that file. */
export function carriedFile(path: string): Uint8Array<ArrayBuffer> | null {
  const files = globalThis.turnbookCarried?.files;
  if (!files || !Object.hasOwn(files, path)) return null;
  return base64ToBytes(files[path]!);
}

/** Path prefix of the files that the training worker fetches. */
const OF_WORKERS = "models/";

/** Starts a worker from the text of its classic script; passes it the embedded models if it needs them. */
export function carriedWorker(script: string, needsModels: boolean): Worker {
  const { files = {}, site = "" } = globalThis.turnbookCarried ?? {};
  const models = Object.entries(files).filter(
    ([path]) => needsModels && path.startsWith(OF_WORKERS),
  );
  const given: Carried = { files: Object.fromEntries(models), site };
  const start = `self.turnbookCarried=${JSON.stringify(given)};\n`;
  const url = URL.createObjectURL(new Blob([start, script], { type: "text/javascript" }));
  const worker = new Worker(url);
  // Its first message shows that its script has been read.
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}
