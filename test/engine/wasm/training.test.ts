/** The wasm engine over time: the referee's loss curve, decoding against the full forward, no allocation once warm. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineModel, TokenRows } from "../../../src/engine/engine.ts";
import { farthest, nano, nanoWeights, openEngine } from "../support.ts";

let wasm: Engine;
let tfjs: Engine;
beforeAll(async () => {
  wasm = await openEngine("plan wasm");
  tfjs = await openEngine("wasm");
});

/** A language to learn: the next token follows from the last by one of two rules. */
function language(step: number): TokenRows {
  const [B, L] = [6, 20];
  const ids = new Int32Array(B * L);
  for (let b = 0; b < B; b++) {
    ids[b * L] = (step * 7 + b * 11) % 50;
    for (let t = 1; t < L; t++) ids[b * L + t] = (ids[b * L + t - 1]! * (b % 2 ? 3 : 7) + 1) % 50;
  }
  const position = Int32Array.from(ids, (_, i) => i % L);
  return { B, L, ids, position, segment: new Int32Array(B * L) };
}

async function curve(engine: Engine): Promise<number[]> {
  const model = await engine.createModel(nano, nanoWeights(4), "none");
  const losses: number[] = [];
  for (let step = 0; step < 50; step++) {
    const rows = language(step);
    const count = rows.B * (rows.L - 1);
    const { logprob } = await model.forward({ rows, temperature: 1 });
    losses.push(-logprob.reduce((a, b) => a + b, 0) / count);
    const dLogprob = new Float32Array(rows.ids.length).fill(-1 / count);
    await model.backward({ rows, temperature: 1, dLogprob });
    model.scaleGrads(Math.min(1, 1 / (await model.gradNorm())));
    const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 };
    await model.update({ lr: { trunk: 1e-3 }, ...adam });
  }
  model.dispose();
  return losses;
}

test("fifty training steps stay with the referee's loss curve", async () => {
  const [ours, theirs] = [await curve(wasm), await curve(tfjs)];
  expect(theirs[49]!).toBeLessThan(theirs[0]! - 0.5);
  expect(farthest(ours, theirs)).toBeLessThan(1e-3);
});

test("two runs give the same bits", async () => {
  expect(await curve(wasm)).toEqual(await curve(wasm));
});

describe("decoding", () => {
  const key = (B: number, first = 0) => ({
    ...{ seed: 9, stream: "test", iteration: 1, step: Array<number>(B).fill(0) },
    trajectory: Array.from({ length: B }, (_, b) => first + b),
  });

  const sample = async (model: EngineModel, prompts: number[][], first: number) => {
    const session = model.decode(prompts.length, 64);
    const rule = { maxNewTokens: 12, stopIds: [1, 2, 3], temperature: 1.3 };
    const out = await session.generate({ prompts, key: key(prompts.length, first), ...rule });
    session.dispose();
    return out;
  };

  test("log-probs are those of the full forward", async () => {
    const model = await wasm.createModel(nano, nanoWeights(5), "none");
    const prompts = Array.from({ length: 7 }, (_, b) =>
      Array.from({ length: b + 1 }, (_, t) => b + t),
    );
    const { ids, logprobs } = await sample(model, prompts, 0);
    expect(new Set(ids.map((row) => row.length)).size).toBeGreaterThan(2);
    const whole = prompts.map((prompt, b) => [...prompt, ...ids[b]!]);
    const L = Math.max(...whole.map((row) => row.length));
    const flat = (f: (b: number, t: number) => number) =>
      Int32Array.from({ length: 7 * L }, (_, i) => f(Math.floor(i / L), i % L));
    const rows: TokenRows = {
      ...{ B: 7, L, ids: flat((b, t) => whole[b]![t] ?? 0), position: flat((_, t) => t) },
      segment: flat((b, t) => (t < whole[b]!.length ? 0 : -1)),
    };
    const { logprob } = await model.forward({ rows, temperature: 1.3 });
    const full = prompts.map((prompt, b) =>
      ids[b]!.map((_, i) => logprob[b * L + prompt.length + i]!),
    );
    expect(farthest(logprobs.flat(), full.flat())).toBeLessThan(1e-4);
    model.dispose();
  });

  test("a row's tokens and log-probs do not depend on the rows beside it, to the bit", async () => {
    const model = await wasm.createModel(nano, nanoWeights(6), "none");
    const prompts = Array.from({ length: 9 }, (_, b) => [b + 4, 2 * b + 5, 17]);
    const together = await sample(model, prompts, 0);
    const alone = await sample(model, [prompts[5]!], 5);
    expect(alone.ids[0]).toEqual(together.ids[5]);
    expect(alone.logprobs[0]).toEqual(together.logprobs[5]);
    model.dispose();
  });
});

test("nothing is allocated after the first step of a shape", async () => {
  const model = await wasm.createModel(nano, nanoWeights(7, "shared"), "shared");
  const rows = language(1);
  const d = new Float32Array(rows.ids.length).fill(0.01);
  const step = async () => {
    await model.forward({ rows, temperature: 1, entropy: true, value: true });
    await model.backward({ rows, temperature: 1, dLogprob: d, dEntropy: d, dValue: d });
    await model.gradNorm();
    const lr = { trunk: 1e-3, valueHead: 1e-3 };
    await model.update({ lr, beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 });
    const session = model.decode(2, 30);
    const key = { seed: 1, stream: "t", iteration: 0, trajectory: [0, 1], step: [0, 0] };
    const prompts = [[4, 5], [6]];
    await session.generate({ prompts, maxNewTokens: 5, stopIds: [], temperature: 1, key });
    session.dispose();
  };
  await step();
  const warm = wasm.memory();
  for (let i = 0; i < 4; i++) await step();
  expect(wasm.memory()).toEqual(warm);
  expect(warm.tensors).toBeGreaterThan(5);
  model.dispose();
});
