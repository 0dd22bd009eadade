/** The WebGPU engine over time, on the system's adapter or Chromium's software one: losses, bits, decoding, counts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../../src/engine/engine.ts";
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import { provideWebGpu } from "../../../src/engine/tfjs/node.ts";
import { openDevice, type OpenDevice } from "../../../src/engine/webgpu/device.ts";
import { DevicePace } from "../../../src/engine/webgpu/pace.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { everyStep, fullLogprobs, language, lossCurve, sampleRows } from "../learning.ts";
import { farthest, largeWeights, nano, nanoWeights, openEngine } from "../support.ts";
import { some } from "../../every.ts";

let opened: OpenDevice;
let executor: WebGpuExecutor;
let engine: Engine;
beforeAll(async () => {
  await provideWebGpu();
  opened = await openDevice();
  // Nothing is cut, however busy the machine is: counts are of whole plans.
  executor = new WebGpuExecutor(opened, { pace: new DevicePace(true, 1e12) });
  engine = createPlanEngine(executor);
});
afterAll(() => {
  engine.dispose();
  opened.device.destroy();
});

// Fifty steps take a software adapter twenty seconds; wasm takes them, of the same plan.
test("twenty training steps stay with the referee's loss curve", async () => {
  const tfjs = await openEngine("wasm");
  const [ours, theirs] = [await lossCurve(engine, 20), await lossCurve(tfjs, 20)];
  expect(theirs[19]!).toBeLessThan(theirs[0]! - 0.2);
  expect(farthest(ours, theirs)).toBeLessThan(1e-3);
});

test("two runs on one device give the same bits, on two engines and in single dispatches too", async () => {
  const first = await lossCurve(engine, 4);
  expect(await lossCurve(engine, 4)).toEqual(first);
  const other = new WebGpuExecutor(opened, { pace: new DevicePace(true, 1) });
  expect(await lossCurve(createPlanEngine(other), 4)).toEqual(first);
  other.dispose();
});

/** Compiling a GPU's products for a software adapter takes seconds each: with one width there are fewest. */
const slim = {
  ...nano,
  layers: 1,
  hiddenSize: 16,
  heads: 2,
  kvHeads: 2,
  headDim: 8,
  intermediateSize: 16,
};

// The barriers of a GPU's kernels cost a software adapter dearly: fewer rows there, and not at each landing.
test.each(
  some(
    [
      [false, 2, 2],
      [true, 7, 12],
    ] as const,
    ([soft]) => soft,
  ),
)(
  "decoding equals the full forward (software kernels %s)",
  async (soft, B, tokens) => {
    const own = new WebGpuExecutor(opened, { softwareKernels: soft });
    const shape = soft ? nano : slim;
    const model = await createPlanEngine(own).createModel(shape, largeWeights(shape, 5), "none");
    const prompts = Array.from({ length: B }, (_, b) =>
      Array.from({ length: b + 1 }, (_, t) => b + t),
    );
    const { ids, logprobs } = await sampleRows(model, prompts, 0, tokens);
    expect(ids.flat().length).toBeGreaterThan(B);
    if (soft) expect(new Set(ids.map((row) => row.length)).size).toBeGreaterThan(2);
    const full = await fullLogprobs(model, prompts, ids);
    expect(farthest(logprobs.flat(), full.flat())).toBeLessThan(1e-4);
    model.dispose();
    own.dispose();
  },
  400_000,
);

describe("counts", () => {
  test("after the first step of a shape nothing is created", async () => {
    const model = await engine.createModel(nano, nanoWeights(7, "shared"), "shared");
    await everyStep(model);
    const { buffers, bindGroups, pipelines } = executor.counts();
    const memory = engine.memory();
    for (let i = 0; i < 3; i++) await everyStep(model);
    expect(executor.counts()).toMatchObject({ buffers, bindGroups, pipelines });
    expect(engine.memory()).toEqual(memory);
    expect(bindGroups).toBeGreaterThan(100);
    model.dispose();
  });

  test("a training step with clipping is three passes, two submits and two uploads", async () => {
    const model = await engine.createModel(nano, nanoWeights(8), "none");
    const rows = language(2);
    const dLogprob = new Float32Array(rows.ids.length).fill(-0.01);
    const step = async () => {
      await model.backward({ rows, temperature: 1, dLogprob });
      model.scaleGrads(1 / (await model.gradNorm()));
      const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 };
      await model.update({ lr: { trunk: 1e-3 }, ...adam });
      executor.flush();
    };
    await step();
    const before = executor.counts();
    await step();
    const after = executor.counts();
    const spent = (key: keyof typeof before) => after[key] - before[key];
    expect([spent("passes"), spent("submits"), spent("writes")]).toEqual([3, 2, 2]);
    expect(spent("dispatches")).toBeLessThan(130);
    model.dispose();
  });
});

describe("errors", () => {
  test("a store that is too large is refused before anything is allocated", () => {
    const words = executor.limits.storeBytes / 4 + 64;
    expect(() => executor.createStore("huge", words)).toThrow(/device allows/);
  });

  test("a lost device is told at the next use", async () => {
    const own = await openDevice();
    const lost = new WebGpuExecutor(own);
    const store = lost.createStore("data", 64);
    own.device.destroy();
    await expect(lost.read(store, 0, 64)).rejects.toMatchObject({ kind: "device-lost" });
  });
});
