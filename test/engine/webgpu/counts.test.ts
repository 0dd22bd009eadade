/** What plans of the bench model cost on WebGPU, without a device: dispatches and bytes. */
import { describe, expect, test } from "vitest";
import { stepPlan } from "../../../src/engine/plan/decode.ts";
import { layoutOf } from "../../../src/engine/plan/layout.ts";
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import type { Plan } from "../../../src/engine/plan/planner.ts";
import { backwardPlan, gradNormPlan, updatePlan } from "../../../src/engine/plan/plans.ts";
import { dispatchesOf } from "../../../src/engine/webgpu/kernels/index.ts";
import type { ModelConfig } from "../../../src/engine/modelConfig.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { DevicePace } from "../../../src/engine/webgpu/pace.ts";
import { toShader } from "../../../src/engine/webgpu/shader.ts";
import { initModel } from "../../../src/model/initModel.ts";
import { FakeGpu, fakeDevice, FixedPace } from "./fakeDevice.ts";

/** 0.886 million parameters, as in test/bench. */
const config: ModelConfig = {
  ...{ family: "qwen2", vocabSize: 256, hiddenSize: 128, layers: 4, heads: 4, kvHeads: 4 },
  ...{ headDim: 32, intermediateSize: 384, ropeTheta: 10000, rmsNormEps: 1e-6 },
  ...{ tieWordEmbeddings: true, attentionBias: false, maxPositions: 1024 },
};
const layout = layoutOf(config, "none");
const model = { config, layout, params: "params", positions: 1024 };
const limits = { viewBytes: 2 ** 27, storeBytes: 2 ** 27 };

const backward = backwardPlan(model, { R: 2048, M: 2048, value: false }, "none", undefined, limits);

const count = (plan: Plan, software: boolean) =>
  plan.ops.flatMap((op) => dispatchesOf(op, { software })).length;

test.each([false, true])("a training step is at most 130 dispatches (software %s)", (software) => {
  const plans = [backward, gradNormPlan(layout), updatePlan(layout, ["trunk"])];
  const total = plans.reduce((sum, plan) => sum + count(plan, software), 0);
  expect(total).toBeGreaterThan(80);
  expect(total).toBeLessThanOrEqual(130);
});

test.each([false, true])("a decode step is at most 30 dispatches (software %s)", (software) => {
  const step = stepPlan(model, { B: 64, C: 96 }, 64, { value: false, legal: false }, limits);
  expect(count(step, software)).toBeGreaterThan(20);
  expect(count(step, software)).toBeLessThanOrEqual(30);
});

/** A training batch. */
const [B, L] = [16, 128];
const ids = Int32Array.from({ length: B * L }, (_, i) => (i * 7919) % 256); // [B, L]
const position = Int32Array.from(ids, (_, i) => i % L); // [B, L]
const rows = { B, L, ids, position, segment: new Int32Array(B * L) };
const dLogprob = new Float32Array(B * L).fill(-1 / (B * L)); // [B, L]

/** Workgroups of each product, and threads in one; in the order of the plans. */
const PRODUCTS: Record<string, string> = {
  "NT 2048x384x128": "192 of 128",
  "NT 2048x128x128": "256 of 128",
  "NT 2048x768x128": "384 of 128",
  "NT 2048x128x384": "256 of 128",
  "NT 2048x256x128": "128 of 128",
  "NN 2048x128x256": "256 of 128",
  "TN 256x128x2048": "256 of 128",
  "NN 2048x384x128": "192 of 128",
  "TN 128x384x2048": "264 of 128",
  "TN 768x128x2048": "264 of 128",
  "NN 2048x128x768": "256 of 128",
  "TN 128x128x2048": "128 of 128",
  "NN 2048x128x128": "256 of 128",
  "TN 384x128x2048": "264 of 128",
  "NN 2048x128x384": "256 of 128",
  "NT 64x384x128": "48 of 128",
  "NT 64x128x128": "16 of 128",
  "NT 64x768x128": "96 of 128",
  "NT 64x128x384": "16 of 128",
  "NT 64x256x128": "32 of 128",
};

test("each product of a step and of a decode step has its workgroups", () => {
  const step = stepPlan(model, { B: 64, C: 96 }, 64, { value: false, legal: false }, limits);
  const products = [...backward.ops, ...step.ops]
    .filter(({ op }) => op === "matmul")
    .flatMap((op) => dispatchesOf(op, { software: false }))
    .filter(({ name }) => name.startsWith("matmul"));
  const found = products.map(({ name, groups, workgroup }) => [
    name.replace("matmul ", ""),
    `${groups} of ${workgroup}`,
  ]);
  expect(Object.fromEntries(found)).toEqual(PRODUCTS);
});

test("cut at 2 GFLOP, a backward and its norm are eight submits, two under way, none longer", async () => {
  const gpu = new FakeGpu();
  const executor = new WebGpuExecutor(gpu.opened, { pace: new FixedPace(4e7) });
  const model = await createPlanEngine(executor).createModel(config, initModel(config, 1), "none");
  await model.backward({ rows, temperature: 1, dLogprob });
  await model.gradNorm();
  const { submits, underWay, longest } = executor.counts();
  expect({ submits, underWay, longest }).toEqual({ submits: 8, underWay: 2, longest: 1985532928 });
  model.dispose();
});

describe("steps of the bench model, T 128 B 16, on a device that only counts", () => {
  // As fast as not to be cut.
  const executor = new WebGpuExecutor(fakeDevice(), { pace: new DevicePace(false, 1e12) });
  const engine = createPlanEngine(executor);

  test("five submits of 32 dispatches or fewer, 130 of these and 100 MB at most, and nothing made after the first", async () => {
    const model = await engine.createModel(config, initModel(config, 1), "none");
    const before = executor.counts();
    const step = async () => {
      await model.backward({ rows, temperature: 1, dLogprob });
      model.scaleGrads(1 / (1 + (await model.gradNorm())));
      const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 };
      await model.update({ lr: { trunk: 1e-3 }, ...adam });
      executor.flush();
      return executor.counts();
    };
    const first = await step();
    expect(first.bindGroups - before.bindGroups).toBeGreaterThan(80);
    for (let i = 0, last = first; i < 3; i++) {
      const now = await step();
      const spent = (key: keyof typeof now) => now[key] - last[key];
      expect([spent("buffers"), spent("bindGroups"), spent("pipelines")]).toEqual([0, 0, 0]);
      expect([spent("submits"), spent("writes"), spent("passes")]).toEqual([5, 2, 6]);
      expect(spent("dispatches")).toBeGreaterThan(80);
      expect(spent("dispatches")).toBeLessThanOrEqual(130);
      last = now;
    }
    expect(engine.memory()).toMatchObject({ bytes: 91599104, tensors: 14, poolBytes: 4096 });
    expect(executor.counts().longest).toBe(3663876096);
    model.dispose();
  });

  test("64 rows decode with 27 dispatches a token, and a submit for each 32 of them", async () => {
    const model = await engine.createModel(config, initModel(config, 1), "none");
    const session = model.decode(64, 96);
    const all = Array.from({ length: 64 }, (_, row) => row);
    const generate = (maxNewTokens: number) =>
      session.generate({
        prompts: all.map((row) => [row, row + 1]),
        ...{ maxNewTokens, stopIds: [], temperature: 1 },
        key: { seed: 1, stream: "t", iteration: 0, trajectory: all, step: all.map(() => 0) },
      });
    const spent = async (tokens: number) => {
      session.clear();
      const before = executor.counts();
      await generate(tokens);
      const after = executor.counts();
      const { dispatches, submits, buffers, bindGroups } = after;
      return [
        dispatches - before.dispatches,
        submits - before.submits,
        buffers - before.buffers + bindGroups - before.bindGroups,
      ];
    };
    await generate(33);
    const [short, long] = [await spent(1), await spent(33)];
    expect(long[0]! - short[0]!).toBe(32 * 27);
    expect(long[1]! - short[1]!).toBe(27);
    expect(long[2]).toBe(0);
    model.dispose();
  });
});

test("no kernel needs more storage buffers than every device has", () => {
  const step = stepPlan(model, { B: 64, C: 96 }, 64, { value: false, legal: false }, limits);
  const ops = [...backward.ops, ...step.ops];
  const bindings = ops
    .flatMap((op) => dispatchesOf(op, { software: false }))
    .map((dispatch) => toShader(dispatch).ranges.length);
  expect(Math.max(...bindings)).toBeLessThanOrEqual(8);
});
