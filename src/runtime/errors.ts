/** Errors as values: what happened and what to do next, in the two kinds a reader meets, and defects. */
import { EngineError, type EngineErrorKind } from "../engine/errors.ts";
import { InputError } from "../spec/inputError.ts";
import type { FromWorker } from "./protocol.ts";

type ErrorReport = Omit<Extract<FromWorker, { type: "error" }>, "type">;

const ENGINE_ACTIONS: Record<EngineErrorKind, string> = {
  "no-adapter": "Choose another backend (wasm runs everywhere), or turn on WebGPU in the browser.",
  "device-lost": "Press Reset, then Run; if it happens again, choose the wasm backend.",
  "out-of-memory": "Use fewer tasks per iteration, a smaller minibatch or the nano model.",
  "backend-failed": "Choose another backend; wasm runs everywhere.",
};

export function describeError(error: unknown): ErrorReport {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof InputError) {
    return { kind: "input", message, action: "Change the field and run again." };
  }
  if (error instanceof EngineError) {
    return { kind: "environment", message, action: ENGINE_ACTIONS[error.kind] };
  }
  return {
    kind: "defect",
    message: `Training stopped on a fault of the program: ${message}`,
    action:
      "Reload the page and run again; if it happens again, report it with the link to this experiment.",
  };
}
