/**
 * The page's side of the sandbox worker. A call that takes too long or is stopped ends its worker;
 * other waiting calls are sent to the next worker.
 */
import type { Definition } from "../../spec/definitions.ts";
import { InputError } from "../../numeric/inputError.ts";
import type { CodeCell, CellOutput } from "./cells.ts";
import { CELL_LIMITS } from "./limits.ts";
import type { FromSandbox, ToSandbox } from "./sandboxProtocol.ts";

/** The part of a Worker that is used. */
export interface SandboxPort {
  postMessage(message: ToSandbox): void;
  terminate(): void;
  onmessage: ((event: { data: FromSandbox }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

/** Milliseconds on top of the sandbox's own limit, for starting it. */
const GRACE = 5_000;

interface WaitingMessage {
  message: ToSandbox;
  /** Receives the answer, or the reason for its absence. */
  done: (answer: FromSandbox | { type: "ended"; why: string }) => void;
}

export function browserSandboxPort(): SandboxPort {
  // A single expression, so that the bundler recognises a worker.
  return new Worker(new URL("./sandboxWorker.ts", import.meta.url), {
    type: "module",
  }) as unknown as SandboxPort;
}

export class SandboxClient {
  #open: () => SandboxPort;
  #milliseconds: number;
  #port: SandboxPort | null = null;
  #ids = 0;
  /** The worker is handling the first; it takes one at a time. */
  #waiting: WaitingMessage[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    open: () => SandboxPort = browserSandboxPort,
    milliseconds = CELL_LIMITS.milliseconds,
  ) {
    this.#open = open;
    this.#milliseconds = milliseconds;
  }

  /**
   * Runs a cell with the values that it may name. `signal`: Stop. Errors in the code, a stop and a
   * time-out are outputs, not exceptions.
   */
  runCell(
    cell: CodeCell,
    inputs: Record<string, unknown> = {},
    signal?: AbortSignal,
  ): Promise<CellOutput> {
    return new Promise((resolve) => {
      const message: ToSandbox = { id: ++this.#ids, type: "cell", cell, inputs };
      const stop = () => this.#end(message.id, "the cell was stopped");
      const problem = (what: string): CellOutput => ({
        ok: false,
        lines: [],
        problem: { message: `${cell.name}: ${what}`, line: null, what },
      });
      const done: WaitingMessage["done"] = (answer) => {
        signal?.removeEventListener("abort", stop);
        if (answer.type === "cell") resolve(answer.output);
        else resolve(problem(answer.type === "ended" ? answer.why : whyOf(answer)));
      };
      if (signal?.aborted) return resolve(problem("the cell was stopped"));
      signal?.addEventListener("abort", stop);
      this.#ask({ message, done });
    });
  }

  /**
   * The result of a row's definition. @throws InputError with its name, and the line if known.
   */
  estimate(definition: Definition, input: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const message: ToSandbox = { id: ++this.#ids, type: "estimate", definition, input };
      const done: WaitingMessage["done"] = (answer) => {
        if (answer.type === "estimate") resolve(answer.result);
        else
          reject(
            new InputError(
              answer.type === "ended" ? `${definition.name}: ${answer.why}` : whyOf(answer),
            ),
          );
      };
      this.#ask({ message, done });
    });
  }

  dispose(): void {
    this.#port?.terminate();
    this.#port = null;
    clearTimeout(this.#timer);
    for (const { done } of this.#waiting.splice(0)) done({ type: "ended", why: "it was stopped" });
  }

  #ask(one: WaitingMessage): void {
    this.#waiting.push(one);
    if (this.#waiting.length === 1) this.#next();
  }

  #next(): void {
    const [first] = this.#waiting;
    clearTimeout(this.#timer);
    if (!first) return;
    const { id } = first.message;
    const why = `it took longer than ${this.#milliseconds / 1000} seconds`;
    this.#timer = setTimeout(() => this.#end(id, why), this.#milliseconds + GRACE);
    this.#port ??= this.#opened();
    try {
      this.#port.postMessage(first.message);
    } catch (error) {
      this.#take({ id, type: "refused", message: String(error), isInput: true });
    }
  }

  #opened(): SandboxPort {
    const port = this.#open();
    port.onmessage = ({ data }) => this.#take(data);
    port.onerror = ({ message = "" }) => {
      const [first] = this.#waiting;
      if (first) this.#end(first.message.id, `the sandbox failed ${message}`.trim());
    };
    return port;
  }

  #take(answer: FromSandbox): void {
    if (this.#waiting[0]?.message.id !== answer.id) return;
    this.#waiting.shift()!.done(answer);
    this.#next();
  }

  /** Ends the worker if it is handling this call; otherwise removes the call from the queue. */
  #end(id: number, why: string): void {
    const at = this.#waiting.findIndex(({ message }) => message.id === id);
    if (at < 0) return;
    const [one] = this.#waiting.splice(at, 1);
    if (at === 0) {
      this.#port?.terminate();
      this.#port = null;
    }
    one!.done({ type: "ended", why });
    if (at === 0) this.#next();
  }
}

function whyOf(answer: FromSandbox): string {
  return answer.type === "refused" ? answer.message : "the sandbox gave another answer";
}
