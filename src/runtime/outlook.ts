/** What the page can tell of the machine before a run has started an engine: enough to say what will be used. */

export interface Outlook {
  /** The backend that "auto" is going to take. */
  backend: "webgpu" | "wasm";
  /** The graphics adapter in words; null without WebGPU. */
  adapter: string | null;
  /** Why not WebGPU, in one sentence; null when it is. */
  why: string | null;
}

/** The names under which software stands in for a graphics card; such an adapter is slower than WebAssembly. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|basic render/i;

/** Asks the browser for an adapter, and keeps nothing of it. Never throws. */
export async function foresee(gpu: GPU | undefined = globalThis.navigator?.gpu): Promise<Outlook> {
  if (!gpu) return without("This browser offers no WebGPU.");
  const adapter = await gpu
    .requestAdapter({ powerPreference: "high-performance" })
    .catch(() => null);
  if (!adapter) return without("WebGPU found no graphics adapter.");
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const words = [vendor, architecture, device, description].filter(Boolean);
  const name = [...new Set(words)].join(" ") || "unnamed adapter";
  if (isFallbackAdapter || SOFTWARE.test(name))
    return without(`WebGPU's only adapter is a software one (${name}).`);
  return { backend: "webgpu", adapter: name, why: null };
}

function without(why: string): Outlook {
  return { backend: "wasm", adapter: null, why };
}
