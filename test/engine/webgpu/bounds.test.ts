/** What the engine may take of a graphics device: bytes in all, of a pass, of compiled plans; and how caches grow there. */
import { beforeEach, describe, expect, test } from "vitest";
import type { EngineModel, TokenRows } from "../../../src/engine/engine.ts";
import type { ModelConfig } from "../../../src/engine/modelConfig.ts";
import { sizeBucket } from "../../../src/engine/plan/batches.ts";
import { passCutOf } from "../../../src/engine/plan/footprint.ts";
import { keptPlans } from "../../../src/engine/plan/keptPlans.ts";
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { memoryBudget } from "../../../src/engine/webgpu/memory.ts";
import { modelPresets } from "../../../src/spec/models.ts";
import { nano, nanoWeights } from "../support.ts";
import { FakeGpu, FixedPace } from "./fakeDevice.ts";

let gpu: FakeGpu;
let executor: WebGpuExecutor;
let models: EngineModel[];
beforeEach(async () => {
  gpu = new FakeGpu();
  executor = new WebGpuExecutor(gpu.opened, { pace: new FixedPace(1e12) });
  const engine = createPlanEngine(executor);
  const made = [1, 2].map((seed) => engine.createModel(nano, nanoWeights(seed), "none"));
  models = await Promise.all(made);
});

/** One row of that many tokens. */
function row(L: number): TokenRows {
  const ids = Int32Array.from({ length: L }, (_, t) => t % 50);
  const position = Int32Array.from(ids, (_, t) => t);
  return { B: 1, L, ids, position, segment: new Int32Array(L) };
}

const LENGTHS = [16, 32, 48, 64, 80, 96, 112, 128];

describe("compiled plans", () => {
  const forward = (model: EngineModel, L: number) =>
    model.forward({ rows: row(L), temperature: 1 });
  /** Bind groups that it makes. */
  const made = async (act: () => Promise<unknown>) => {
    const before = executor.counts().bindGroups;
    await act();
    return executor.counts().bindGroups - before;
  };

  test("of all models together have a limit of bytes: the one unused for longest is evicted", async () => {
    executor.limits.planBytes = 150_000;
    const kept = keptPlans(executor);
    let most = 0;
    for (const model of models)
      for (const L of LENGTHS) {
        await forward(model, L);
        await forward(model, 16); // used again and again: it stays
        expect(kept.bytes).toBeLessThanOrEqual(150_000);
        most = Math.max(most, kept.count);
      }
    expect(most).toBeGreaterThan(2);
    expect(most).toBeLessThan(LENGTHS.length);
    const [, second] = models;
    expect(await made(() => forward(second!, 16))).toBe(0);
    expect(await made(() => forward(second!, 128))).toBe(0);
    expect(await made(() => forward(second!, 32))).toBeGreaterThan(10);
  });

  test("give back the buffers that they hold", async () => {
    executor.limits.planBytes = 150_000;
    await forward(models[0]!, 128); // the largest: what plans share grows no more
    const { tensors } = executor.memory();
    for (const L of LENGTHS) await forward(models[0]!, L);
    expect(executor.memory().tensors).toBeLessThan(tensors + LENGTHS.length - 1);
    for (const model of models) model.dispose();
    expect(keptPlans(executor).bytes).toBe(0);
  });

  test("all stay where they hold less", async () => {
    await forward(models[0]!, 128); // the largest: nothing is bound again for the others
    for (const L of LENGTHS) await forward(models[0]!, L);
    expect(keptPlans(executor).count).toBe(LENGTHS.length);
    expect(await made(() => forward(models[0]!, 16))).toBe(0);
  });
});

test("a cache that grows is copied on the device: nothing is read back, and no keys are uploaded", async () => {
  const session = models[0]!.decode(2, 400);
  const generate = (length: number) =>
    session.generate({
      prompts: [Array<number>(length).fill(3), Array<number>(length).fill(4)],
      ...{ maxNewTokens: 1, stopIds: [], temperature: 1 },
      key: { seed: 1, stream: "t", iteration: 0, trajectory: [0, 1], step: [0, 0] },
    });
  await generate(10);
  gpu.log.length = 0;
  const { tensors } = executor.memory();
  await generate(200);
  // Each head of each layer's keys and values of both rows, and what was drawn.
  const rows = 2 * nano.kvHeads * 2 * nano.layers;
  expect(gpu.log.filter((one) => one === "copy")).toHaveLength(rows + 1);
  expect(gpu.log.filter((one) => one === "map")).toHaveLength(1);
  // The numbers of two new plans, what the prefill reads, and the rows' states.
  expect(gpu.log.filter((one) => one === "write")).toHaveLength(4);
  expect(executor.memory().tensors).toBeLessThanOrEqual(tensors + 2); // two more plans
});

/** About 280 million parameters. */
const large: ModelConfig = {
  ...{ family: "qwen3", vocabSize: 32768, hiddenSize: 1024, layers: 16, heads: 16, kvHeads: 8 },
  ...{ headDim: 64, intermediateSize: 3072, ropeTheta: 10000, rmsNormEps: 1e-6 },
  ...{ tieWordEmbeddings: true, attentionBias: false, maxPositions: 2048 },
};

describe("tokens of a pass", () => {
  const { talker, ...others } = modelPresets;

  const cutOf = (config: ModelConfig, tuning: Partial<typeof executor.tuning> = {}) =>
    passCutOf(config, "shared", { ...executor.tuning, ...tuning });
  const kept = (tokens: number) => ({ tokens, recomputes: false });

  test.each(Object.entries(others))("are 2048 for %s, as before", (_, config) => {
    for (const vocabSize of [64, 448]) expect(cutOf({ ...config, vocabSize })).toEqual(kept(2048));
  });

  test("are fewer for the talker, as before, on a card too", () => {
    expect(cutOf(talker)).toEqual(kept(1792));
    expect(cutOf(talker, { mostPassBytes: 2 ** 30 })).toEqual(kept(1792));
  });

  test("of a large model take more memory on a card, or layers run again", () => {
    const within = (passBytes: number, mostPassBytes = passBytes) =>
      cutOf(large, { passBytes, mostPassBytes });
    const [few, card] = [within(2 ** 27), within(2 ** 27, 2 ** 30)];
    expect(few.recomputes).toBe(true);
    expect(few.tokens).toBeGreaterThanOrEqual(256);
    expect(card.recomputes).toBe(false);
    expect(card.tokens).toBeGreaterThan(few.tokens);
    expect(within(2 ** 24).tokens).toBeGreaterThanOrEqual(16);
  });

  test("of a card may take a quarter of the memory, a software adapter what every device binds", () => {
    const tuningOf = (software: boolean) =>
      new WebGpuExecutor({ ...gpu.opened, software }).tuning.mostPassBytes;
    expect(tuningOf(true)).toBe(2 ** 27);
    const { maxStorageBufferBindingSize, maxBufferSize } = gpu.opened.device.limits;
    const most = Math.min(2 ** 30, maxStorageBufferBindingSize, maxBufferSize);
    expect(tuningOf(false)).toBe(most);
  });

  test("follow the bytes that one takes", async () => {
    const passes = async (passBytes: number) => {
      Object.assign(executor.tuning, { passBytes, mostPassBytes: passBytes });
      const model = await createPlanEngine(executor).createModel(nano, nanoWeights(1), "none");
      const before = executor.counts().passes;
      const rows = { ...row(512), B: 8, L: 64 };
      rows.position = rows.position.map((t) => t % 64);
      await model.forward({ rows, temperature: 1 });
      return executor.counts().passes - before;
    };
    const whole = await passes(2 ** 27);
    expect(await passes(2 ** 18)).toBeGreaterThan(2 * whole);
  });
});

describe("bytes in all", () => {
  test("are half of the machine's memory, as far as the browser says it", () => {
    expect(memoryBudget({ deviceMemory: 2 } as unknown as Navigator)).toBe(2 ** 30);
    expect(memoryBudget({} as Navigator)).toBe(2 ** 32);
    expect(executor.limits.totalBytes).toBe(memoryBudget());
  });

  test("refuse a pass beforehand, with the tokens that would fit, which do", async () => {
    const [model] = models;
    await model!.forward({ rows: row(16), temperature: 1 });
    const { bytes } = executor.memory();
    executor.limits.totalBytes = bytes + 200_000;
    const refused = model!.forward({ rows: row(500), temperature: 1 });
    await expect(refused).rejects.toMatchObject({ kind: "out-of-memory" });
    const message = await refused.catch((error: Error) => error.message);
    expect(message).toMatch(/bytes needed beside \d+ in use, \d+ allowed in all; at most \d+ tok/);
    expect(executor.memory().bytes).toBe(bytes);
    const most = Number(/at most (\d+) tokens/.exec(String(message))![1]);
    expect(most).toBeGreaterThan(32);
    let fitting = most;
    while (sizeBucket(fitting) > most) fitting--;
    await model!.forward({ rows: row(fitting), temperature: 1 });
    // The plan's own numbers and what is read come on top.
    expect(executor.memory().bytes).toBeLessThan(executor.limits.totalBytes + 40_000);
  });

  test("refuse training where the model alone fits", async () => {
    const { bytes } = executor.memory();
    executor.limits.totalBytes = bytes + 1000;
    const dLogprob = new Float32Array(20).fill(0.1);
    await expect(models[0]!.backward({ rows: row(20), temperature: 1, dLogprob })).rejects.toThrow(
      "use a smaller model",
    );
    expect(executor.memory().bytes).toBe(bytes);
  });
});
