/** Which engine runs in this browser, and why not a better one: never a silent fallback. */
import wasmBinary from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import type { Engine } from "../engine/engine.ts";
import { EngineError } from "../engine/errors.ts";
import { createTfjsEngine, type BackendName } from "../engine/tfjs/createTfjsEngine.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { EngineReport } from "./protocol.ts";

/** Opens an engine by backend name; replaceable in tests. */
export type Open = (backend: BackendName) => Promise<Engine>;

const openTfjs: Open = (backend) => createTfjsEngine({ backend, wasmBinary });

/** Best first. */
const ORDER: BackendName[] = ["webgpu", "wasm", "cpu"];

/**
 * The engine that the spec names, or the best that starts here; the report says which, and for "auto" why not
 * a better one. A named backend that does not start is an error, not a fallback.
 * @throws EngineError of the last backend tried.
 */
export async function openEngine(
  { engine: { backend } }: ExperimentSpec,
  open: Open = openTfjs,
): Promise<{ engine: Engine; report: EngineReport }> {
  const candidates = backend === "auto" ? ORDER : [backend];
  const refused: string[] = [];
  for (const [i, candidate] of candidates.entries()) {
    try {
      const engine = await open(candidate);
      const slow = backend === "auto" && isSoftware(engine);
      if (!slow) return { engine, report: report(engine, refused) };
      refused.push(`${candidate}: the only adapter is a software one (${engine.info.adapter})`);
      engine.dispose();
    } catch (error) {
      // Whatever it was, the next one may start: the report says why this one did not.
      if (i === candidates.length - 1) throw error;
      refused.push(`${candidate}: ${causeOf(error)}`);
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
