/** tfjs webgpu, wasm and cpu give the same numbers; webgpu also gives the golden ones. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import { EngineError } from "../../src/engine/errors.ts";
import { sharedDevice } from "../../src/engine/webgpu/device.ts";
import {
  expectTensors,
  farthest,
  goldenJson,
  goldenModel,
  goldenModels,
  nanoNumbers,
  openEngine,
  tokenRows,
  type GoldenTensor,
  type Rows,
} from "./support.ts";
import { EVERY } from "../every.ts";

let reference: Awaited<ReturnType<typeof nanoNumbers>>;
beforeAll(async () => void (reference = await nanoNumbers(await openEngine("cpu"))));

async function expectParity(engine: Engine): Promise<void> {
  const { logits, grads } = await nanoNumbers(engine);
  expect(farthest(logits, reference.logits)).toBeLessThan(1e-4);
  for (const [name, { data }] of grads) {
    expect(
      data.some((x) => Math.abs(x) > 1e-3),
      name,
    ).toBe(true);
    expect(farthest(data, reference.grads.get(name)!.data), name).toBeLessThan(1e-3);
  }
}

test("wasm agrees with cpu", async () => expectParity(await openEngine("wasm")));

describe("webgpu", () => {
  let engine: Engine;
  // First with tfjs's own kernels, as on a hardware adapter; the software ones stay once taken.
  if (EVERY)
    test("agrees with cpu in tfjs's kernels", async () => {
      await expectParity(await openEngine("webgpu", { softwareKernels: false }));
    });

  test("agrees with cpu in the kernels for software adapters", async () => {
    engine = await openEngine("webgpu", { softwareKernels: true });
    // Where tfjs's own were used before, the backend is open already and has not taken them.
    const { installSoftwareKernels } = await import("../../src/engine/tfjs/softwareWebGpu.ts");
    installSoftwareKernels();
    await expectParity(engine);
  });

  test("says what it runs on", () => {
    expect(engine.info).toMatchObject({ engine: "tfjs", backend: "webgpu", reproducible: "no" });
    expect(engine.info.adapter).toMatch(/\w{3}/);
  });

  interface Expected {
    cases: (Rows & { logits: (number[] | null)[][] })[];
    loss: Rows & {
      labels: number[][];
      num_loss_tokens: number;
      grads: Record<string, GoldenTensor>;
    };
    greedy_generate: {
      input_ids: number[][];
      attention_mask: number[][];
      max_new_tokens: number;
      new_tokens: number[][];
    };
  }

  test.each(goldenModels)("golden logits, gradients and generation: %s", async (name) => {
    const {
      cases,
      loss,
      greedy_generate: greedy,
    } = await goldenJson<Expected>(name, "expected.json");
    const model = await goldenModel(engine, name);
    const padded = cases[1]!;
    const { logits } = await model.forward({
      rows: tokenRows(padded),
      temperature: 1,
      logits: true,
    });
    const blank = Array<null>(model.config.vocabSize).fill(null);
    expect(
      farthest(
        logits!,
        padded.logits.flat().flatMap((row) => row ?? blank),
      ),
    ).toBeLessThan(1e-4);

    const counted = loss.labels.flatMap((row) => row.map((label, t) => t > 0 && label !== -100));
    const dLogprob = Float32Array.from(counted, (c) => (c ? -1 / loss.num_loss_tokens : 0));
    await model.backward({ rows: tokenRows(loss), temperature: 1, dLogprob });
    expectTensors(await model.readGrads(), loss.grads, 1e-4);

    const session = model.decode(2, 32);
    const { ids } = await session.generate({
      prompts: greedy.input_ids.map((row, b) => row.filter((_, t) => greedy.attention_mask[b]![t])),
      maxNewTokens: greedy.max_new_tokens,
      stopIds: [],
      temperature: 0,
      key: { seed: 1, stream: "test", iteration: 0, trajectory: [0, 1], step: [0, 0] },
    });
    expect(ids).toEqual(greedy.new_tokens);
    session.dispose();
    model.dispose();
  });

  test("holds as much after the fifth update as after the second", async () => {
    const model = await goldenModel(engine, "qwen3_tied_bf16");
    const { loss } = await goldenJson<Expected>("qwen3_tied_bf16", "expected.json");
    const rows = tokenRows(loss);
    const dLogprob = new Float32Array(rows.ids.length).fill(0.01);
    const after = [];
    for (let i = 0; i < 5; i++) {
      await model.backward({ rows, temperature: 1, dLogprob });
      await model.update({
        lr: { trunk: 1e-3 },
        beta1: 0.9,
        beta2: 0.999,
        eps: 1e-8,
        weightDecay: 0,
      });
      await model.forward({ rows, temperature: 1 });
      after.push(engine.memory());
    }
    expect(after[4]).toEqual(after[1]);
    expect(after[4]!.poolBytes).toBeGreaterThan(0);
    model.dispose();
  });

  test("an error that WebGPU reports on the side is thrown, not computed past", async () => {
    const { device } = await sharedDevice();
    const before = await openEngine("webgpu");
    const bystander = await openEngine("plan webgpu");
    device.createShaderModule({ code: "fn main( {" });
    await device.queue.onSubmittedWorkDone();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expect(goldenModel(before, "qwen3_tied_bf16")).rejects.toThrow(EngineError);
    await expect(goldenModel(before, "qwen3_tied_bf16")).rejects.toThrow("WebGPU:");
    // It was not that of the other engine on the device, and the next one starts afresh.
    (await goldenModel(bystander, "qwen3_tied_bf16")).dispose();
    bystander.dispose();
    before.dispose();
    const after = await openEngine("webgpu");
    (await goldenModel(after, "qwen3_tied_bf16")).dispose();
    after.dispose();
  });

  test("a lost device is told to who used it, and the next engine gets another", async () => {
    const lost = await openEngine("plan webgpu");
    const model = await goldenModel(lost, "qwen3_tied_bf16");
    const { device } = await sharedDevice();
    device.destroy();
    await device.lost;
    await expect(model.readWeights()).rejects.toThrow(EngineError);
    expect((await sharedDevice()).device).not.toBe(device);
    for (const backend of ["plan webgpu", "webgpu"] as const) {
      const next = await openEngine(backend);
      const again = await goldenModel(next, "qwen3_tied_bf16");
      expect((await again.readWeights()).size).toBeGreaterThan(3);
      again.dispose();
      next.dispose();
    }
  });
});
