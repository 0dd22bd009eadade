/** The page's side of the worker protocol: messages out, messages in, and failures of the worker as messages too. */
import type { FromWorker, ToWorker } from "./protocol.ts";

/** The part of a Worker that is used, so that tests can put something else in its place. */
export interface WorkerPort {
  postMessage(message: ToWorker): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
  terminate(): void;
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
  ...{ type: "error", kind: "environment", message: "The training worker did not load." },
  action: "Check the connection, then press Reset and Run, or reload the page.",
};

function defect(message: string): FromWorker {
  return {
    type: "error",
    kind: "defect",
    message,
    action: "Press Reset, then Run, to start again.",
  };
}

export function connectPort(port: WorkerPort, listener: (message: FromWorker) => void): Client {
  let open = true;
  const hear = (message: FromWorker) => {
    if (open) listener(message);
  };
  const fail = (error: FromWorker) => {
    hear(error);
    hear(FAILED);
  };
  port.addEventListener("message", (event) => hear((event as MessageEvent<FromWorker>).data));
  port.addEventListener("messageerror", () =>
    fail(defect("A message from the training worker was lost.")),
  );
  port.addEventListener("error", (event) => {
    const reason = (event as ErrorEvent).message;
    // Without a reason where the script itself did not come.
    fail(reason ? defect(`The training worker stopped: ${reason}`) : NOT_LOADED);
  });
  return {
    send: (message) => port.postMessage(message),
    close: () => {
      open = false;
      port.terminate();
    },
  };
}

/** Starts the training worker. */
export const connectWorker: Connect = (listener) =>
  connectPort(new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }), listener);
