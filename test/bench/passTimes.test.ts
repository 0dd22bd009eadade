/** The times of single dispatches: one for each, by name, and what is computed stays the same. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCase } from "../../src/engine/check/kernelCheck.ts";
import { matmulCase, normCase, opCase } from "../../src/engine/check/opMakers.ts";
import { openDevice, type OpenDevice } from "../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import { dawnGpu } from "../gpus/dawn.ts";
import { timedDevice } from "./passTimes.ts";

let opened: OpenDevice;
beforeAll(async () => {
  opened = await openDevice(await dawnGpu([], ["timestamp_quantization"]));
});
afterAll(() => opened.device.destroy());

test("each dispatch has its name and its time", async () => {
  const timed = timedDevice(opened.device);
  const plain = new WebGpuExecutor(opened);
  const executor = new WebGpuExecutor({ ...opened, device: timed.device });
  const cases = [
    opCase("norm", normCase(9, 68), 1),
    opCase("product", matmulCase("NT", 40, 24, 16), 2),
    // The same kernel at another size is the same pipeline.
    opCase("product", matmulCase("NT", 80, 24, 16), 3),
  ];
  for (const one of cases) expect(await runCase(executor, one)).toEqual(await runCase(plain, one));
  const times = await timed.take();
  expect(times.map(({ kernel }) => kernel)).toEqual([
    "norm",
    "matmul NT 40x24x16",
    "matmul NT 80x24x16",
  ]);
  for (const { time } of times) {
    expect(time).toBeGreaterThan(0);
    expect(time).toBeLessThan(10e6);
  }
  expect(await timed.take()).toEqual([]);
});
