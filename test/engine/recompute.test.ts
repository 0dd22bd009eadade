/** Layers that run again in a backward: the same gradients to the last bit, in a fraction of the memory. */
import { expect, test } from "vitest";
import { baseConfig, type ModelConfig } from "../../src/engine/modelConfig.ts";
import { layoutOf } from "../../src/engine/plan/layout.ts";
import { createPlanEngine } from "../../src/engine/plan/planEngine.ts";
import { UNLIMITED } from "../../src/engine/plan/planner.ts";
import { backwardPlan } from "../../src/engine/plan/plans.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";
import { WasmExecutor } from "../../src/engine/wasm/executor.ts";
import { withFirstAdapters } from "../../src/model/initModel.ts";
import { loraConfig } from "../../src/spec/lora.ts";
import { largeWeights, nano, tokenRows } from "./support.ts";

const deep: ModelConfig = { ...nano, layers: 5 };
const CASES: Record<string, ModelConfig> = {
  "all weights": deep,
  adapters: { ...deep, lora: loraConfig({ rank: 4 }) },
};

const IDS = [3, 41, 7, 7, 19, 2, 30, 11, 48, 5, 23, 23, 8, 1];
const D = Float32Array.from(IDS, (id, t) => (t < 9 ? 0 : ((id * 7) % 11) / 11 - 0.4));
const rows = tokenRows({ input_ids: [IDS], attention_mask: [IDS.map(() => 1)] });

async function gradientsOf(config: ModelConfig, passBytes: number) {
  const executor = await WasmExecutor.create(nodeKernels());
  Object.assign(executor.tuning, { passBytes });
  const engine = createPlanEngine(executor);
  const base = largeWeights(baseConfig(config), 5);
  const weights = config.lora ? withFirstAdapters(base, config, 5) : base;
  const model = await engine.createModel(config, weights, "shared");
  await model.backward({ rows, temperature: 0.9, dLogprob: D, dEntropy: D, dValue: D });
  const grads = await model.readGrads();
  engine.dispose();
  return grads;
}

const planOf = (config: ModelConfig, R: number, recomputes: boolean) => {
  const layout = layoutOf(config, "none");
  const shape = { config, layout, params: "params", positions: 512 };
  return backwardPlan(shape, { R, M: R, value: false, recomputes }, "none", undefined, UNLIMITED);
};

test.each(Object.entries(CASES))("%s: gradients are the same", async (_, config) => {
  // A pass of 16 tokens at least, however few bytes it may take.
  expect(await gradientsOf(config, 1)).toEqual(await gradientsOf(config, Infinity));
});

test.each(Object.entries(CASES))("%s: memory grows by a layer's input", (_, config) => {
  const arena = (layers: number, recomputes: boolean) =>
    planOf({ ...config, layers }, 256, recomputes).arenaSize;
  const input = 256 * config.hiddenSize;
  expect((arena(20, true) - arena(10, true)) / 10).toBeLessThan(1.5 * input);
  expect((arena(20, false) - arena(10, false)) / 10).toBeGreaterThan(8 * input);
});

test("only what the backward reads runs again: not a layer's last product", () => {
  const count = (recomputes: boolean) =>
    planOf(deep, 64, recomputes).ops.filter(({ op }) => op === "matmul").length;
  // qkv, o and gateUp of all layers but the last.
  expect(count(true) - count(false)).toBe(3 * (deep.layers - 1));
});
