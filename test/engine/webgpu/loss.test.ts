/** A graphics device that goes wrong: lost in the middle of each verb, never answering, refusing kernels, not starting. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { EngineModel } from "../../../src/engine/engine.ts";
import { EngineError } from "../../../src/engine/errors.ts";
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import { openDevice } from "../../../src/engine/webgpu/device.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { language } from "../learning.ts";
import { nano, nanoWeights } from "../support.ts";
import { FakeGpu, FixedPace } from "./fakeDevice.ts";

let gpu: FakeGpu;
let model: EngineModel;
beforeEach(async () => {
  gpu = new FakeGpu();
  // So slow that each operation is a submit of its own: the middle of a verb is the middle of its work.
  const executor = new WebGpuExecutor(gpu.opened, { pace: new FixedPace(1) });
  model = await createPlanEngine(executor).createModel(nano, nanoWeights(3, "shared"), "shared");
});
afterEach(() => vi.useRealTimers());

const rows = language(2);
const some = new Float32Array(rows.ids.length).fill(1e-3);
const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 };
const all = [0, 1, 2, 3];

const verbs: Record<string, () => Promise<unknown>> = {
  forward: () => model.forward({ rows, temperature: 1, entropy: true, value: true }),
  "forward with a reference": () => model.forward({ rows, temperature: 1, kl: model }),
  // It reads nothing itself: reading the norm reports the loss.
  backward: async () => {
    await model.backward({ rows, temperature: 1, dLogprob: some, dValue: some });
    await model.gradNorm();
  },
  update: async () => {
    await model.update({ lr: { trunk: 1e-3, valueHead: 1e-3 }, ...adam });
    await model.readWeights();
  },
  generate: () =>
    model.decode(4, 64).generate({
      ...{ prompts: all.map((id) => [id, 5, 6]), maxNewTokens: 9, stopIds: [7], temperature: 1 },
      key: { seed: 1, stream: "t", iteration: 0, trajectory: all, step: all.map(() => 0) },
    }),
  "reading the weights": () => model.readWeights(),
  "reading the gradients": async () => {
    await model.backward({ rows, temperature: 1, dLogprob: some });
    await model.readGrads();
  },
};

const lost = { name: "EngineError", kind: "device-lost" };

describe.each(Object.keys(verbs))("%s", (name) => {
  const verb = verbs[name]!;

  test("on a device that is lost in its middle says so, and so does the next use", async () => {
    await verb(); // the first time does more
    const before = gpu.log.length;
    await verb();
    const submits = gpu.log.slice(before).filter((one) => one === "submit").length;
    expect(submits).toBeGreaterThan(0);
    gpu.left = Math.floor(submits / 2);
    await expect(verb()).rejects.toMatchObject(lost);
    await expect(model.readWeights()).rejects.toMatchObject(lost);
  });

  test("whose maps are never answered is given up after two minutes without progress", async () => {
    await verb();
    gpu.silent = "maps";
    vi.useFakeTimers();
    let said: unknown = null;
    void verb().catch((error: unknown) => (said = error));
    await vi.advanceTimersByTimeAsync(100_000);
    expect(said).toBe(null);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(said).toMatchObject(lost);
    expect((said as Error).message).toContain("has not answered for 120 seconds");
  });

  test("whose device is lost while its map waits says so at once", async () => {
    await verb();
    gpu.silent = "maps";
    const failed = expect(verb()).rejects.toMatchObject(lost);
    await new Promise((resolve) => setTimeout(resolve, 20));
    gpu.lose();
    await failed;
  });
});

test.each(["judgements", "kernels"] as const)(
  "a device that never gives its %s is given up after two minutes without progress",
  async (what) => {
    gpu.silent = what;
    vi.useFakeTimers();
    let said: unknown = null;
    void verbs["forward"]!().catch((error: unknown) => (said = error));
    await vi.advanceTimersByTimeAsync(100_000);
    expect(said).toBe(null);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(said).toMatchObject(lost);
    expect((said as Error).message).toContain("has not answered for 120 seconds");
  },
);

test("while submits end, a long wait is none", async () => {
  gpu.held = true;
  vi.useFakeTimers();
  let done = false;
  void model.forward({ rows, temperature: 1 }).then(() => (done = true));
  for (let i = 0; i < 15; i++) {
    await vi.advanceTimersByTimeAsync(60_000);
    expect(done).toBe(false);
    gpu.finish();
  }
  gpu.held = false;
  for (let i = 0; i < 3; i++) gpu.finish();
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).toBe(true);
});

test("kernels that do not compile are an error of the engine, and are tried again the next time", async () => {
  gpu.refuses = true;
  await expect(verbs["forward"]!()).rejects.toMatchObject({
    kind: "backend-failed",
    message: expect.stringContaining("the driver's compiler crashed") as string,
  });
  gpu.refuses = false;
  await verbs["forward"]!();
});

test("a device that does not start is an error of the engine", async () => {
  const requestDevice = () => Promise.reject(new Error("no memory for another device"));
  const adapter = { features: new Set(), limits: {}, info: {}, requestDevice };
  const asked = { requestAdapter: async () => adapter } as unknown as GPU;
  const failed = openDevice(asked);
  await expect(failed).rejects.toBeInstanceOf(EngineError);
  await expect(failed).rejects.toMatchObject({ kind: "backend-failed" });
});
