/** Errors as values: what happened and what to do next. Two kinds that a reader meets, and defects. */
import { EngineError, NotFiniteError, type EngineErrorKind } from "../engine/errors.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import type { FromWorker } from "./protocol.ts";

/** One of the page's own files did not load. */
export class AssetError extends Error {
  override name = "AssetError";
}

type ErrorReport = Omit<Extract<FromWorker, { type: "error" }>, "type">;

/**
 * The backend a run used when it failed; while the engine is still being opened, the requested one.
 */
export type TriedBackend = ExperimentSpec["engine"]["backend"];

const ENGINE_ACTIONS: Record<Exclude<EngineErrorKind, "backend-failed">, string> = {
  "no-adapter": "Choose another backend (wasm runs everywhere), or turn on WebGPU in the browser.",
  "device-lost": "Press Reset, then Run; if it happens again, choose the wasm backend.",
  "out-of-memory": "Use fewer tasks per iteration, a smaller minibatch or the nano model.",
  "wrong-numbers":
    "Choose another backend, or automatic; the page “This machine” shows what was compared.",
};

/** Never suggests the backend that has just failed. */
const FAILED_ACTIONS: Record<TriedBackend, string> = {
  webgpu: "Choose another backend; wasm runs everywhere.",
  wasm: "Press Reset, then Run; if it happens again, reload the page, or choose the cpu backend.",
  cpu: "Reload the page and run again; if it happens again, use another browser.",
  auto: "Reload the page and run again; if it happens again, use another or a newer browser.",
};

/** `tried`: the backend that failed, for engine errors. */
export function describeError(error: unknown, tried: TriedBackend = "auto"): ErrorReport {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof InputError) {
    return { kind: "input", message, action: "Change the field and run again." };
  }
  if (error instanceof EngineError) {
    const { kind } = error;
    const action = kind === "backend-failed" ? FAILED_ACTIONS[tried] : ENGINE_ACTIONS[kind];
    const retry = kind === "device-lost" || kind === "backend-failed";
    return { kind: "environment", message: errorSentence(message), action, retry };
  }
  if (error instanceof NotFiniteError) {
    const action = "Start from other weights, or use a smaller learning rate, then run again.";
    return { kind: "learning", message: errorSentence(message), action };
  }
  if (error instanceof AssetError) {
    const action = "Check the connection and press Run again; or choose other starting weights.";
    return { kind: "environment", message, action };
  }
  return {
    kind: "defect",
    message: `Training stopped because of a bug: ${message}`,
    action:
      "Reload the page and run again; if it happens again, report it with the link to this experiment.",
    retry: true,
  };
}

/** Whether a run asked for WebGPU by name and found none that starts and computes correctly. */
export function isCardGone(
  error: unknown,
  { backend, opened }: { backend: TriedBackend; opened: boolean },
): boolean {
  return error instanceof EngineError && backend === "webgpu" && !opened;
}

function errorSentence(message: string): string {
  const end = /[.!?]$/.test(message) ? "" : ".";
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}${end}`;
}
