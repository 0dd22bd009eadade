/** What the browser reports of the computer it runs on. */
import { adapterOptions, describeAdapter, FEATURES, LIMITS } from "../engine/webgpu/device.ts";
import { memoryBudget } from "../engine/webgpu/memory.ts";
import type { GpuFacts, HostFacts } from "./machineReport.ts";

type BrowserFacts = Pick<Navigator, "userAgent" | "hardwareConcurrency"> & {
  deviceMemory?: number;
};

export function hostFacts(from: BrowserFacts = globalThis.navigator as BrowserFacts): HostFacts {
  const { userAgent, hardwareConcurrency, deviceMemory } = from;
  return {
    browser: browserName(userAgent),
    userAgent,
    cores: hardwareConcurrency || null,
    memoryGiB: deviceMemory ?? null,
  };
}

/** Most specific first: every Chrome also claims to be Safari. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Firefox\/(\d+)/, "Firefox"],
  [/Edg\/(\d+)/, "Edge"],
  [/Chrome\/(\d+)/, "Chrome"],
  [/Version\/(\d+)[.\d]* .*Safari/, "Safari"],
];

export function browserName(userAgent: string): string {
  for (const [pattern, name] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return "unknown browser";
}

/** Requests an adapter and keeps no reference to it. Never throws. */
export async function gpuFacts(
  gpu: GPU | undefined = globalThis.navigator?.gpu,
): Promise<GpuFacts> {
  const none = (why: string): GpuFacts => ({
    adapter: null,
    why,
    software: false,
    budget: 0,
    features: [],
    limits: [],
  });
  if (!gpu) return none("This browser offers no WebGPU.");
  const adapter = await gpu.requestAdapter(adapterOptions()).catch(() => null);
  if (!adapter) return none("WebGPU found no graphics adapter.");
  const { adapter: words, software } = describeAdapter(adapter.info);
  return {
    adapter: words,
    why: null,
    software,
    budget: memoryBudget(),
    features: FEATURES.filter((name) => adapter.features.has(name)),
    limits: LIMITS.map((name) => ({ name, value: adapter.limits[name] })),
  };
}

/**
 * Everything that the adapter reports about itself, as text: description, features and limits.
 * Another driver may change them. Empty without an adapter. Never throws.
 */
export async function gpuTraits(gpu: GPU | undefined = globalThis.navigator?.gpu): Promise<string> {
  const adapter = await gpu?.requestAdapter(adapterOptions()).catch(() => null);
  if (!adapter) return "";
  const { info, features, limits } = adapter;
  return JSON.stringify([...features].sort().concat(propertyTexts(info), propertyTexts(limits)));
}

/** WebGPU's properties are on the prototype, so spreading does not copy them. */
function propertyTexts(of: GPUAdapterInfo | GPUSupportedLimits): string[] {
  const lines: string[] = [];
  for (const name in of) {
    const value: unknown = of[name as keyof typeof of];
    if (typeof value !== "function") lines.push(`${name} ${String(value)}`);
  }
  return lines.sort();
}
