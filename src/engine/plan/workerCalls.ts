/** Calls from the main thread to a worker, and their results. Every call is answered, in order. */
import type { EngineMemory, GenerateRequest, GenerateResult, ValueHead } from "../engine.ts";
import { EngineError, NotFiniteError, type EngineErrorKind } from "../errors.ts";
import type { ModelConfig } from "../modelConfig.ts";
import type { Outputs } from "./passResults.ts";
import type { BackwardJob, ForwardJob } from "./jobs.ts";

/** Models and sessions are identified by the main thread's numbers. */
export interface Calls {
  /** What the executor is created from; see createWasmEngine. */
  start: [{ kernels: WebAssembly.Module }, void];
  /** `owner`: the model whose parameters it uses, null for its own. */
  createModel: [
    { model: number; config: ModelConfig; valueHead: ValueHead; owner: number | null },
    void,
  ];
  disposeModel: [{ model: number }, void];
  /** params [layout.size] */
  writeParams: [{ model: number; params: Float32Array }, void];
  forward: [{ model: number; job: ForwardJob; reference: number | null }, Outputs];
  /** The pass's own gradients. [layout.size] */
  backward: [{ model: number; job: BackwardJob; reference: number | null }, Float32Array];
  openSession: [{ model: number; session: number; batch: number; capacity: number }, void];
  generate: [
    { session: number; request: GenerateRequest },
    { result: GenerateResult; lengths: number[] },
  ];
  clearSession: [{ session: number }, void];
  disposeSession: [{ session: number }, void];
}

export type CallName = keyof Calls;

export interface WorkerRequest<N extends CallName = CallName> {
  id: number;
  name: N;
  data: Calls[N][0];
}

export interface WorkerReply {
  id: number;
  /** What the worker currently holds. */
  memory: EngineMemory;
  value?: unknown;
  error?: ErrorData;
}

/** An error as data: a structured clone would lose our own fields. */
export interface ErrorData {
  name: string;
  message: string;
  kind?: EngineErrorKind;
}

export function toErrorData(error: unknown): ErrorData {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  return error instanceof EngineError ? { name, message, kind: error.kind } : { name, message };
}

/** Restores the error, with its class if callers check for it. */
export function fromErrorData({ name, message, kind }: ErrorData): Error {
  if (kind) return new EngineError(kind, message);
  if (name === "NotFiniteError") return new NotFiniteError(message);
  if (name === "RangeError") return new RangeError(message);
  return new Error(message);
}

/** A thread at the other end of a channel. */
export interface ThreadPort {
  /** Advice if it ends, besides running again, e.g. how to choose the number of workers. */
  readonly advice?: string;
  post(message: WorkerRequest): void;
  /** Set once, before the first post. `onEnd`: it ended by itself, never started, or sent an invalid message. */
  listen(onAnswer: (answer: WorkerReply) => void, onEnd: (why: string) => void): void;
  terminate(): void;
}
