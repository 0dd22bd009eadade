/** The worker's side: holds replicas and decode sessions, runs the main thread's requests, one call after another. */
import type { EngineMemory } from "../engine.ts";
import { PlanDecodeSession } from "./decodeSession.ts";
import type { Executor } from "./executor.ts";
import { Replica } from "./replica.ts";
import {
  toErrorData,
  type WorkerReply,
  type CallName,
  type Calls,
  type WorkerRequest,
} from "./workerCalls.ts";

type Post = (answer: WorkerReply, transfer: ArrayBuffer[]) => void;
type Handlers = { [N in CallName]: (data: Calls[N][0]) => Promise<Calls[N][1]> };

const NOTHING: EngineMemory = { tensors: 0, bytes: 0, poolBytes: 0 };

/** The handler of each message. `open` creates the executor of the start call. */
export function serveReplicas(
  post: Post,
  open: (kernels: WebAssembly.Module) => Promise<Executor>,
): (question: WorkerRequest) => void {
  const server = new Server(open);
  let last: Promise<void> = Promise.resolve();
  const answer = async ({ id, name, data }: WorkerRequest) => {
    try {
      const value = await (server.handlers[name] as (data: unknown) => Promise<unknown>)(data);
      post({ id, memory: server.memory(), value }, buffersOf(value));
    } catch (error) {
      post({ id, memory: server.memory(), error: toErrorData(error) }, []);
    }
  };
  return (question) => void (last = last.then(() => answer(question)));
}

/** The buffers of a result with its own arrays: gradients, or outputs that share one. */
function buffersOf(value: unknown): ArrayBuffer[] {
  const parts = value instanceof Float32Array ? [value] : Object.values(value ?? {});
  const arrays = parts.filter((part) => part instanceof Float32Array);
  return [...new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer))];
}

class Server {
  #executor: Executor | null = null;
  readonly #models = new Map<number, Replica>();
  readonly #sessions = new Map<number, PlanDecodeSession>();
  readonly #open: (kernels: WebAssembly.Module) => Promise<Executor>;

  constructor(open: (kernels: WebAssembly.Module) => Promise<Executor>) {
    this.#open = open;
  }

  memory(): EngineMemory {
    return this.#executor?.memory() ?? NOTHING;
  }

  readonly handlers: Handlers = {
    start: async ({ kernels }) => void (this.#executor = await this.#open(kernels)),
    createModel: async ({ model, config, valueHead, owner }) => {
      this.#models.get(model)?.dispose();
      const replica = new Replica(this.#executor!, config, valueHead, this.#find(owner));
      this.#models.set(model, replica);
    },
    disposeModel: async ({ model }) => {
      this.#models.get(model)?.dispose();
      this.#models.delete(model);
    },
    writeParams: async ({ model, params }) => this.#model(model).writeParams(params),
    forward: async ({ model, job, reference }) => {
      const { outputs } = await this.#model(model).forward(job, this.#find(reference));
      return outputs;
    },
    backward: async ({ model, job, reference }) => {
      let copy!: Float32Array;
      const { sums } = this.#executor!;
      await this.#model(model).backwardApart(job, this.#find(reference), (grads) => {
        copy = sums!.copy(grads);
      });
      return copy;
    },
    openSession: async ({ model, session, batch, capacity }) => {
      const { decodePool } = this.#model(model);
      this.#sessions.set(session, new PlanDecodeSession(decodePool, batch, capacity));
    },
    generate: async ({ session, request }) => {
      const open = this.#sessions.get(session);
      if (!open) throw new Error(`the worker has no session ${session}`);
      const result = await open.generate(request);
      return { result, lengths: [...open.lengths] };
    },
    clearSession: async ({ session }) => this.#sessions.get(session)?.clear(),
    disposeSession: async ({ session }) => {
      this.#sessions.get(session)?.dispose();
      this.#sessions.delete(session);
    },
  };

  #model(id: number): Replica {
    const model = this.#models.get(id);
    if (!model) throw new Error(`the worker has no model ${id}`);
    return model;
  }

  #find(id: number | null): Replica | undefined {
    return id === null ? undefined : this.#model(id);
  }
}
