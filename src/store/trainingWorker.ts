/** The page's training worker, while there is one: what it is sent, and whether it still lives. */
import type { Client, Connect } from "../runtime/client.ts";
import type { FromWorker, ToWorker } from "../runtime/protocol.ts";
import { Pulse, type Silence } from "./pulse.ts";

interface TrainingWorkerOptions {
  connect: Connect;
  hear: (message: FromWorker) => void;
  onSilence: (silence: Silence | null) => void;
  /** Least milliseconds of silence before it is asked whether it lives. */
  patience?: number | undefined;
}

export class TrainingWorker {
  #options: TrainingWorkerOptions;
  #client: Client | null = null;
  #pulse: Pulse;

  constructor(options: TrainingWorkerOptions) {
    this.#options = options;
    const { onSilence, patience } = options;
    const ping = () => this.send({ type: "ping" });
    this.#pulse = new Pulse({ ping, onSilence, ...(patience !== undefined && { patience }) });
  }

  get isOpen(): boolean {
    return this.#client !== null;
  }

  /** Starts one if there is none. */
  open(): void {
    if (this.#client) return;
    const client = this.#options.connect((message) => {
      // What one says that has been replaced is of no interest any more.
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

  /** Ends it at once, whatever it is doing. */
  drop(): void {
    this.#client?.close();
    this.#client = null;
    this.#pulse.stop();
  }

  set works(works: boolean) {
    this.#pulse.works = works;
  }

  /** As if it had just been heard. */
  wait(): void {
    this.#pulse.wait();
  }
}
