/** Keys and values of decoding in float16: half the memory, and the log-probs of float32 within its rounding. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineModel } from "../../src/engine/engine.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { cacheFootprint } from "../../src/engine/plan/footprint.ts";
import { presetConfig } from "../../src/model/initModel.ts";
import { fullLogprobs, sampleRows } from "./learning.ts";
import { farthest, largeWeights, nano, openEngine } from "./support.ts";

/** Without norms of heads, and with them; heads that one lane takes, and that several share. */
const CASES: Record<string, ModelConfig> = {
  "qwen2, heads of 16": presetConfig("nano-qwen2", 50),
  "qwen3, heads of 64": { ...nano, heads: 2, kvHeads: 1, headDim: 64 },
};

const PROMPTS = [[1], [4, 2, 7], [9, 9, 3, 30, 11]];

test("a cache takes half the bytes", () => {
  const shape = { B: 3, C: 64 };
  for (const config of Object.values(CASES)) {
    const [half, whole] = [{ ...config, halfCache: true as const }, config].map(
      (one) => cacheFootprint(one, shape)["cache"]!,
    );
    expect(2 * half!).toBe(whole);
  }
});

describe("on WebGPU", () => {
  let engine: Engine;
  beforeAll(async () => void (engine = await openEngine("plan webgpu")));
  afterAll(() => engine.dispose());

  test.each(Object.entries(CASES))("%s: log-probs are near, not the same", async (_, config) => {
    const weights = largeWeights(config, 5);
    const half = await engine.createModel({ ...config, halfCache: true }, weights, "none");
    const plain = await engine.createModel(config, weights, "none");
    const { ids, logprobs } = await sampleRows(half, PROMPTS, 0, 20);
    expect(Math.max(...ids.map(({ length }) => length))).toBeGreaterThan(5);
    const far = farthest(logprobs.flat(), (await fullLogprobs(plain, PROMPTS, ids)).flat());
    // 11 bits of a float16 against 24.
    expect(far).toBeGreaterThan(1e-6);
    expect(far).toBeLessThan(5e-3);
    half.dispose();
    plain.dispose();
  });

  test("a conversation that outgrows its cache keeps what it has read", async () => {
    const config = CASES["qwen3, heads of 64"]!;
    const model = await engine.createModel(
      { ...config, halfCache: true },
      largeWeights(config, 5),
      "none",
    );
    const long = Array.from({ length: 50 }, (_, i) => 4 + ((i * 7) % 40));
    const grown = await continued(model, [long.slice(0, 9), long.slice(9)]);
    const atOnce = await continued(model, [long]);
    expect(grown).toEqual(atOnce);
    model.dispose();
  });
});

/** Greedy tokens after the prompts were fed one after another. */
async function continued(model: EngineModel, prompts: number[][]): Promise<number[]> {
  const session = model.decode(1, 64);
  const key = { seed: 1, stream: "t", iteration: 0, trajectory: [0], step: [0] };
  let ids: number[][] = [];
  for (const prompt of prompts)
    ({ ids } = await session.generate({
      ...{ prompts: [prompt], key, stopIds: [], temperature: 0 },
      maxNewTokens: prompt === prompts.at(-1) ? 8 : 0,
    }));
  session.dispose();
  return ids[0]!;
}
