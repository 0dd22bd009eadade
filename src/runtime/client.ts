/** The page's side of the worker protocol: messages out, messages in, and worker failures as messages too. */
import { adapterOptions, preferPower } from "../engine/webgpu/device.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

/** The part of a Worker that is used, so that tests can replace it. */
export interface WorkerPort {
  postMessage(message: ToWorker): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
  terminate(): void;
}

/** The part of the browser's locks that is used. */
export interface Locks {
  request(name: string, options: { signal: AbortSignal }, got: () => void): Promise<unknown>;
}

export interface Client {
  send(message: ToWorker): void;
  /** Ends the worker at once, whatever it is doing. */
  close(): void;
}

/** Opens a client whose messages go to `listener`. */
export type Connect = (listener: (message: FromWorker) => void) => Client;

const FAILED: FromWorker = { type: "state", state: "failed" };

const NOT_LOADED: FromWorker = {
  type: "error",
  kind: "environment",
  message: "The training worker did not load.",
  action: "Check the connection, then press Reset and Run, or reload the page.",
};

const CLOSED = "The browser closed the training worker.";

function defect(message: string): FromWorker {
  return {
    type: "error",
    kind: "defect",
    message,
    retry: true,
    action: "Press Reset, then Run, to start again.",
  };
}

/** `locks`: null if the browser has none; then a worker that dies silently is noticed by its silence. */
export function connectPort(
  port: WorkerPort,
  listener: (message: FromWorker) => void,
  locks: Locks | null = null,
): Client {
  const open = new AbortController();
  const { signal } = open;
  const hear = (message: FromWorker) => {
    if (!signal.aborted) listener(message);
  };
  const fail = (error: FromWorker) => {
    hear(error);
    hear(FAILED);
  };
  const lock = lockName();
  /** Granted once the worker no longer holds it. */
  const awaitEnd = () =>
    locks?.request(lock, { signal }, () => fail(defect(CLOSED))).catch(() => {});
  port.addEventListener("message", (event) => {
    const message = (event as MessageEvent<FromWorker>).data;
    if (message.type === "locked") void awaitEnd();
    else hear(message);
  });
  port.addEventListener("messageerror", () =>
    fail(defect("A message from the training worker was lost.")),
  );
  port.addEventListener("error", (event) => {
    event.preventDefault?.(); // reported here, so not on the console as well
    const reason = (event as ErrorEvent).message;
    // An error without a message means that the script did not load.
    fail(reason ? defect(`The training worker stopped: ${reason}`) : NOT_LOADED);
  });
  if (locks) port.postMessage({ type: "hello", lock });
  return {
    send: (message) => port.postMessage(message),
    close: () => {
      open.abort();
      port.terminate();
    },
  };
}

/** Unique among all workers of all pages of the site. */
function lockName(): string {
  return `turnbook-worker-${Date.now()}-${Math.random().toString(36).slice(2)}`;
}

/** Absent unless the page is served securely. */
function pageLocks(): Locks | null {
  return globalThis.navigator?.locks ?? null;
}

/** Starts the training worker. */
export const connectWorker: Connect = (listener) => {
  const client = connectPort(
    new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
    listener,
    pageLocks(),
  );
  const { powerPreference: preference } = adapterOptions();
  if (preference === "low-power") client.send({ type: "power", preference });
  return client;
};

/** Chooses between two graphics cards, for this thread and for workers started from now on. */
export function savePower(on: boolean): void {
  preferPower(on ? "low-power" : "high-performance");
}
