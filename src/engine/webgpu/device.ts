/** The graphics device: requested once, with every feature of the adapter that the kernels or tfjs can use. */
import { EngineError } from "../errors.ts";

export interface OpenDevice {
  device: GPUDevice;
  info: GPUAdapterInfo;
  /** The adapter in words. */
  adapter: string;
  /** A CPU emulating a GPU: workgroup barriers are very slow. */
  software: boolean;
}

/** Features that tfjs and the kernels can use; subgroups after a check, see subgroups.ts. */
export const FEATURES = ["subgroups", "shader-f16", "timestamp-query"] as const;

/** Requested as high as the adapter allows. */
export const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupsPerDimension",
] as const;

let shared: Promise<OpenDevice> | null = null;
let power: GPUPowerPreference = "high-performance";

/** The preferred one of two cards; a browser may still return the other. */
export const adapterOptions = (): GPURequestAdapterOptions => ({ powerPreference: power });

/** Applies from now on: running engines keep their device. */
export function preferPower(preference: GPUPowerPreference): void {
  if (preference !== power) shared = null;
  power = preference;
}

type Wishes = (adapter: GPUAdapter) => GPUDeviceDescriptor;

const features = (adapter: GPUAdapter) =>
  FEATURES.filter((feature) => adapter.features.has(feature));
const limits = (adapter: GPUAdapter) =>
  Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]]));

/** Minimum requirements that every device meets; enough for the presets' models. */
export const plainDevice: Wishes = () => ({});

/** Tried in order until a device starts: some drivers refuse what they advertise. */
const WISHES: readonly Wishes[] = [
  (adapter) => ({ requiredFeatures: features(adapter), requiredLimits: limits(adapter) }),
  (adapter) => ({ requiredLimits: limits(adapter) }),
  plainDevice,
];

/** @throws EngineError "no-adapter" if there is no WebGPU or no adapter, "backend-failed" if no device starts. */
export async function openDevice(
  gpu = (globalThis.navigator as Navigator | undefined)?.gpu,
  wishes = WISHES,
): Promise<OpenDevice> {
  if (!gpu)
    throw new EngineError("no-adapter", "this browser offers no WebGPU; use the wasm backend");
  const failures: unknown[] = [];
  for (const wish of wishes) {
    // Requested each time: an adapter gives one device.
    const adapter = await gpu.requestAdapter(adapterOptions());
    if (!adapter)
      throw new EngineError("no-adapter", "WebGPU found no graphics adapter; use the wasm backend");
    try {
      const device = await adapter.requestDevice(wish(adapter));
      return { device, info: adapter.info, ...describeAdapter(adapter.info) };
    } catch (error) {
      failures.push(error);
    }
  }
  const [first] = failures;
  const why = first instanceof Error ? `: ${first.message}` : "";
  throw new EngineError("backend-failed", `the graphics device did not start${why}`);
}

/**
 * The one device of this process, on which all engines run, including tfjs; requested again once it
 * is lost.
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

/**
 * Names of software adapters: Chromium's SwiftShader; Mesa's llvmpipe, lavapipe and softpipe, which
 * Chromium calls mesa software; Windows' WARP, which calls itself Basic Render Driver; Apple's
 * Software Renderer.
 */
const SOFTWARE =
  /swiftshader|llvmpipe|lavapipe|softpipe|mesa software|basic render|\bwarp\b|software (renderer|rasterizer|adapter)/i;

export function describeAdapter(info: GPUAdapterInfo): { adapter: string; software: boolean } {
  const words = wordsOf(info);
  const software = SOFTWARE.test(words) || Boolean(info.isFallbackAdapter);
  const name = words || "unnamed adapter";
  return { adapter: software ? `${name} (software)` : name, software };
}

const wordsOf = ({ vendor, architecture, device, description }: GPUAdapterInfo) =>
  [...new Set([vendor, architecture, device, description].filter(Boolean))].join(" ");
