/** The training worker: connects a session to this thread. */
import { preferPower } from "../engine/webgpu/device.ts";
import { carriedFile } from "./carried.ts";
import { openAlone, openEngine, openHere } from "./engineChoice.ts";
import { AssetError, describeError } from "./errors.ts";
import { Machine } from "./machine.ts";
import { pageMemory } from "./engineThreads.ts";
import { gpuFacts, hostFacts } from "./machineFacts.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";
import type { Definition } from "../spec/definitions.ts";
import { TrainingSession } from "./session.ts";
import type { ModelDesk } from "./services/modelDesk.ts";
import { SlotWriter } from "./shelf/slotWriter.ts";
import { browserTrust, Trusted } from "./trust.ts";

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

const trusted = new Trusted(browserTrust());

const post = (message: FromWorker, transfer: Transferable[] = []) =>
  self.postMessage(message, { transfer });
const fail = (error: unknown) => post({ type: "error", ...describeError(error) });

// Such a promise has no caller: without this the run could hang without an error.
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  fail(event.reason);
  post({ type: "state", state: "failed" });
});

/**
 * Held as long as this worker lives: the page waits for the lock, and so learns that this worker
 * has ended.
 */
async function hold(lock: string): Promise<void> {
  await navigator.locks.request(lock, async () => {
    post({ type: "locked" });
    await new Promise(() => {});
  });
}

const session = new TrainingSession({
  post,
  openEngine: (spec, alone) => openEngine(spec, trusted.trust, alone ? openAlone : openHere),
  loadAsset,
  openDefinitions: readDefinitions,
  memory: pageMemory(),
  openSlots: (id, events) => new SlotWriter(id, events),
  now: () => performance.now(),
  rest: (ms) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : nextTurn()),
});

/** The interpreter is loaded with the first run that defines anything. */
async function readDefinitions(definitions: readonly Definition[]) {
  const { openPageDefinitions } = await import("./sandbox/browser.ts");
  return openPageDefinitions(definitions);
}

/** The page's folder: the worker itself may be served from a folder below it. */
async function loadAsset(path: string): Promise<Uint8Array> {
  const carried = carriedFile(path);
  if (carried) return carried;
  const url = new URL(path, siteRoot());
  const response = await fetch(url).catch(() => null);
  // If a file is missing, Vite's own server answers with the page.
  const isPage = response?.headers.get("content-type")?.startsWith("text/html") === true;
  if (!response?.ok || isPage) {
    const why = !response ? "no answer" : isPage ? "file not found" : `answer ${response.status}`;
    throw new AssetError(`The file ${path} could not be fetched (${why}).`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** Built, the worker is in assets/ beside index.html, or inline in the page; served by Vite it is at /src/runtime/. */
function siteRoot(): string | URL {
  const carried = globalThis.turnbookCarried;
  return carried ? carried.site : new URL(import.meta.env.DEV ? "/" : "../", self.location.href);
}

let machine: Machine | undefined;

/** Created at the first question: the training worker of a run needs none. */
function machineReporter(): Machine {
  machine ??= new Machine({
    post: (report) => post({ type: "machine", report }),
    open: openHere,
    trusted,
    hostFacts,
    gpuFacts,
    rest: nextTurn,
    now: () => performance.now(),
  });
  return machine;
}

let desk: Promise<ModelDesk> | undefined;

/** Loaded at the first request: it brings tokenizers and templates. */
function modelDesk(): Promise<ModelDesk> {
  desk ??= import("./services/modelDesk.ts").then(
    ({ ModelDesk }) =>
      new ModelDesk({
        post,
        openEngine: (backend, alone) =>
          openEngine(
            { engine: { name: "auto", backend } },
            trusted.trust,
            alone ? openAlone : openHere,
          ),
        memoryBytes: pageMemory().total.bytes,
        rest: nextTurn,
        now: () => performance.now(),
      }),
  );
  return desk;
}

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "hello")
    void hold(data.lock).catch(() => {}); // then the page relies on beats alone
  else if (data.type === "power") preferPower(data.preference);
  else if (data.type === "examine") void machineReporter().examine(data.again).catch(fail);
  else if (data.type === "measure") void machineReporter().measure(data.seconds).catch(fail);
  else if (data.type === "desk")
    void modelDesk()
      .then((open) => open.receive(data.request))
      .catch(fail);
  else void session.receive(data);
});
