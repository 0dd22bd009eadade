/** How a device is asked for, and what every device suffices for. */
import { describe, expect, test } from "vitest";
import type { Op } from "../../../src/engine/plan/ops.ts";
import {
  describeAdapter,
  openDevice,
  plainDevice,
  preferPower,
} from "../../../src/engine/webgpu/device.ts";
import { dispatchesOf } from "../../../src/engine/webgpu/kernels/index.ts";
import { grid, toShader, type Dispatch } from "../../../src/engine/webgpu/shader.ts";
import { modelPresets } from "../../../src/spec/models.ts";
import {
  attentionBackwardCase,
  attentionCase,
  opCase,
} from "../../../src/engine/check/opMakers.ts";
import { plansOf, shapeOf, sharedBytes } from "./variants.ts";
import { some } from "../../every.ts";

/** A GPU whose devices come up when `accepts` says so; what was asked for. */
function fakeGpu(accepts: (asked: GPUDeviceDescriptor) => boolean) {
  const asked: GPUDeviceDescriptor[] = [];
  const powers: unknown[] = [];
  const requestAdapter = async (options: GPURequestAdapterOptions) => ({
    info: { vendor: "acme" },
    features: new Set(["subgroups"]),
    limits: { maxBufferSize: 4096 },
    requestDevice: async (descriptor: GPUDeviceDescriptor) => {
      asked.push(descriptor);
      powers.push(options.powerPreference);
      if (!accepts(descriptor)) throw new Error(`refused ${asked.length}`);
      return {};
    },
  });
  return { asked, powers, gpu: { requestAdapter } as unknown as GPU };
}

describe("a device", () => {
  test("is asked for with all the adapter offers, at first", async () => {
    const { asked, gpu } = fakeGpu(() => true);
    expect((await openDevice(gpu)).adapter).toBe("acme");
    expect(asked).toMatchObject([
      { requiredFeatures: ["subgroups"], requiredLimits: { maxBufferSize: 4096 } },
    ]);
  });

  test("of two is the faster, or the one that saves power where that is chosen", async () => {
    const { powers, gpu } = fakeGpu(() => true);
    await openDevice(gpu);
    preferPower("low-power");
    await openDevice(gpu);
    preferPower("high-performance");
    await openDevice(gpu);
    expect(powers).toEqual(["high-performance", "low-power", "high-performance"]);
  });

  test("is asked for again without features, then without limits", async () => {
    const { asked, gpu } = fakeGpu((one) => !one.requiredFeatures && !one.requiredLimits);
    await openDevice(gpu);
    expect(asked.map((one) => Object.keys(one))).toEqual([
      ["requiredFeatures", "requiredLimits"],
      ["requiredLimits"],
      [],
    ]);
  });

  test("that never comes up says why it first did not", async () => {
    const { gpu } = fakeGpu(() => false);
    await expect(openDevice(gpu)).rejects.toMatchObject({
      kind: "backend-failed",
      message: "the graphics device did not start: refused 1",
    });
    await expect(openDevice(gpu, [plainDevice])).rejects.toThrow("refused 4");
  });
});

const NAMES: [Partial<GPUAdapterInfo>, boolean][] = [
  [{ vendor: "google", architecture: "swiftshader" }, true],
  [{ description: "llvmpipe (LLVM 19.1.7, 256 bits)" }, true],
  [{ vendor: "mesa", device: "lavapipe" }, true],
  [{ description: "softpipe" }, true],
  [{ vendor: "mesa", architecture: "software" }, true],
  [{ vendor: "microsoft", description: "Microsoft Basic Render Driver" }, true],
  [{ vendor: "microsoft", architecture: "warp" }, true],
  [{ description: "Apple Software Renderer" }, true],
  [{ vendor: "acme", isFallbackAdapter: true }, true],
  [{ vendor: "apple", architecture: "metal-3" }, false],
  [{ vendor: "nvidia", architecture: "hopper" }, false],
  [{ vendor: "intel", architecture: "xe-lpg" }, false],
  [{ description: "Warpdrive 9000" }, false],
];

test.each(NAMES)("%o is software: %s", (info, software) => {
  const found = describeAdapter(info as GPUAdapterInfo);
  expect(found.software).toBe(software);
  expect(found.adapter.endsWith("(software)")).toBe(software);
});

/** WebGPU's default limits. */
const DEFAULTS = {
  threads: 256,
  shared: 16384,
  bindings: 8,
  groups: 65535,
  bindingBytes: 2 ** 27,
};

function expectDefaults(dispatch: Dispatch): void {
  const { ranges } = toShader(dispatch);
  const [x, y] = grid(dispatch.groups);
  const what = dispatch.name;
  expect(dispatch.workgroup, what).toBeLessThanOrEqual(DEFAULTS.threads);
  expect(sharedBytes(dispatch), what).toBeLessThanOrEqual(DEFAULTS.shared);
  expect(ranges.length, what).toBeLessThanOrEqual(DEFAULTS.bindings);
  expect(Math.max(x, y), what).toBeLessThanOrEqual(DEFAULTS.groups);
  for (const { view } of ranges)
    expect(4 * view.size, what).toBeLessThanOrEqual(DEFAULTS.bindingBytes);
}

describe("WebGPU's default limits suffice", () => {
  /** The largest, and the one with biases. */
  const taken = ["talker", "nano-qwen2"];
  const presets = some(Object.entries(modelPresets), ([name]) => taken.includes(name));
  test.each(presets)("for every plan of %s", (_, preset) => {
    const ops = new Map<string, Op>();
    for (const vocabSize of [64, 448])
      for (const plan of plansOf({ ...preset, vocabSize })) {
        expect(4 * plan.arenaSize, plan.name).toBeLessThanOrEqual(DEFAULTS.bindingBytes);
        for (const op of plan.ops) ops.set(shapeOf(op), op);
      }
    let most = 0;
    for (const op of ops.values())
      for (const software of [false, true])
        for (const dispatch of dispatchesOf(op, { software })) {
          expectDefaults(dispatch);
          most = Math.max(most, sharedBytes(dispatch));
        }
    expect(most).toBeGreaterThan(8000);
  });

  test.each([64, 128, 192, 256])("for attention with heads of %i", (d) => {
    const heads = { H: 2, K: 1, d };
    for (const make of [attentionCase([9], heads), attentionBackwardCase([9], heads)])
      for (const dispatch of dispatchesOf(opCase("", make, 1).op, { software: false }))
        expectDefaults(dispatch);
  });
});
