/** Dawn on SwiftShader in Node, set up in several ways. */
import { provideWebGpu } from "../../src/engine/tfjs/node.ts";

/** The shared memory of workgroups is not set to 0 first, as in an unsafe driver; that is most of what a kernel's compilation takes on SwiftShader. */
export const UNCLEARED = ["allow_unsafe_apis", "disable_workgroup_init"];

/** Dawn answers nobody any more once the object that was asked for a device is collected. */
const kept: GPU[] = [];

/** Dawn with features of its own switched on. */
export async function dawnGpu(features: readonly string[]): Promise<GPU> {
  await provideWebGpu(); // finds the driver and its loader
  const { create } = await import("webgpu");
  const gpu = create(features.length > 0 ? [`enable-dawn-features=${features.join(",")}`] : []);
  kept.push(gpu);
  return gpu;
}
