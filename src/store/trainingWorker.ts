/**
 * The page's training worker, if there is one: sends messages to it, and watches whether it is
 * alive.
 */
import type { Client, Connect } from "../runtime/client.ts";
import type { FromWorker, ToWorker } from "../runtime/protocol.ts";
import { Pulse, type Silence } from "./pulse.ts";

interface TrainingWorkerOptions {
  connect: Connect;
  hear: (message: FromWorker) => void;
  onSilence: (silence: Silence | null) => void;
  /** Minimum milliseconds of silence before it is pinged. */
  timeLimit?: number | undefined;
}

export class TrainingWorker {
  #options: TrainingWorkerOptions;
  #client: Client | null = null;
  #pulse: Pulse;

  constructor(options: TrainingWorkerOptions) {
    this.#options = options;
    const { onSilence, timeLimit } = options;
    const ping = () => this.send({ type: "ping" });
    this.#pulse = new Pulse({ ping, onSilence, ...(timeLimit !== undefined && { timeLimit }) });
  }

  get isOpen(): boolean {
    return this.#client !== null;
  }

  /** Starts one if there is none. */
  open(): void {
    if (this.#client) return;
    const client = this.#options.connect((message) => {
      // Messages from a replaced worker are ignored.
      if (this.#client !== client) return;
      this.#pulse.hear(message);
      this.#options.hear(message);
    });
    this.#client = client;
    this.#pulse.start();
  }

  send(message: ToWorker): void {
    this.#client?.send(message);
  }

  /** Terminates it at once, whatever it is doing. */
  drop(): void {
    this.#client?.close();
    this.#client = null;
    this.#pulse.stop();
  }

  set works(works: boolean) {
    this.#pulse.works = works;
  }

  /** Treated like a message from the worker. */
  wait(): void {
    this.#pulse.wait();
  }
}
