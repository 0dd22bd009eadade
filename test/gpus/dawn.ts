/** Dawn in Node, set up in several ways. */
import { provideWebGpu } from "../../src/engine/tfjs/node.ts";

/** The shared memory of workgroups is not set to 0 first, as in an unsafe driver; that is most of what a kernel's compilation takes on SwiftShader. */
export const UNCLEARED = ["allow_unsafe_apis", "disable_workgroup_init"];

/** Nor is an index clamped to its buffer, which is a fifth of what is left. */
export const UNCHECKED = [...UNCLEARED, "disable_robustness"];

/** Dawn stops answering once the object that was asked for a device is collected. */
const kept: GPU[] = [];

/** Dawn on the card that the system offers, or on SwiftShader, features of its own switched on and off. */
export async function dawnGpu(on: readonly string[], off: readonly string[] = []): Promise<GPU> {
  await provideWebGpu(); // finds the driver and its loader
  const { create } = await import("webgpu");
  const flags = { "enable-dawn-features": on, "disable-dawn-features": off };
  const gpu = create(
    Object.entries(flags).flatMap(([flag, all]) => (all.length > 0 ? [`${flag}=${all}`] : [])),
  );
  kept.push(gpu);
  return gpu;
}
