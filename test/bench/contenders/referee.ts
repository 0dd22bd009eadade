/** Our tuned use of tfjs: the engine that referees the others, behind the same interface. */
import * as tf from "@tensorflow/tfjs-core";
import { createTfjsEngine } from "../../../src/engine/tfjs/createTfjsEngine.ts";
import type { Contender } from "../contender.ts";
import { engineContender } from "./engines.ts";

/** `wasmBinary`: where tfjs's is, which webgpu does not need. */
export async function openReferee(
  backend: "webgpu" | "wasm",
  wasmBinary?: string,
): Promise<Contender> {
  const engine = await createTfjsEngine({ backend, ...(wasmBinary && { wasmBinary }) });
  return engineContender(engine, () => submitHeld(tf.backend() as unknown as HoldingBackend));
}

/** tfjs's webgpu backend holds commands back until there are fifteen, or something is read; parts private by type. */
interface HoldingBackend {
  commandEncoder?: GPUCommandEncoder | null;
  endComputePassEncoder(): void;
  submitQueue(): void;
}

function submitHeld(backend: HoldingBackend): void {
  if (!backend.commandEncoder) return;
  backend.endComputePassEncoder();
  backend.submitQueue();
}
