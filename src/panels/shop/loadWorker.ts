/** Reads WebShop's data files off the page's thread. One request, then the page terminates it. */
import { fileSource } from "../../env/webshop/jsonMembers.ts";
import { loadProducts, type LoadProgress } from "../../env/webshop/loadProducts.ts";
import type { FromLoader, LoadRequest } from "./loadFiles.ts";

/** Milliseconds between two reports. */
const PROGRESS_INTERVAL = 100;

type SendShop = (message: FromLoader) => void;

self.addEventListener("message", ({ data }: MessageEvent<LoadRequest>) => {
  void readShop(data, (message) => self.postMessage(message));
});

export async function readShop(request: LoadRequest, send: SendShop): Promise<void> {
  const { products, attributes, human, goals, limit } = request;
  const [items, notes] = [fileSource(products), fileSource(attributes)];
  const options = { goals, limit, onProgress: throttled(send) };
  try {
    const shop = await loadProducts(items, notes, human && fileSource(human), options);
    send({ type: "loaded", shop });
  } catch (error) {
    send({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

function throttled(send: SendShop): (progress: LoadProgress) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL && progress.bytes !== progress.size) return;
    last = now;
    send({ type: "progress", progress });
  };
}
