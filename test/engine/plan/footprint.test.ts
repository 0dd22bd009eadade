/** Memory is counted before it is taken, and what does not fit is refused with what would. */
import { describe, expect, test } from "vitest";
import type { Engine, TokenRows } from "../../../src/engine/engine.ts";
import { EngineError } from "../../../src/engine/errors.ts";
import type { Executor } from "../../../src/engine/plan/executor.ts";
import { footprint, sumBytes } from "../../../src/engine/plan/footprint.ts";
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import { WasmExecutor } from "../../../src/engine/wasm/executor.ts";
import { nodeKernels } from "../../../src/engine/wasm/node.ts";
import { language } from "../learning.ts";
import { nano, nanoWeights } from "../support.ts";

type Limits = { -readonly [K in keyof Executor["limits"]]: Executor["limits"][K] };

/** A wasm engine with limits of its own; `fail` makes the making of stores of a name fail. */
async function open(limits: Partial<Executor["limits"]> = {}, fail = "") {
  const executor = await WasmExecutor.create(nodeKernels());
  Object.assign(executor.limits, limits);
  const create = executor.createStore.bind(executor);
  executor.createStore = (name, size) => {
    if (name === fail) throw new EngineError("out-of-memory", `no room for ${name}`);
    return create(name, size);
  };
  return Object.assign(createPlanEngine(executor), { limits: executor.limits as Limits });
}

const key = { seed: 1, stream: "t", iteration: 0, trajectory: [0, 1], step: [0, 0] };
const rule = { maxNewTokens: 3, stopIds: [], temperature: 1, key, prompts: [[4], [5]] };
const newNano = (engine: Engine) => engine.createModel(nano, nanoWeights(1), "none");

const parameters = footprint(nano, "none", null, null)["parameters"]!;

async function refusal(action: () => unknown): Promise<string> {
  const error = await Promise.resolve()
    .then(action)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "EngineError", kind: "out-of-memory" });
  return (error as Error).message;
}

/** One row of that many tokens. */
function row(L: number): TokenRows {
  const ids = Int32Array.from({ length: L }, (_, t) => t % 50);
  const position = Int32Array.from(ids, (_, t) => t);
  return { B: 1, L, ids, position, segment: new Int32Array(L) };
}

test("the count is what a run takes", async () => {
  const engine = await open();
  const before = engine.memory().bytes;
  const model = await newNano(engine);
  const alone = footprint(nano, "none", null, null);
  expect(engine.memory().bytes - before).toBe(sumBytes(alone));
  const rows = language(1); // 6 rows of 20 tokens: one pass of 120, 114 targets
  await model.backward({ rows, temperature: 1, dLogprob: new Float32Array(120).fill(0.1) });
  await model.update({ lr: { trunk: 1 }, beta1: 0, beta2: 0, eps: 1, weightDecay: 0 });
  const pass = { R: 128, M: 128, value: false };
  const told = footprint(nano, "none", pass, null, true);
  const taken = engine.memory().bytes - before;
  // Beside what is told there is the kernels' scratch, and room to spare in what plans share.
  expect(taken).toBeGreaterThanOrEqual(sumBytes(told));
  expect(taken).toBeLessThan(sumBytes(told) + told["working memory"]! / 4 + 2e6);
  const held = engine.memory().bytes;
  const session = model.decode(2, 30);
  await session.generate({ ...rule, prompts: [Array<number>(27).fill(3), []] });
  const cache = sumBytes(footprint(nano, "none", null, { B: 2, C: 32 })) - sumBytes(alone);
  const grown = engine.memory().bytes - held;
  expect(grown).toBeGreaterThanOrEqual(cache);
  expect(grown).toBeLessThan(cache + 2e5);
  model.dispose();
});

describe("refused before anything is allocated", () => {
  test("a model", async () => {
    const small = await open({ storeBytes: parameters - 4 });
    const bytes = small.memory().bytes;
    expect(await refusal(() => newNano(small))).toBe(
      `the model does not fit: parameters: ${parameters} bytes needed in one piece, ${parameters - 4} allowed; at most ${parameters / 4 - 1} parameters would fit`,
    );
    expect(small.memory().bytes).toBe(bytes);
    const full = await open({ totalBytes: parameters });
    expect(await refusal(() => newNano(full))).toMatch(/beside \d+ in use, \d+ allowed in all/);
  });

  test("training, of which the parameters alone would fit", async () => {
    const engine = await open({ totalBytes: 4 * parameters });
    const model = await newNano(engine);
    const { bytes } = engine.memory();
    const dLogprob = new Float32Array(20).fill(0.1);
    const message = await refusal(() =>
      model.backward({ rows: row(20), temperature: 1, dLogprob }),
    );
    expect(message).toMatch(
      /gradients, a pass's gradients, first moments, second moments, working memory: \d+ bytes needed beside \d+ in use, \d+ allowed in all; use a smaller model$/,
    );
    expect(engine.memory().bytes).toBe(bytes);
  });

  test("a pass, with the tokens that would fit, which do", async () => {
    const engine = await open({ storeBytes: 3e6 });
    const model = await newNano(engine);
    const forward = (L: number) => model.forward({ rows: row(L), temperature: 1 });
    const { bytes } = engine.memory();
    const message = await refusal(() => forward(4000));
    expect(engine.memory().bytes).toBeLessThan(bytes + 4e6); // the rope tables of 4096 positions
    const [, needed, allowed, most] =
      /working memory: (\d+) bytes needed in one piece, (\d+) allowed; at most (\d+) tokens/
        .exec(message)!
        .map(Number);
    expect(needed).toBeGreaterThan(3e6);
    expect(allowed).toBe(3e6);
    const fitting = 16 * Math.floor(most! / 16 / 8) * 8; // a size that passes come in
    expect(fitting).toBeGreaterThan(256);
    expect((await forward(fitting - 128)).logprob[1]).toBeLessThan(0);
  });

  test("a session, with the rows that would fit, which do", async () => {
    const engine = await open({ storeBytes: 2e6 });
    const model = await newNano(engine);
    const { bytes } = engine.memory();
    const message = await refusal(() => model.decode(1000, 60));
    const most = Number(/at most (\d+) rows of 64 would fit$/.exec(message)![1]);
    expect(most).toBeGreaterThan(10);
    expect(await refusal(() => model.decode(most + 1, 60))).toContain(`at most ${most} rows`);
    expect(await refusal(() => model.decode(1, 1e6))).toMatch(/at most \d+ tokens would fit$/);
    expect(engine.memory().bytes).toBe(bytes);
    model.decode(most, 60).dispose();
  });
});

test("stores that were made before one fails are freed", async () => {
  const engine = await open({}, "drawn");
  const model = await newNano(engine);
  const { bytes } = engine.memory();
  const session = model.decode(2, 20);
  expect(await refusal(() => session.generate(rule))).toBe("no room for drawn");
  expect(engine.memory().bytes).toBe(bytes);
});

test("an unused cache is freed for one that would not fit beside it", async () => {
  const engine = await open();
  const model = await newNano(engine);
  const used = async (B: number, C: number) => {
    const session = model.decode(B, C);
    const idle = Array.from({ length: B - 2 }, () => [] as number[]);
    const many = { ...key, trajectory: [0, 1, ...idle.keys()], step: Array<number>(B).fill(0) };
    const prompts = [Array<number>(C - 3).fill(4), [5], ...idle];
    await session.generate({ ...rule, key: many, prompts });
    session.dispose();
  };
  await used(2, 250);
  const { bytes } = engine.memory();
  const all = sumBytes(footprint(nano, "none", null, { B: 40, C: 32 }));
  const cache = all - sumBytes(footprint(nano, "none", null, null));
  engine.limits.totalBytes = bytes + cache - 4;
  await used(40, 30);
  expect(engine.memory().bytes).toBeLessThan(bytes + cache);
});
