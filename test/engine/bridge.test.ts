/** tfjs computes with the compiled engine's parameters where they lie, before and after an update. */
import * as tf from "@tensorflow/tfjs-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Engine, EngineModel } from "../../src/engine/engine.ts";
import { flatParameters, weightTensor } from "../../src/engine/tfjs/bridge.ts";
import { sharedDevice } from "../../src/engine/webgpu/device.ts";
import { farthest, nano, nanoWeights, openEngine } from "./support.ts";

/** Without gradients, only the decay moves the weights. */
const decay = { lr: { trunk: 0.1 }, beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.5 };
const NAME = "model.layers.1.mlp.down_proj.weight";

let ours: Engine;
let model: EngineModel;
beforeAll(async () => {
  const theirs = await openEngine("webgpu"); // makes tfjs's backend the active one
  ours = await openEngine("plan webgpu");
  model = await ours.createModel(nano, nanoWeights(3, "shared"), "shared");
  theirs.dispose();
});
afterAll(() => {
  model.dispose();
  ours.dispose();
});

test("both run on one device", async () => {
  const backend = tf.findBackend("webgpu") as unknown as { device: GPUDevice };
  expect(backend.device).toBe((await sharedDevice()).device);
});

test("weights are seen without a copy, and with their new values after an update", async () => {
  const bytes = tf.memory().numBytes;
  for (let round = 0; round < 2; round++) {
    const flat = flatParameters(model);
    const weight = weightTensor(model, flat, NAME);
    const expected = (await model.readWeights()).get(NAME)!;
    expect(weight.shape).toEqual(expected.shape);
    expect(await weight.data()).toEqual(expected.data);
    const norm = Math.hypot(...expected.data);
    expect(farthest([(await tf.norm(weight).data())[0]!], [norm])).toBeLessThan(1e-4 * norm);
    tf.dispose([flat, weight]);
    await model.update(decay);
  }
  expect(tf.memory().numBytes).toBeLessThan(bytes + 4096);
});

test("a weight is that of the moment it is asked for, also when it is read after an update", async () => {
  const flat = flatParameters(model);
  const before = (await model.readWeights()).get(NAME)!;
  const weight = weightTensor(model, flat, NAME);
  await model.update(decay);
  const after = (await model.readWeights()).get(NAME)!;
  expect(await weight.data()).toEqual(before.data);
  expect(after.data).not.toEqual(before.data);
  tf.dispose([flat, weight]);
});

test("models of other engines and unknown names are refused", async () => {
  const wasm = await openEngine("plan wasm");
  const other = await wasm.createModel(nano, nanoWeights(3), "none");
  expect(() => flatParameters(other)).toThrow(/compiled WebGPU engine/);
  const flat = flatParameters(model);
  expect(() => weightTensor(model, flat, "lm_head")).toThrow(/lm_head is not in the model/);
  flat.dispose();
  other.dispose();
  wasm.dispose();
});
