/** The wasm engine over time: the referee's loss curve, decoding against the full forward, no allocation once warm. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../../src/engine/engine.ts";
import { everyStep, fullLogprobs, lossCurve, sampleRows } from "../learning.ts";
import { farthest, nano, nanoWeights, openEngine } from "../support.ts";

let wasm: Engine;
let tfjs: Engine;
beforeAll(async () => {
  wasm = await openEngine("plan wasm");
  tfjs = await openEngine("wasm");
});

test("fifty training steps stay with the referee's loss curve", async () => {
  const [ours, theirs] = [await lossCurve(wasm, 50), await lossCurve(tfjs, 50)];
  expect(theirs[49]!).toBeLessThan(theirs[0]! - 0.5);
  expect(farthest(ours, theirs)).toBeLessThan(1e-3);
});

test("two runs give the same bits", async () => {
  expect(await lossCurve(wasm, 50)).toEqual(await lossCurve(wasm, 50));
});

describe("decoding", () => {
  test("log-probs are those of the full forward", async () => {
    const model = await wasm.createModel(nano, nanoWeights(5), "none");
    const prompts = Array.from({ length: 7 }, (_, b) =>
      Array.from({ length: b + 1 }, (_, t) => b + t),
    );
    const { ids, logprobs } = await sampleRows(model, prompts, 0);
    expect(new Set(ids.map((row) => row.length)).size).toBeGreaterThan(2);
    const full = await fullLogprobs(model, prompts, ids);
    expect(farthest(logprobs.flat(), full.flat())).toBeLessThan(1e-4);
    model.dispose();
  });

  test("a row's tokens and log-probs do not depend on the rows beside it, to the bit", async () => {
    const model = await wasm.createModel(nano, nanoWeights(6), "none");
    const prompts = Array.from({ length: 9 }, (_, b) => [b + 4, 2 * b + 5, 17]);
    const together = await sampleRows(model, prompts, 0);
    const alone = await sampleRows(model, [prompts[5]!], 5);
    expect(alone.ids[0]).toEqual(together.ids[5]);
    expect(alone.logprobs[0]).toEqual(together.logprobs[5]);
    model.dispose();
  });
});

test("nothing is allocated after the first step of a shape", async () => {
  const model = await wasm.createModel(nano, nanoWeights(7, "shared"), "shared");
  await everyStep(model);
  const warm = wasm.memory();
  for (let i = 0; i < 4; i++) await everyStep(model);
  expect(wasm.memory()).toEqual(warm);
  expect(warm.tensors).toBeGreaterThan(5);
  model.dispose();
});
