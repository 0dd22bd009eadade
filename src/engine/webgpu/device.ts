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

/** What tfjs and the kernels can use; subgroups once they agree, see subgroups.ts. */
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

let shared: Promise<OpenDevice> | null = null;
let power: GPUPowerPreference = "high-performance";

/** Of two cards, the one that is asked for; a browser may give the other all the same. */
export const adapterOptions = (): GPURequestAdapterOptions => ({ powerPreference: power });

/** From now on: engines that run keep their device. */
export function preferPower(preference: GPUPowerPreference): void {
  if (preference !== power) shared = null;
  power = preference;
}

type Wishes = (adapter: GPUAdapter) => GPUDeviceDescriptor;

const features = (adapter: GPUAdapter) =>
  FEATURES.filter((feature) => adapter.features.has(feature));
const limits = (adapter: GPUAdapter) =>
  Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]]));

/** What every device has; all that the presets' models need. */
export const plainDevice: Wishes = () => ({});

/** One after the other, until a device comes up: drivers exist that offer what they then refuse. */
const WISHES: readonly Wishes[] = [
  (adapter) => ({ requiredFeatures: features(adapter), requiredLimits: limits(adapter) }),
  (adapter) => ({ requiredLimits: limits(adapter) }),
  plainDevice,
];

/** @throws EngineError "no-adapter" where there is no WebGPU or no adapter, "backend-failed" where no device comes up. */
export async function openDevice(
  gpu = (globalThis.navigator as Navigator | undefined)?.gpu,
  wishes = WISHES,
): Promise<OpenDevice> {
  if (!gpu)
    throw new EngineError("no-adapter", "this browser offers no WebGPU; use the wasm backend");
  const failures: unknown[] = [];
  for (const wish of wishes) {
    // Anew each time: an adapter gives one device.
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

/**
 * Names that processors go by: Chromium's SwiftShader; Mesa's llvmpipe, lavapipe and softpipe, which Chromium calls mesa software;
 * Windows' WARP, which calls itself Basic Render Driver; Apple's Software Renderer.
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
