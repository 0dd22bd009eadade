/** Frozen matrices as BF16 in half the memory: the numbers of the same weights in float32, on the compiled engines. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineModel, WeightMap, WeightPiece } from "../../src/engine/engine.ts";
import { baseConfig, type ModelConfig } from "../../src/engine/modelConfig.ts";
import { isAdapter } from "../../src/engine/parameters.ts";
import { footprint } from "../../src/engine/plan/footprint.ts";
import { presetConfig, withFirstAdapters } from "../../src/model/initModel.ts";
import { fromBfloats, toBfloats } from "../../src/numeric/bfloat.ts";
import { loraConfig } from "../../src/spec/lora.ts";
import { fullLogprobs, sampleRows } from "./learning.ts";
import { farthest, largeWeights, nano, openEngine, tokenRows } from "./support.ts";

/** A vocabulary that no vector fits, with biases; and a head of its own beside an embedding. */
const CASES: Record<string, ModelConfig> = {
  "qwen2, a vocabulary of 50": presetConfig("nano-qwen2", 50),
  "qwen3, a head of its own": { ...nano, tieWordEmbeddings: false },
};

const IDS = [3, 41, 7, 7, 19, 2, 30, 11, 48, 5, 23, 23, 8, 1];
const D = Float32Array.from(IDS, (id, t) => (t < 9 ? 0 : ((id * 7) % 11) / 11 - 0.4));
const rows = tokenRows({ input_ids: [IDS], attention_mask: [IDS.map(() => 1)] });

/** The base's numbers as BF16 holds them, adapters that do something. */
function halved(config: ModelConfig): WeightMap {
  const weights = withFirstAdapters(largeWeights(baseConfig(config), 5), config, 5);
  for (const [name, { data }] of weights) {
    const half = new Uint16Array(data.length);
    toBfloats(data, half);
    if (!isAdapter(name)) fromBfloats(half, data);
    else if (name.endsWith("lora_B.weight")) data.forEach((_, i) => (data[i] = 0.01 * (i % 7)));
  }
  return weights;
}

const numbersOf = async (model: EngineModel) => {
  const { logits } = await model.forward({ rows, temperature: 1, logits: true });
  await model.backward({ rows, temperature: 0.9, dLogprob: D, dEntropy: D });
  const grads = await model.readGrads();
  const rule = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 };
  await model.update({ lr: { trunk: 3e-3 }, ...rule });
  const weights = await model.readWeights();
  return { logits: { data: logits! }, ...Object.fromEntries([...grads, ...weights]) };
};

/** Of each array, as a share of its largest number. */
function distances(ours: Record<string, { data: Float32Array }>, expected: typeof ours) {
  expect(Object.keys(ours)).toEqual(Object.keys(expected));
  return Object.entries(expected).map(([name, { data }]) => {
    const scale = data.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-6);
    return farthest(ours[name]!.data, data) / scale;
  });
}

describe.each(["plan wasm", "plan webgpu"] as const)("on %s", (backend) => {
  let engine: Engine;
  beforeAll(async () => void (engine = await openEngine(backend)));
  afterAll(() => engine.dispose());

  describe.each(["bf16", "int8"] as const)("%s", (packing) => {
    test.each(Object.entries(CASES))("%s: logits, gradients, a step, decoding", async (_, base) => {
      const config = { ...base, lora: loraConfig({ rank: 4 }) };
      const given = halved(config);
      const before = engine.memory().bytes;
      const packed = await engine.createModel({ ...config, packed: packing }, given, "none");
      const taken = engine.memory().bytes - before;
      // The numbers that it holds, in float32.
      const weights = await packed.readWeights();
      if (packing === "bf16") expect(weights).toEqual(given);
      const plain = await engine.createModel(config, weights, "none");
      const [ours, expected] = [await numbersOf(packed), await numbersOf(plain)];
      expect(taken).toBeLessThan(0.75 * (engine.memory().bytes - before - taken));
      const far = Math.max(...distances(ours, expected));
      // The same sums in the same order; a device's compiler may fuse them otherwise.
      if (backend === "plan wasm") expect(far).toBe(0);
      else expect(far).toBeLessThan(1e-5);
      const prompts = [[1], [4, 2, 7], [9, 9, 3, 30, 11]];
      const { ids, logprobs } = await sampleRows(packed, prompts, 0);
      const full = await fullLogprobs(plain, prompts, ids);
      expect(farthest(logprobs.flat(), full.flat())).toBeLessThan(1e-4);
      const [a, b] = [packed, plain].map((one) => one.withoutAdapters!());
      const of = async (model: EngineModel) =>
        (await model.forward({ rows, temperature: 1 })).logprob;
      expect(farthest(await of(a!), await of(b!))).toBeLessThan(1e-5);
      for (const one of [packed, plain]) one.dispose();
    });

    test("pieces of any length give the same model, which is only read without adapters", async () => {
      const config: ModelConfig = { ...nano, packed: packing };
      const weights = halved(nano);
      async function* pieces(): AsyncGenerator<WeightPiece> {
        for (const [name, { data }] of weights)
          for (let at = 0; at < data.length; at += 1001)
            yield { name, at, data: data.slice(at, at + 1001) };
      }
      const model = await engine.streamModel!(config, pieces(), "none");
      const whole = await engine.createModel(config, weights, "none");
      expect(await model.readWeights()).toEqual(await whole.readWeights());
      const request = { rows, temperature: 1, dLogprob: D };
      await expect(model.backward(request)).rejects.toThrow("the weights are packed");
      async function* gap(): AsyncGenerator<WeightPiece> {
        yield { name: "model.embed_tokens.weight", at: 1001, data: new Float32Array(3) };
      }
      await expect(engine.streamModel!(config, gap(), "none")).rejects.toThrow("does not follow");
      for (const one of [model, whole]) one.dispose();
    });
  });
});

test("int8 is off by half a step of its row at most", async () => {
  const engine = await openEngine("plan wasm");
  const given = halved(nano);
  const model = await engine.createModel({ ...nano, packed: "int8" }, given, "none");
  for (const [name, { data, shape }] of await model.readWeights()) {
    const [before, width] = [given.get(name)!.data, shape.at(-1)!];
    for (let r = 0; shape.length > 1 && r < shape[0]!; r++) {
      const row = before.subarray(r * width, (r + 1) * width);
      const step = row.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / 127;
      const off = farthest(data.subarray(r * width, (r + 1) * width), row);
      expect(off, name).toBeLessThanOrEqual(0.5001 * step);
    }
  }
  engine.dispose();
});

test("the plan of memory has half of the frozen matrices' bytes, or a quarter", () => {
  const config = { ...presetConfig("nano", 4096), lora: loraConfig({ rank: 4 }) };
  const bytes = (one: ModelConfig) => footprint(one, "none", null, null)["parameters"]!;
  const [packed, plain] = [bytes({ ...config, packed: "bf16" }), bytes(config)];
  expect(packed).toBeLessThan(0.56 * plain);
  expect(bytes({ ...config, packed: "int8" })).toBeLessThan(0.35 * plain);
  expect(bytes({ ...baseConfig(config), packed: "bf16" })).toBeLessThan(packed);
});

test("tfjs refuses packed weights by name", async () => {
  const engine = await openEngine("cpu");
  const made = engine.createModel({ ...nano, packed: "bf16" }, halved(nano), "none");
  await expect(made).rejects.toThrow("no packed weights");
  engine.dispose();
});
