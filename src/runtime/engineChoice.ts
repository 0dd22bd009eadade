/** Which engine runs in this browser, and why not a better one: never a silent fallback. */
import wasmBinary from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import type { Engine, EngineInfo } from "../engine/engine.ts";
import { EngineError } from "../engine/errors.ts";
import { createTfjsEngine, type BackendName } from "../engine/tfjs/createTfjsEngine.ts";
import { createWasmEngine } from "../engine/wasm/createWasmEngine.ts";
import { createWebGpuEngine } from "../engine/webgpu/createWebGpuEngine.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../spec/inputError.ts";
// Compiled by engine/wasm/build.mjs, which the Vite configuration runs first.
import kernels from "../../node_modules/.cache/turnbook-wasm/kernels.wasm?url";
import type { EngineReport } from "./protocol.ts";

type EngineName = EngineInfo["engine"];

/** Opens an engine by backend and name; replaceable in tests. */
export type Open = (backend: BackendName, name: EngineName) => Promise<Engine>;

const openHere: Open = (backend, name) => {
  if (name === "webgpu") return createWebGpuEngine();
  return name === "wasm" ? createWasmEngine(kernels) : createTfjsEngine({ backend, wasmBinary });
};

interface Candidate {
  name: EngineName;
  backend: BackendName;
}

/** Best first. */
const ORDER: Candidate[] = [
  { name: "webgpu", backend: "webgpu" },
  { name: "tfjs", backend: "webgpu" },
  { name: "wasm", backend: "wasm" },
  { name: "tfjs", backend: "wasm" },
  { name: "tfjs", backend: "cpu" },
];

/** What the spec allows: one engine per backend, and one only where it names the backend. */
function candidatesOf({ name, backend }: ExperimentSpec["engine"]): Candidate[] {
  const allowed = ORDER.filter(
    (one) =>
      (name === "auto" || one.name === name) && (backend === "auto" || one.backend === backend),
  );
  const best = ORDER.map(({ backend }) => allowed.find((one) => one.backend === backend));
  const found = [...new Set(best)].filter((one) => one !== undefined);
  if (found.length > 0) return found;
  throw new InputError(`engine ${name} does not run on backend ${backend}; choose "auto" for one`);
}

/**
 * The engine that the spec names, or the best that starts here; the report says which, and for "auto" why not
 * a better one. A named backend that does not start is an error, not a fallback.
 * @throws EngineError of the last backend tried.
 */
export async function openEngine(
  { engine: asked }: ExperimentSpec,
  open: Open = openHere,
): Promise<{ engine: Engine; report: EngineReport }> {
  const candidates = candidatesOf(asked);
  const refused: string[] = [];
  for (const [i, { name, backend }] of candidates.entries()) {
    try {
      const engine = await open(backend, name);
      const slow = asked.backend === "auto" && asked.name !== "webgpu" && isSoftware(engine);
      if (!slow) return { engine, report: report(engine, refused) };
      refused.push(`${backend}: the only adapter is a software one (${engine.info.adapter})`);
      engine.dispose();
    } catch (error) {
      // Whatever it was, the next one may start: the report says why this one did not.
      if (i === candidates.length - 1) throw error;
      refused.push(`${backend}: ${causeOf(error)}`);
    }
  }
  throw new EngineError("backend-failed", `no backend starts here (${refused.join("; ")})`);
}

/** The message without its advice, which is being followed. */
function causeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/; use the \w+ backend$/, "");
}

function isSoftware({ info }: Engine): boolean {
  return info.backend === "webgpu" && info.adapter.includes("(software)");
}

function report({ info }: Engine, refused: string[]): EngineReport {
  return { ...info, fallback: refused.length > 0 ? `Not used: ${refused.join("; ")}.` : null };
}
