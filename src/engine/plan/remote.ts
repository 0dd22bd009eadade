/**
 * The main thread's side of workers: calls and their answers, and one model's replica on one of
 * them.
 */
import type { EngineMemory, ValueHead } from "../engine.ts";
import { EngineError } from "../errors.ts";
import type { ModelConfig } from "../modelConfig.ts";
import {
  fromErrorData,
  type WorkerReply,
  type CallName,
  type Calls,
  type ThreadPort,
} from "./workerCalls.ts";

interface WaitingCall {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** A worker as seen by the main thread. */
export class RemoteWorker {
  /** Its memory at its last answer. */
  memory: EngineMemory = { tensors: 0, bytes: 0, poolBytes: 0 };
  readonly #waiting = new Map<number, WaitingCall>();
  #ended: EngineError | null = null;
  #count = 0;
  readonly #port: ThreadPort;

  constructor(port: ThreadPort) {
    this.#port = port;
    const action = port.advice ? `run again, ${port.advice}` : "run again";
    port.listen(
      (answer) => this.#take(answer),
      (why) => this.#end(`a worker of the engine ended (${why}); ${action}`),
    );
  }

  /**
   * Rejects with the worker's own error, or with EngineError "backend-failed" once it has ended.
   */
  call<N extends CallName>(name: N, data: Calls[N][0]): Promise<Calls[N][1]> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#count++;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    this.#port.post({ id, name, data });
    return answer as Promise<Calls[N][1]>;
  }

  /** A call whose failure need not be reported: later calls fail too. */
  send<N extends CallName>(name: N, data: Calls[N][0]): void {
    this.call(name, data).catch(() => undefined);
  }

  #take({ id, memory, value, error }: WorkerReply): void {
    this.memory = memory;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(fromErrorData(error));
    else waiting?.resolve(value);
  }

  /**
   * A worker that sends invalid messages may still run: it is stopped, or Node would wait for it.
   */
  #end(message: string): void {
    this.#ended ??= new EngineError("backend-failed", message);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
    this.#port.terminate();
  }

  dispose(): void {
    this.#end("the engine has been disposed of");
  }
}

let models = 0;

/** Unique numbers of models and sessions. */
export const nextNumber = (): number => ++models;

/** A model's replica on one worker; created and updated when needed. */
export class RemoteReplica {
  /** Version of the parameters it has or is about to have; -1 for none. */
  #version = -1;
  /** Its creation, pending or done; null if not started or failed. */
  #made: Promise<unknown> | null = null;
  /** The newest preparation; calls that follow it fail if it does. */
  #ready: Promise<unknown> = Promise.resolve();
  readonly #model: number;
  readonly #config: ModelConfig;
  readonly #valueHead: ValueHead;
  readonly #owner: number | null;

  /** `owner`: the model whose parameters it uses, null for its own. */
  constructor(
    readonly worker: RemoteWorker,
    model: number,
    config: ModelConfig,
    valueHead: ValueHead,
    owner: number | null = null,
  ) {
    this.#owner = owner;
    this.#model = model;
    this.#config = config;
    this.#valueHead = valueHead;
  }

  isAt(version: number): boolean {
    return this.#version === version;
  }

  /** Sends a copy of the parameters. [layout.size] */
  bringTo(version: number, params: Float32Array): void {
    const { worker } = this;
    const model = this.#model;
    const made = (this.#made ??= this.#make());
    const ready = Promise.all([made, worker.call("writeParams", { model, params })]);
    this.#ready = ready;
    this.#version = version;
    // An older preparation may fail late, which does not affect the newest.
    ready.catch(() => {
      if (this.#ready === ready) this.#version = -1;
    });
  }

  /** Creates it, if it uses the parameters of its owner, which the worker has. */
  join(): void {
    this.#ready = this.#made ??= this.#make();
  }

  #make(): Promise<unknown> {
    const { worker } = this;
    const model = this.#model;
    const config = this.#config;
    const valueHead = this.#valueHead;
    const made = worker.call("createModel", { model, config, valueHead, owner: this.#owner });
    made.catch(() => {
      if (this.#made === made) this.#made = null;
    });
    return made;
  }

  /**
   * A call about this model, and a reference model on the same worker, with the parameters sent
   * last.
   */
  async call<N extends CallName>(
    name: N,
    data: Calls[N][0],
    reference?: RemoteReplica,
  ): Promise<Calls[N][1]> {
    const answer = this.worker.call(name, data);
    // The first failure is reported: a failed preparation comes before the answer that depends on
    // it.
    const [value] = await Promise.all([answer, this.#ready, reference && reference.#ready]);
    return value;
  }

  dispose(): void {
    if (this.#made) this.worker.send("disposeModel", { model: this.#model });
    this.#made = null;
    this.#version = -1;
  }
}
