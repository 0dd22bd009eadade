/** What the page knows about the machine before a run has started an engine: enough to say which one will be used. */
import { adapterOptions, describeAdapter } from "../engine/webgpu/device.ts";

export interface Outlook {
  /** The backend that "auto" will pick. */
  backend: "webgpu" | "wasm";
  /** The graphics adapter in words; null without WebGPU. */
  adapter: string | null;
  /** Why WebGPU is not used, in one sentence; null if it is. */
  why: string | null;
}

/** Requests an adapter from the browser and keeps no reference to it. Never throws. */
export async function predictEngine(
  gpu: GPU | undefined = globalThis.navigator?.gpu,
): Promise<Outlook> {
  if (!gpu) return without("This browser offers no WebGPU.");
  const adapter = await gpu.requestAdapter(adapterOptions()).catch(() => null);
  if (!adapter) return without("WebGPU found no graphics adapter.");
  const { adapter: name, software } = describeAdapter(adapter.info);
  // A software adapter is slower than WebAssembly.
  if (software) return without(`No GPU found: WebGPU offers only a software adapter (${name}).`);
  return { backend: "webgpu", adapter: name, why: null };
}

function without(why: string): Outlook {
  return { backend: "wasm", adapter: null, why };
}
