/** Qwen3 with attention_bias and a head of its own, on every executor: o_proj's bias in forward, backward, update and decoding. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineModel, WeightMap } from "../../src/engine/engine.ts";
import { fullLogprobs, sampleRows } from "./learning.ts";
import {
  expectTensors,
  farthest,
  goldenJson,
  largeWeights,
  loadGolden,
  nano,
  openEngine,
  tokenRows,
  type GoldenTensor,
} from "./support.ts";

const NAME = "qwen3_bias_untied";
const BIAS = "model.layers.0.self_attn.o_proj.bias";

/** In float64, gradients by central differences: test/golden/README.md. */
interface Expected {
  input_ids: number[];
  logits: number[][];
  loss: number;
  grads: Record<string, GoldenTensor>;
}

/** More tokens than a partial sum has, of which few are trained: rows of the last layer are left out. */
async function trained(model: EngineModel): Promise<{ grads: WeightMap; weights: WeightMap }> {
  const [B, L] = [3, 50];
  const ids = Array.from({ length: B }, (_, b) =>
    Array.from({ length: L }, (_, t) => (b * 17 + t * t) % 50),
  );
  const mask = ids.map((row, b) => row.map((_, t) => (t < L - 4 * b ? 1 : 0)));
  const rows = tokenRows({ input_ids: ids, attention_mask: mask });
  const d = Float32Array.from(rows.ids, (id, i) =>
    rows.segment[i]! < 0 || i % L < 40 ? 0 : ((id * 7) % 11) / 110 - 0.05,
  ); // [B*L]
  await model.backward({ rows, temperature: 0.9, dLogprob: d, dEntropy: d });
  const grads = await model.readGrads();
  const rule = { beta1: 0.9, beta2: 0.99, eps: 1e-6, weightDecay: 0.1 };
  await model.update({ ...rule, lr: { trunk: 0.01 } });
  return { grads, weights: await model.readWeights() };
}

const biased = { ...nano, attentionBias: true, tieWordEmbeddings: false };

let referee: Awaited<ReturnType<typeof trained>>;
beforeAll(async () => {
  const engine = await openEngine("cpu");
  referee = await trained(await engine.createModel(biased, largeWeights(biased, 4), "none"));
});

describe.each(["cpu", "wasm", "plan wasm", "plan webgpu"] as const)("on %s", (backend) => {
  let engine: Engine;
  beforeAll(async () => void (engine = await openEngine(backend)));
  afterAll(() => engine.dispose());

  test("logits, loss and gradients are the float64 ones", async () => {
    const expected = await goldenJson<Expected>(NAME, "expected.json");
    const { config, weights } = await loadGolden(NAME);
    const model = await engine.createModel(config, weights, "none");
    const ids = expected.input_ids;
    const rows = tokenRows({ input_ids: [ids], attention_mask: [ids.map(() => 1)] });
    const out = await model.forward({ rows, temperature: 1, logits: true });
    expect(farthest(out.logits!, expected.logits.flat())).toBeLessThan(1e-5);
    const dLogprob = Float32Array.from(ids, (_, t) => (t > 0 ? -1 / (ids.length - 1) : 0));
    const loss = dLogprob.reduce((sum, d, t) => sum + d * out.logprob[t]!, 0);
    expect(loss).toBeCloseTo(expected.loss, 5);
    await model.backward({ rows, temperature: 1, dLogprob });
    expectTensors(await model.readGrads(), expected.grads, 1e-5);
    model.dispose();
  });

  test("a step of training is the referee's", async () => {
    const weights = largeWeights(biased, 4);
    const before = weights.get(BIAS)!.data.slice();
    const model = await engine.createModel(biased, weights, "none");
    const ours = await trained(model);
    for (const [name, { data }] of referee.grads)
      expect(farthest(ours.grads.get(name)!.data, data), name).toBeLessThan(1e-4);
    expect(referee.grads.get(BIAS)!.data.some((x) => Math.abs(x) > 1e-2)).toBe(true);
    expect(farthest(ours.weights.get(BIAS)!.data, referee.weights.get(BIAS)!.data)).toBeLessThan(
      1e-4,
    );
    expect(farthest(ours.weights.get(BIAS)!.data, before)).toBeGreaterThan(5e-3);
    model.dispose();
  });

  test("decoding's log-probs are those of the full forward", async () => {
    const model = await engine.createModel(biased, largeWeights(biased, 5), "none");
    const prompts = [[1], [4, 2, 7], [9, 9, 3, 30, 11]];
    const { ids, logprobs } = await sampleRows(model, prompts, 0);
    const full = await fullLogprobs(model, prompts, ids);
    expect(farthest(logprobs.flat(), full.flat())).toBeLessThan(1e-4);
    model.dispose();
  });
});
