/** Which engine runs in this browser, and why a better one does not: never a silent fallback. */
import wasmBinary from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import { adapterWords, isSoftware } from "../engine/adapterWords.ts";
import type { Engine, EngineName } from "../engine/engine.ts";
import { EngineError } from "../engine/errors.ts";
import { createTfjsEngine, type BackendName } from "../engine/tfjs/createTfjsEngine.ts";
import { createWasmEngine } from "../engine/wasm/createWasmEngine.ts";
import { createWebGpuEngine } from "../engine/webgpu/createWebGpuEngine.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
// Compiled by engine/wasm/build.mjs, which the Vite configuration runs first.
import kernels from "../../node_modules/.cache/turnbook-wasm/kernels.wasm?url";
import { engineThreads } from "./engineThreads.ts";
import type { EngineReport } from "./protocol.ts";
import type { Trust } from "./trust.ts";

/** Opens an engine by backend and name; replaceable in tests. */
export type Open = (backend: BackendName, name: EngineName) => Promise<Engine>;

export const openHere: Open = (backend, name) => {
  if (name === "webgpu") return createWebGpuEngine();
  if (name === "wasm") return createWasmEngine(kernels, engineThreads());
  return createTfjsEngine({ backend, wasmBinary });
};

/** Without threads, each of which would copy a model. */
export const openAlone: Open = async (backend, name) =>
  name === "wasm" ? createWasmEngine(kernels) : openHere(backend, name);

export interface Candidate {
  name: EngineName;
  backend: BackendName;
}

/**
 * Best first; what "auto" tries. tfjs on webgpu is left out: at these sizes the compiled wasm
 * engine is faster, and a device that computed wrong numbers once is not tried again.
 */
const AUTO: readonly Candidate[] = [
  { name: "webgpu", backend: "webgpu" },
  { name: "wasm", backend: "wasm" },
  { name: "tfjs", backend: "wasm" },
  { name: "tfjs", backend: "cpu" },
];

/** All engines, best first. */
export const ENGINES: readonly Candidate[] = [
  ...AUTO.slice(0, 2),
  { name: "tfjs", backend: "webgpu" },
  ...AUTO.slice(2),
];

/**
 * The engines that the spec allows; if it names a backend, the best engine of that backend only.
 */
function candidatesOf({ name, backend }: ExperimentSpec["engine"]): readonly Candidate[] {
  if (name === "auto" && backend === "auto") return AUTO;
  const allowed = ENGINES.filter(
    (one) =>
      (name === "auto" || one.name === name) && (backend === "auto" || one.backend === backend),
  );
  if (allowed.length > 0) return backend === "auto" ? allowed : allowed.slice(0, 1);
  throw new InputError(`engine ${name} does not run on backend ${backend}; choose "auto" for one`);
}

interface RefusedCandidate extends Candidate {
  cause: string;
}

/**
 * The engine that the spec names, or the best one that starts here and computes correctly; the
 * report says which, and for "auto" why not a better one. If an engine or backend asked for by name
 * fails, that is an error: there is no fallback.
 * @throws EngineError saying why no candidate is used.
 */
export async function openEngine(
  { engine: asked }: Pick<ExperimentSpec, "engine">,
  trust: Trust,
  open: Open = openHere,
): Promise<{ engine: Engine; report: EngineReport }> {
  const candidates = candidatesOf(asked);
  const refused: RefusedCandidate[] = [];
  for (const candidate of candidates) {
    try {
      const engine = await open(candidate.backend, candidate.name);
      const unchecked = await admit(engine, asked, trust);
      return { engine, report: report(engine, refused, unchecked) };
    } catch (error) {
      if (candidates.length === 1) throw startError(error, candidate);
      // Whatever failed, the next candidate may start: the report says why this one did not.
      refused.push({ ...candidate, cause: causeOf(error) });
    }
  }
  throw new EngineError("backend-failed", `no backend starts here (${candidateList(refused)})`);
}

/** A failure to open an engine is an environment error, e.g. a file that did not load. */
function startError(error: unknown, { name, backend }: Candidate): Error {
  if (error instanceof EngineError) return error;
  const message = `the ${name} engine on ${backend} did not start: ${causeOf(error)}`;
  return new EngineError("backend-failed", message, { cause: error });
}

/**
 * Resolves to the result of `trust` if the engine passes; otherwise disposes of it and throws the
 * reason.
 */
async function admit(engine: Engine, asked: ExperimentSpec["engine"], trust: Trust) {
  try {
    const chosen = asked.backend === "webgpu" || asked.name === "webgpu";
    if (isSoftware(engine.info) && !chosen) {
      const message = `no GPU found, only a software adapter (${engine.info.adapter})`;
      throw new EngineError("no-adapter", message);
    }
    return await trust(engine);
  } catch (error) {
    engine.dispose();
    throw error;
  }
}

/** The message without its advice, which is being followed already. */
export function causeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/; use the \w+ backend$/, "");
}

function report(
  { info }: Engine,
  refused: RefusedCandidate[],
  unchecked: string | null,
): EngineReport {
  const fallback = refused.length > 0 ? `Not used: ${candidateList(refused)}.` : null;
  return { ...info, adapter: adapterWords(info), fallback, unchecked };
}

/** One clause per cause: two engines that fail for the same reason are reported together. */
function candidateList(refused: RefusedCandidate[]): string {
  const clauses = refused.map(({ name, backend, cause }, i) => {
    const before = refused.slice(0, i).filter((one) => one.backend === backend);
    if (before.some((one) => one.cause === cause)) return null;
    return `${before.length > 0 ? `${name} on ${backend}` : backend}: ${cause}`;
  });
  return clauses.filter((clause) => clause !== null).join("; ");
}
