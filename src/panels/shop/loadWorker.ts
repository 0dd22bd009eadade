/** Reads WebShop's data files off the page's thread. One request, then the page ends it. */
import { fileSource } from "../../env/webshop/jsonMembers.ts";
import { loadProducts, type LoadProgress } from "../../env/webshop/loadProducts.ts";
import type { FromLoader, LoadRequest } from "./loadFiles.ts";

/** Milliseconds between two reports. */
const PROGRESS_INTERVAL = 100;

const tell = (message: FromLoader) => postMessage(message);

self.addEventListener("message", ({ data }: MessageEvent<LoadRequest>) => {
  read(data).then(tell, (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    tell({ type: "failed", message });
  });
});

async function read(request: LoadRequest): Promise<FromLoader> {
  const { products, attributes, human, goals, limit } = request;
  const shop = await loadProducts(
    fileSource(products),
    fileSource(attributes),
    human && fileSource(human),
    { goals, limit, onProgress: throttled() },
  );
  return { type: "loaded", shop };
}

function throttled(): (progress: LoadProgress) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL && progress.bytes !== progress.size) return;
    last = now;
    tell({ type: "progress", progress });
  };
}
