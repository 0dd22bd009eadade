/** Adapters over a frozen base, on the compiled engines: numbers, what is trained, and what is not computed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineModel, WeightMap } from "../../src/engine/engine.ts";
import { baseConfig, type ModelConfig } from "../../src/engine/modelConfig.ts";
import { isAdapter } from "../../src/engine/parameters.ts";
import { footprint } from "../../src/engine/plan/footprint.ts";
import { layoutOf } from "../../src/engine/plan/layout.ts";
import { operands } from "../../src/engine/plan/ops.ts";
import { UNLIMITED } from "../../src/engine/plan/planner.ts";
import { backwardPlan } from "../../src/engine/plan/plans.ts";
import { dispatchesOf } from "../../src/engine/webgpu/kernels/index.ts";
import { presetConfig, withFirstAdapters } from "../../src/model/initModel.ts";
import { normals } from "../../src/numeric/rng.ts";
import { loraConfig } from "../../src/spec/lora.ts";
import { floatLogits, floatObjective } from "./floatModel.ts";
import { fullLogprobs, language, sampleRows } from "./learning.ts";
import { farthest, largeWeights, nano, norm, openEngine, tokenRows } from "./support.ts";

/** All layers; and some of those that one product computes, with sizes that no vector fits. */
const CASES: Record<string, ModelConfig> = {
  "qwen3, all layers": { ...nano, lora: loraConfig({ rank: 8 }) },
  "qwen2, some layers": {
    ...presetConfig("nano-qwen2", 50),
    lora: loraConfig({ rank: 3, alpha: 5, targets: ["q_proj", "v_proj", "up_proj", "o_proj"] }),
  },
};
const all = CASES["qwen3, all layers"]!;

/** With a B that is not 0. */
function adapted(config: ModelConfig, seed: number): WeightMap {
  const weights = withFirstAdapters(largeWeights(baseConfig(config), seed), config, seed);
  for (const [name, { data }] of weights) {
    if (!name.endsWith("lora_B.weight")) continue;
    const key = { seed, stream: name, iteration: 2, trajectory: 0, step: 0 };
    normals(key, data.length).forEach((x, i) => (data[i] = 0.1 * x));
  }
  return weights;
}

const IDS = [3, 41, 7, 7, 19, 2, 30, 11, 48, 5, 23, 23, 8, 1];
/** Few trained tokens: the last layer computes their rows only. */
const D = Float32Array.from(IDS, (id, t) => (t < 9 ? 0 : ((id * 7) % 11) / 11 - 0.4));
const rows = tokenRows({ input_ids: [IDS], attention_mask: [IDS.map(() => 1)] });

const logitsOf = async (model: EngineModel) =>
  (await model.forward({ rows, temperature: 1, logits: true })).logits!;

async function train(model: EngineModel, steps: number, from = 0): Promise<void> {
  for (let step = from; step < from + steps; step++) {
    const some = language(step);
    const dLogprob = new Float32Array(some.ids.length).fill(-1 / some.ids.length);
    await model.backward({ rows: some, temperature: 1, dLogprob });
    const rule = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 };
    await model.update({ lr: { trunk: 3e-3 }, ...rule });
  }
}

const bits = (weights: WeightMap, adapters: boolean) =>
  [...weights].filter(([name]) => isAdapter(name) === adapters);

describe.each(["plan wasm", "plan webgpu"] as const)("on %s", (backend) => {
  let engine: Engine;
  beforeAll(async () => void (engine = await openEngine(backend)));
  afterAll(() => engine.dispose());

  describe.each(Object.entries(CASES))("%s", (_, config) => {
    test("logits and gradients are the float64 ones", async () => {
      const weights = adapted(config, 5);
      const model = await engine.createModel(config, weights, "none");
      const expected = floatLogits(config, weights, IDS).flatMap((row) => [...row]);
      const scale = Math.max(...expected.map(Math.abs));
      expect(farthest(await logitsOf(model), expected) / scale).toBeLessThan(1e-5);

      const request = { rows, temperature: 0.9, dLogprob: D, dEntropy: D };
      await model.backward(request);
      const grads = await model.readGrads();
      expect([...grads.keys()]).toEqual([...weights.keys()].filter(isAdapter));
      for (const [name, { data, shape }] of grads) {
        const key = { seed: 3, stream: name, iteration: 3, trajectory: 0, step: 0 };
        const way = normals(key, data.length);
        const along = (step: number) => {
          const moved = Float64Array.from(weights.get(name)!.data, (x, i) => x + step * way[i]!);
          const there = new Map(weights).set(name, {
            shape,
            data: moved as unknown as Float32Array,
          });
          return floatObjective(config, there, IDS, D, 0.9);
        };
        const central = (along(1e-5) - along(-1e-5)) / 2e-5;
        const actual = data.reduce((sum, g, i) => sum + g * way[i]!, 0);
        expect(Math.abs(actual - central), name).toBeLessThan(1e-4 * norm(data));
        expect(norm(data), name).toBeGreaterThan(1e-3);
      }
      model.dispose();
    });

    test("decoding's log-probs are those of the full forward", async () => {
      const model = await engine.createModel(config, adapted(config, 6), "none");
      const prompts = [[1], [4, 2, 7], [9, 9, 3, 30, 11]];
      const { ids, logprobs } = await sampleRows(model, prompts, 0);
      const full = await fullLogprobs(model, prompts, ids);
      expect(farthest(logprobs.flat(), full.flat())).toBeLessThan(1e-4);
      model.dispose();
    });

    test("first adapters leave the base's logits as they are", async () => {
      const base = largeWeights(baseConfig(config), 7);
      const model = await engine.createModel(config, withFirstAdapters(base, config, 7), "none");
      const plain = await engine.createModel(baseConfig(config), base, "none");
      expect(await logitsOf(model)).toEqual(await logitsOf(plain));
      for (const one of [model, plain]) one.dispose();
    });
  });

  test("training moves adapters alone; a copy of its state goes on alike", async () => {
    const weights = withFirstAdapters(largeWeights(nano, 8), all, 8);
    const model = await engine.createModel(all, weights, "none");
    const loss = async () => {
      const { logprob } = await model.forward({ rows: language(0), temperature: 1 });
      return -logprob.reduce((a, b) => a + b, 0);
    };
    const first = await loss();
    await train(model, 3);
    const copy = await engine.createModel(all, await model.readWeights(), "none");
    await copy.writeOptimizer(await model.readOptimizer());
    for (const one of [model, copy]) await train(one, 3, 3);
    const after = await model.readWeights();
    expect(bits(after, false)).toEqual(bits(weights, false));
    for (const [name, { data }] of bits(after, true))
      expect(data, name).not.toEqual(weights.get(name)!.data);
    expect(await copy.readWeights()).toEqual(after);
    expect(await loss()).toBeLessThan(0.95 * first);
    const { m, v } = await model.readOptimizer();
    for (const moments of [m, v]) expect([...moments.keys()].every(isAdapter)).toBe(true);
    for (const one of [model, copy]) one.dispose();
  });

  test("a value head learns beside adapters, through them if shared", async () => {
    const dValue = Float32Array.from(D, (d) => 10 * d);
    const weights = adapted(all, 9);
    for (const head of ["detached", "shared"] as const) {
      const model = await engine.createModel(all, weights, head);
      const writable = await model.readWeights();
      writable.get("value_head.weight")!.data.fill(0.1);
      await model.writeWeights(writable);
      await model.backward({ rows, temperature: 1, dValue });
      expect(await model.gradNorm(["valueHead"])).toBeGreaterThan(0.1);
      const trunk = await model.gradNorm(["trunk"]);
      if (head === "shared") expect(trunk).toBeGreaterThan(1e-3);
      else expect(trunk).toBe(0);
      model.dispose();
    }
  });

  test("the base without adapters is the reference of a KL, in the same memory", async () => {
    const weights = adapted(all, 10);
    const model = await engine.createModel(all, weights, "none");
    const plain = await engine.createModel(nano, largeWeights(nano, 10), "none");
    const { bytes } = engine.memory();
    const base = model.withoutAdapters!();
    expect(engine.memory().bytes - bytes).toBeLessThan(70_000); // tables of positions
    expect(await logitsOf(base)).toEqual(await logitsOf(plain));
    const kl = async (reference: EngineModel) => {
      const out = await model.forward({ rows, temperature: 1, kl: reference });
      await model.backward({ rows, temperature: 1, dKl: D, kl: reference });
      const grads = await model.readGrads();
      model.zeroGrads();
      return { kl: out.kl, grads };
    };
    const own = await kl(base);
    expect(Math.max(...own.kl!)).toBeGreaterThan(0.01);
    expect(own).toEqual(await kl(plain));
    await train(model, 1);
    expect(await logitsOf(base)).toEqual(await logitsOf(plain));
    const refused = /another model's/;
    await expect(base.writeWeights(weights)).rejects.toThrow(refused);
    await expect(train(base, 1)).rejects.toThrow(refused);
    expect(() => base.withoutAdapters!()).toThrow("no adapters");
    base.dispose();
    expect(await logitsOf(model)).toHaveLength(IDS.length * 50);
    for (const one of [model, plain]) one.dispose();
  });
});

test("threads share the work without changing a bit", async () => {
  const { createWasmEngine } = await import("../../src/engine/wasm/createWasmEngine.ts");
  const { nodeKernels, nodeSpawn } = await import("../../src/engine/wasm/node.ts");
  const numbers = async (workers: number) => {
    const engine = await createWasmEngine(nodeKernels(), { workers, spawn: nodeSpawn });
    const model = await engine.createModel(all, adapted(all, 11), "none");
    const base = model.withoutAdapters!();
    await train(model, 2);
    const some = language(3);
    const { kl } = await model.forward({ rows: some, temperature: 1, kl: base });
    const { logprob } = await base.forward({ rows: some, temperature: 1 });
    const weights = await model.readWeights();
    engine.dispose();
    return { kl, logprob, weights };
  };
  expect(await numbers(3)).toEqual(await numbers(1));
});

test("the tfjs engine refuses adapters by name", async () => {
  const engine = await openEngine("cpu");
  await expect(engine.createModel(all, adapted(all, 1), "none")).rejects.toThrow(
    "the tfjs engine has no adapters",
  );
  engine.dispose();
});

describe("what a frozen base does not cost", () => {
  const plan = (config: ModelConfig) => {
    const layout = layoutOf(config, "none");
    const model = { config, layout, params: "params", positions: 256 };
    const shape = { R: 64, M: 32, N: 48, value: false };
    return { layout, plan: backwardPlan(model, shape, "none", undefined, UNLIMITED) };
  };
  const written = ({ plan: { ops } }: ReturnType<typeof plan>) =>
    ops.flatMap(operands).filter(({ view, writes }) => writes && view.store === "grads");

  test("its gradients: each product with a factor's shape is all that is added", () => {
    const [frozen, full] = [plan(all), plan(nano)];
    const { layout } = frozen;
    const trained = [...layout.parts].filter(([name]) => name.startsWith("lora"));
    const at = written(frozen).map(({ view: { offset, size } }) => `${offset} ${size}`);
    const expected = trained.map(([, { offset, size }]) => `${offset - layout.frozen} ${size}`);
    expect(at.sort()).toEqual(expected.sort());
    expect(frozen.plan.stores["grads"]).toBeLessThanOrEqual(layout.size - layout.frozen);
    // Of the full one: the products' and the head's, the embedding's, and the norms'.
    expect(written(full)).toHaveLength(4 * nano.layers + 1 + 1 + 2);
    const kernels = (one: ReturnType<typeof plan>) =>
      one.plan.ops.flatMap((op) => dispatchesOf(op, { software: true })).length;
    const count = (op: string) => frozen.plan.ops.filter((one) => one.op === op).length;
    expect(count("embedGrad")).toBe(0);
    // Forward: A, s, B, and B spread out for the two products of several layers; backward: B's
    // gradient, s, A's, the input's, and three more for those two.
    const added = 14 + 26;
    // The weights', the head's, the embedding's and the norms' gradients, and what is below the
    // first layer: the products' and the adapters' input, and the norm's.
    const left = 4 * nano.layers + 1 + 1 + 2 + 3;
    expect(kernels(frozen)).toBe(kernels(full) + added * nano.layers - left);
  });

  test("memory for gradients and moments", () => {
    const bytes = (config: ModelConfig) =>
      footprint(config, "none", { R: 64, M: 64, value: false }, null);
    const [frozen, full] = [bytes(all), bytes(nano)];
    const rank = 8 * nano.layers * 4;
    const sizes = 128 + 96 + 96 + 128 + 256 + 256 + 256;
    for (const what of ["gradients", "first moments", "second moments"])
      expect(frozen[what]).toBe(rank * sizes);
    expect(full["gradients"]).toBeGreaterThan(3 * frozen["gradients"]!);
  });
});
