/** Subgroups: used where they add up to what workgroup memory does, and nowhere else. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provideWebGpu } from "../../../src/engine/tfjs/node.ts";
import { openDevice, type OpenDevice } from "../../../src/engine/webgpu/device.ts";
import { lanesFor } from "../../../src/engine/webgpu/kernels/lanes.ts";
import { agreeingSubgroup } from "../../../src/engine/webgpu/createWebGpuEngine.ts";
import { fakeDevice } from "./fakeDevice.ts";
import { withCode, withMethods } from "./withMethods.ts";

const barriersOf = (subgroup: number, elements: number) => {
  const { declarations } = lanesFor({ software: false, subgroup }, elements);
  const [sum] = declarations.split("fn laneMax");
  return sum!.match(/workgroupBarrier\(\)/g)?.length ?? 0;
};

test("a sum meets at fewer barriers the wider a subgroup is, and at none within one", () => {
  expect([4, 16, 32, 64].map((subgroup) => barriersOf(subgroup, 64))).toEqual([8, 4, 2, 0]);
  expect([4, 16, 32, 64].map((subgroup) => barriersOf(subgroup, 16))).toEqual([4, 0, 0, 0]);
  const { declarations } = lanesFor({ software: false, subgroup: 64 }, 64);
  expect(declarations).not.toContain("var<workgroup>");
});

test("a device without the feature, and a software adapter, use none", async () => {
  expect(await agreeingSubgroup(fakeDevice())).toBe(0);
  const software = { ...fakeDevice(), software: true };
  expect(await agreeingSubgroup(software)).toBe(0);
});

describe("on a device that has them", () => {
  let opened: OpenDevice;
  beforeAll(async () => {
    await provideWebGpu();
    opened = { ...(await openDevice()), software: false };
  });
  afterAll(() => opened.device.destroy());

  const changed = (change: (code: string) => string): OpenDevice => ({
    ...opened,
    device: withCode(opened.device, change),
  });

  test("they are used as wide as the driver says that they are at least", async () => {
    expect(opened.device.features.has("subgroups")).toBe(true);
    let within = 0;
    const counted = changed((code) => {
      within += Number(code.includes("subgroupShuffleXor"));
      return code;
    });
    expect(await agreeingSubgroup(counted)).toBe(opened.info.subgroupMinSize);
    expect(within).toBe(5);
  });

  test("they are used where what follows on a sum is rounded otherwise", async () => {
    const rounded = changed((code) =>
      code.includes("subgroupShuffleXor")
        ? code.replaceAll("return a;", "return a * 1.0000003;")
        : code,
    );
    expect(await agreeingSubgroup(rounded)).toBe(opened.info.subgroupMinSize);
  });

  test("they are not used where other threads answer than those that were asked", async () => {
    const wrong = changed((code) => code.replaceAll("Xor(a, 1u)", "Xor(a, 2u)"));
    expect(await agreeingSubgroup(wrong)).toBe(0);
  });

  test("they are not used where their kernels do not compile", async () => {
    const broken = changed((code) => code.replaceAll("subgroupShuffleXor", "subgroupShuffleXXor"));
    expect(await agreeingSubgroup(broken)).toBe(0);
  });

  test("they are not used where the card never answers", async () => {
    const device = withMethods(opened.device, {
      createBuffer: (descriptor: GPUBufferDescriptor) => {
        const buffer = opened.device.createBuffer(descriptor);
        buffer.mapAsync = () => new Promise(() => {});
        return buffer;
      },
    });
    const silent = { ...opened, device };
    expect(await agreeingSubgroup(silent, 2000)).toBe(0);
  });
});
