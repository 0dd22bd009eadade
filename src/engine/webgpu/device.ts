/** The graphics device: asked for once, with everything the adapter offers that the kernels or tfjs can use. */
import { EngineError } from "../errors.ts";

export interface OpenDevice {
  device: GPUDevice;
  info: GPUAdapterInfo;
  /** The adapter in words. */
  adapter: string;
  /** A processor that pretends to be a GPU: workgroup barriers cost it dearly. */
  software: boolean;
}

/**
 * Subgroups are for tfjs and for kernels to come: ours sum over workgroup memory, in one order whatever the size of a subgroup,
 * and no hardware was at hand to measure whether subgroups are faster.
 */
export const FEATURES = ["subgroups", "shader-f16", "timestamp-query"] as const;

/** Asked for as high as the adapter goes. */
export const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupsPerDimension",
] as const;

/** @throws EngineError "no-adapter" where there is no WebGPU or no adapter, "backend-failed" where no device comes up. */
export async function openDevice(
  gpu = (globalThis.navigator as Navigator | undefined)?.gpu,
): Promise<OpenDevice> {
  if (!gpu)
    throw new EngineError("no-adapter", "this browser offers no WebGPU; use the wasm backend");
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter)
    throw new EngineError("no-adapter", "WebGPU found no graphics adapter; use the wasm backend");
  const device = await adapter.requestDevice(wishes(adapter)).catch((error: unknown) => {
    const why = error instanceof Error ? `: ${error.message}` : "";
    throw new EngineError("backend-failed", `the graphics device did not start${why}`);
  });
  return { device, info: adapter.info, ...describeAdapter(adapter.info) };
}

let shared: Promise<OpenDevice> | null = null;

/**
 * The one device of this process, on which all engines run, tfjs too; asked for again once it is lost.
 * @throws EngineError as openDevice does.
 */
export function sharedDevice(): Promise<OpenDevice> {
  const current = shared ?? openDevice();
  shared = current;
  const forget = () => {
    if (shared === current) shared = null;
  };
  current.then(({ device }) => void device.lost.then(forget), forget);
  return current;
}

function wishes(adapter: GPUAdapter): GPUDeviceDescriptor {
  return {
    requiredFeatures: FEATURES.filter((feature) => adapter.features.has(feature)),
    requiredLimits: Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]])),
  };
}

export function describeAdapter(info: GPUAdapterInfo): { adapter: string; software: boolean } {
  const words = wordsOf(info);
  const known = /swiftshader|llvmpipe|lavapipe|basic render/i.test(words);
  const software = known || info.isFallbackAdapter;
  const name = words || "unnamed adapter";
  return { adapter: software ? `${name} (software)` : name, software };
}

const wordsOf = ({ vendor, architecture, device, description }: GPUAdapterInfo) =>
  [...new Set([vendor, architecture, device, description].filter(Boolean))].join(" ");
