/** What plans of the bench model cost on WebGPU, without a device: dispatches and bytes. */
import { expect, test } from "vitest";
import { stepPlan } from "../../../src/engine/plan/decode.ts";
import { layoutOf } from "../../../src/engine/plan/layout.ts";
import { planBytes, type Plan } from "../../../src/engine/plan/planner.ts";
import { backwardPlan, gradNormPlan, updatePlan } from "../../../src/engine/plan/plans.ts";
import { dispatchesOf } from "../../../src/engine/webgpu/kernels/index.ts";
import type { ModelConfig } from "../../../src/engine/modelConfig.ts";
import { toShader } from "../../../src/engine/webgpu/shader.ts";

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

test("training takes at most 100 MB: weights, gradients, moments and the working memory", () => {
  const bytes = planBytes(backward) + 4 * 4 * layout.size;
  expect(bytes).toBeGreaterThan(40e6);
  expect(bytes).toBeLessThanOrEqual(100e6);
});

test("no kernel needs more storage buffers than every device has", () => {
  const step = stepPlan(model, { B: 64, C: 96 }, 64, { value: false, legal: false }, limits);
  const ops = [...backward.ops, ...step.ops];
  const bindings = ops
    .flatMap((op) => dispatchesOf(op, { software: false }))
    .map((dispatch) => toShader(dispatch).ranges.length);
  expect(Math.max(...bindings)).toBeLessThanOrEqual(8);
});
