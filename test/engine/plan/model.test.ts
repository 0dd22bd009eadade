/** Plans on the float64 reference executor against the tfjs referee: the operations lists themselves are right. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineModel, TokenRows, ValueHead } from "../../../src/engine/engine.ts";
import { PlanModel } from "../../../src/engine/plan/planModel.ts";
import { farthest, goldenModels, loadGolden, openEngine } from "../support.ts";
import { ReferenceExecutor } from "../../../src/engine/check/reference.ts";

const executor = new ReferenceExecutor();
let tfjs: Engine;
beforeAll(async () => void (tfjs = await openEngine("cpu")));

/** Rows with two segments, interleaved padding and a one-token segment. */
function mixedRows(V: number): TokenRows {
  const [B, L] = [3, 14];
  const ids = Int32Array.from({ length: B * L }, (_, i) => (i * i * 7 + 3 * i) % V);
  const segment = Int32Array.from({ length: B * L }, (_, i) => {
    const [b, t] = [Math.floor(i / L), i % L];
    if (t < b || t === 9) return -1;
    return t < 6 ? 0 : t === 6 ? 1 : 2;
  });
  const seen = new Map<string, number>();
  const position = Int32Array.from(segment, (s, i) => {
    const key = `${Math.floor(i / L)} ${s}`;
    const at = seen.get(key) ?? 0;
    seen.set(key, at + 1);
    return s < 0 ? 0 : at;
  });
  return { B, L, ids, position, segment };
}

async function pair(name: string, head: ValueHead): Promise<[EngineModel, EngineModel]> {
  const { config, weights } = await loadGolden(name);
  if (head !== "none") {
    const data = Float32Array.from({ length: config.hiddenSize }, (_, i) => ((i % 7) - 3) / 20);
    weights.set("value_head.weight", { shape: [1, config.hiddenSize], data });
    weights.set("value_head.bias", { shape: [1], data: Float32Array.of(0.1) });
  }
  const plan = new PlanModel(executor, config, head, weights);
  return [plan, await tfjs.createModel(config, weights, head)];
}

describe.each([...goldenModels, "qwen3_bias_untied"])("%s", (name) => {
  test.each(["detached", "shared"] as const)("forward, gradients, update (%s)", async (head) => {
    const models = await pair(name, head);
    const references = await pair(name, "none");
    for (const reference of references) {
      const weights = await reference.readWeights();
      weights.get("model.norm.weight")!.data.forEach((x, i, all) => (all[i] = x + (i % 3) / 10));
      await reference.writeWeights(weights);
    }
    const rows = mixedRows(models[0].config.vocabSize);
    const d = (k: number) => Float32Array.from(rows.ids, (id, i) => ((id * k + i) % 9) / 40 - 0.1);
    const [ours, theirs] = await Promise.all(
      models.map(async (model, which) => {
        const kl = references[which]!;
        const asked = { rows, temperature: 0.8, kl };
        const out = await model.forward({ ...asked, entropy: true, value: true, logits: true });
        const dLogs = { dLogprob: d(3), dEntropy: d(5), dKl: d(7) };
        await model.backward({ ...asked, ...dLogs, dValue: d(11) });
        await model.backward({ ...asked, dLogprob: d(2) });
        await model.backward({ rows, temperature: 1, dValue: d(2) });
        model.scaleGrads(0.5, ["valueHead"]);
        const norms = [await model.gradNorm(), await model.gradNorm(["valueHead"])];
        const grads = await model.readGrads();
        const lr = { trunk: 0.01, valueHead: 0.02 };
        const update = { lr, beta1: 0.9, beta2: 0.99, eps: 1e-6, weightDecay: 0.1 };
        await model.update(update);
        expect(await model.gradNorm()).toBe(0);
        await model.backward({ ...asked, dLogprob: d(2) });
        await model.update({ ...update, lr: { trunk: 0.01 } });
        return { out, norms, grads, weights: await model.readWeights() };
      }),
    );
    expect(Math.max(...ours!.out.kl!)).toBeGreaterThan(1e-3);
    for (const key of ["logprob", "entropy", "kl", "value", "logits"] as const)
      expect(farthest(ours!.out[key]!, theirs!.out[key]!), key).toBeLessThan(1e-4);
    expect(farthest(ours!.norms, theirs!.norms)).toBeLessThan(1e-4);
    for (const [param, { data }] of theirs!.grads) {
      expect(farthest(ours!.grads.get(param)!.data, data), param).toBeLessThan(1e-4);
    }
    for (const [param, { data }] of theirs!.weights)
      expect(farthest(ours!.weights.get(param)!.data, data), param).toBeLessThan(1e-3);
  });

  test("decoding in turns, with sampling", async () => {
    const models = await pair(name, "detached");
    const [ours, theirs] = await Promise.all(
      models.map(async (model) => {
        const session = model.decode(3, 60);
        const key = { seed: 5, stream: "t", iteration: 2, trajectory: [4, 5, 6], step: [0, 7, 1] };
        const ask = { temperature: 1.2, topK: 40, topP: 0.9, stopIds: [3, 11], key, value: true };
        const prompts = [[1, 2, 3], [], [5]];
        const first = await session.generate({ ...ask, prompts, maxNewTokens: 7 });
        const second = await session.generate({
          ...ask,
          prompts: [[4], [8, 9], []],
          maxNewTokens: 30,
        });
        const lengths = [...session.lengths];
        session.clear();
        const third = await session.generate({ ...ask, prompts, maxNewTokens: 2, temperature: 0 });
        session.dispose();
        return { all: [first, second, third], lengths };
      }),
    );
    expect(ours!.lengths).toEqual(theirs!.lengths);
    ours!.all.forEach((result, i) => {
      expect(result.ids).toEqual(theirs!.all[i]!.ids);
      expect(farthest(result.logprobs.flat(), theirs!.all[i]!.logprobs.flat())).toBeLessThan(1e-4);
      const finite = (x: Float32Array) => [...x].map((v) => (Number.isNaN(v) ? -9 : v));
      expect(farthest(finite(result.value!), finite(theirs!.all[i]!.value!))).toBeLessThan(1e-4);
    });
  });
});
