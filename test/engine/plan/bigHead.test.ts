/** A vocabulary that is cut into chunks, and wide heads: the compiled engines against the tfjs referee. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine, TokenRows, WeightMap } from "../../../src/engine/engine.ts";
import type { ModelConfig } from "../../../src/engine/modelConfig.ts";
import { headChunks } from "../../../src/engine/plan/forward.ts";
import { initModel } from "../../../src/model/initModel.ts";
import { normals } from "../../../src/numeric/rng.ts";
import { farthest, norm, openEngine } from "../support.ts";
import { EVERY } from "../../every.ts";

const V = 5000;
const [B, L] = [2, 151]; // 300 targets

const config = (tieWordEmbeddings: boolean, headDim: number): ModelConfig => ({
  ...{ family: tieWordEmbeddings ? "qwen3" : "qwen2", vocabSize: V, hiddenSize: 24, layers: 1 },
  ...{ heads: 2, kvHeads: 1, headDim, intermediateSize: 40, ropeTheta: 10000, rmsNormEps: 1e-6 },
  ...{ tieWordEmbeddings, attentionBias: false, maxPositions: 256 },
});

/** First weights, with noise that makes some tokens likely. */
function weightsOf(shape: ModelConfig, seed: number): WeightMap {
  const weights = initModel(shape, seed, "none");
  for (const [name, { data }] of weights) {
    const noise = normals(
      { seed, stream: name, iteration: 0, trajectory: 0, step: 0 },
      data.length,
    );
    data.forEach((x, i) => (data[i] = x + 0.2 * noise[i]!));
  }
  return weights;
}

const rows: TokenRows = {
  ...{ B, L, ids: Int32Array.from({ length: B * L }, (_, i) => (i * i * 31 + 4999 * i) % V) },
  position: Int32Array.from({ length: B * L }, (_, i) => i % L),
  segment: new Int32Array(B * L),
};
const slope = (k: number) => Float32Array.from(rows.ids, (id, i) => ((id * k + i) % 13) / 13 - 0.5); // [B, L]

/** Log-prob, entropy and KL of every token, and all gradients. */
async function numbers(engine: Engine, shape: ModelConfig) {
  const model = await engine.createModel(shape, weightsOf(shape, 1), "none");
  const kl = await engine.createModel(shape, weightsOf(shape, 2), "none");
  const asked = { rows, temperature: 0.7, kl };
  const out = await model.forward({ ...asked, entropy: true });
  await model.backward({ ...asked, dLogprob: slope(3), dEntropy: slope(5), dKl: slope(7) });
  const grads = await model.readGrads();
  model.dispose();
  kl.dispose();
  return { out, grads };
}

const shapes = [
  ["tied, heads of 64", config(true, 64)],
  ["untied, heads of 128", config(false, 128)],
  ["untied, small heads", config(false, 8)],
] as const;
const expected = new Map<string, Awaited<ReturnType<typeof numbers>>>();
beforeAll(async () => {
  const referee = await openEngine("wasm");
  for (const [name, shape] of shapes) expected.set(name, await numbers(referee, shape));
});

test("the vocabulary takes more than one chunk", () => {
  expect(headChunks(V, 300).length).toBeGreaterThan(1);
});

// A software adapter compiles the attention of wide heads for tens of seconds: the widest alone is tried there, the smallest in `npm test`.
describe.each([
  ["plan wasm", shapes],
  ["plan webgpu", EVERY ? shapes.slice(1) : shapes.slice(2)],
] as const)("%s", (backend, tried) => {
  let engine: Engine;
  beforeAll(async () => void (engine = await openEngine(backend)));
  afterAll(() => engine.dispose());

  test.each(tried)("%s", async (name, shape) => {
    const [ours, theirs] = [await numbers(engine, shape), expected.get(name)!];
    for (const key of ["logprob", "entropy", "kl"] as const) {
      expect(norm(theirs.out[key]!), key).toBeGreaterThan(1);
      expect(farthest(ours.out[key]!, theirs.out[key]!), key).toBeLessThan(1e-4);
    }
    for (const [param, { data }] of theirs.grads) {
      const size = data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      expect(size, param).toBeGreaterThan(1e-4);
      expect(farthest(ours.grads.get(param)!.data, data) / size, param).toBeLessThan(1e-4);
    }
  });
});
