/**
 * Dropped data files: identifies them, and reads them in a worker so that the page stays
 * responsive.
 */
import type { LoadedShop, LoadProgress } from "../../env/webshop/loadProducts.ts";
import { words } from "../shared/shop/words.ts";

export const FILE_KINDS = ["products", "attributes", "human"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/**
 * Name prefixes of WebShop's small and full set; the last is tried first, because it is more
 * specific.
 */
const NAMES: readonly [FileKind, RegExp][] = [
  ["human", /^items_human_ins.*\.json$/i],
  ["attributes", /^items_ins.*\.json$/i],
  ["products", /^items_shuffle.*\.json$/i],
];

export function kindOfFile(name: string): FileKind | null {
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

export type PickedFiles = Partial<Record<FileKind, File>>;

export interface LoadRequest {
  products: File;
  attributes: File;
  human: File | null;
  goals: "synthetic" | "human";
  /** Maximum products read. */
  limit: number;
}

export type FromLoader =
  | { type: "progress"; progress: LoadProgress }
  | { type: "loaded"; shop: LoadedShop }
  | { type: "failed"; message: string };

export interface LoadListener {
  onProgress: (progress: LoadProgress) => void;
  onLoaded: (shop: LoadedShop) => void;
  onFailed: (message: string) => void;
}

/** Starts reading; the returned function aborts it. */
export type StartLoading = (request: LoadRequest, listener: LoadListener) => () => void;

export const startLoading: StartLoading = (request, { onProgress, onLoaded, onFailed }) => {
  const worker = new Worker(new URL("./loadWorker.ts", import.meta.url), { type: "module" });
  const end = () => worker.terminate();
  worker.addEventListener("message", ({ data }: MessageEvent<FromLoader>) => {
    if (data.type === "progress") onProgress(data.progress);
    else {
      end();
      if (data.type === "loaded") onLoaded(data.shop);
      else onFailed(data.message);
    }
  });
  worker.addEventListener("error", ({ message }) => {
    end();
    onFailed(`${words.files.stopped} ${message ?? ""}`.trim());
  });
  worker.postMessage(request);
  return end;
};
