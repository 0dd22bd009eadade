/** The training worker: wires a session to this thread. */
import { openEngine } from "./engineChoice.ts";
import { AssetError } from "./errors.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";
import { TrainingSession } from "./session.ts";
import { Trusted } from "./trust.ts";

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();

/** A turn of the event loop; timers would add several milliseconds to each. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}

const trusted = new Trusted();

const session = new TrainingSession({
  post: (message: FromWorker) => self.postMessage(message),
  openEngine: (spec) => openEngine(spec, trusted.trust),
  loadAsset,
  now: () => performance.now(),
  rest: (ms) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : nextTurn()),
});

/** The page's folder: the worker itself may be served from a folder below it. */
async function loadAsset(path: string): Promise<Uint8Array> {
  const url = new URL(path, new URL(siteRoot(), self.location.href));
  const response = await fetch(url).catch(() => null);
  // Where a file is missing, Vite's own server answers with the page.
  const isPage = response?.headers.get("content-type")?.startsWith("text/html") === true;
  if (!response?.ok || isPage) {
    const why = !response ? "no answer" : isPage ? "no such file" : `answer ${response.status}`;
    throw new AssetError(`The file ${path} could not be fetched (${why}).`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** Built, the worker is in assets/ beside index.html; served by Vite it is at /src/runtime/. */
function siteRoot(): string {
  return import.meta.env.DEV ? "/" : "../";
}

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  void session.receive(event.data);
});
