/** The wasm engine over worker threads: the same bits for any number of them, and failures that stay what they are. */
import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineModel, TokenRows } from "../../../src/engine/engine.ts";
import { EngineError, NotFiniteError } from "../../../src/engine/errors.ts";
import type { ThreadPort } from "../../../src/engine/plan/workerCalls.ts";
import { createWasmEngine } from "../../../src/engine/wasm/createWasmEngine.ts";
import { nodeKernels, nodeSpawn } from "../../../src/engine/wasm/node.ts";
import { language } from "../learning.ts";
import { nano, nanoWeights } from "../support.ts";

/** Every thread that is started, to be made to fail. */
const made: Worker[] = [];
class Watched extends Worker {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    super(...args);
    made.push(this);
  }
}

const open = (workers: number, spawn: () => ThreadPort = nodeSpawn) =>
  createWasmEngine(nodeKernels(), { workers, spawn });

const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 };

/** Enough tokens for several passes: the little language's rows of many steps. [60, 20] */
function manyRows(step: number): TokenRows {
  const parts = Array.from({ length: 10 }, (_, i) => language(10 * step + i));
  const together = (field: "ids" | "position" | "segment") =>
    Int32Array.from(parts.flatMap((part) => [...part[field]]));
  const [ids, position, segment] = [together("ids"), together("position"), together("segment")];
  return { B: 60, L: 20, ids, position, segment };
}

const coefficients = (rows: TokenRows, seed: number) =>
  Float32Array.from(rows.ids, (id, i) => (((id + seed) * 7 + i) % 13) / 1300 - 0.005); // [B, L]

/** The bits of arrays, short enough to be compared and shown. */
function digest(arrays: Iterable<Float32Array>): string {
  const hash = createHash("sha256");
  for (const data of arrays)
    hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return hash.digest("hex");
}

/** Eight clipped steps on all of the model's outputs, held near a reference, from weights that move. */
async function train(engine: Engine) {
  const model = await engine.createModel(nano, nanoWeights(4, "shared"), "shared");
  const kl = await engine.createModel(nano, nanoWeights(5), "none");
  const told: string[] = [];
  for (let step = 0; step < 8; step++) {
    const rows = manyRows(step);
    const request = { rows, temperature: 0.9, kl };
    const out = await model.forward({ ...request, entropy: true, value: true });
    told.push(digest([out.logprob, out.entropy!, out.value!, out.kl!]));
    const dLogprob = coefficients(rows, 1);
    const [dEntropy, dKl, dValue] = [dLogprob, coefficients(rows, 2), coefficients(rows, 3)];
    await model.backward({ ...request, dLogprob, dEntropy, dKl, dValue });
    await model.backward({ rows, temperature: 1, dLogprob }); // adds up
    const grads = await model.readGrads();
    told.push(digest([...grads.values()].map(({ data }) => data)));
    model.scaleGrads(Math.min(1, 1 / (await model.gradNorm())));
    await model.update({ lr: { trunk: 1e-3, valueHead: 1e-2 }, ...adam });
  }
  model.dispose();
  kl.dispose();
  return told;
}

/** Two turns of 22 rows, some of them idle, and the parameters change in between. */
async function play(engine: Engine) {
  const model = await engine.createModel(nano, nanoWeights(6, "detached"), "detached");
  const session = model.decode(22, 60);
  const trajectory = Array.from({ length: 22 }, (_, b) => b);
  const turn = async (idle: number) => {
    const prompts = trajectory.map((b) => (b % idle === 1 ? [] : [b + 4, 2 * b + 5, 17]));
    const key = { seed: 9, stream: "test", iteration: 1, trajectory, step: [...session.lengths] };
    const rule = { maxNewTokens: 12, stopIds: [1, 2, 3], temperature: 1.3, topK: 40, value: true };
    return { ...(await session.generate({ prompts, key, ...rule })), held: [...session.lengths] };
  };
  const first = await turn(5);
  await model.writeWeights(nanoWeights(7, "detached"));
  const second = await turn(3);
  session.clear();
  const third = await turn(100);
  session.dispose();
  model.dispose();
  return { first, second, third };
}

describe("any number of workers gives the same bits:", () => {
  const engines: Engine[] = [];
  beforeAll(async () => void engines.push(...(await Promise.all([1, 2, 3].map((n) => open(n))))));
  afterAll(() => engines.forEach((engine) => engine.dispose()));

  test("they are there", () =>
    expect(engines.map(({ info }) => info.workers)).toEqual([
      "one thread",
      "2 workers",
      "3 workers",
    ]));

  test("eight training steps with value, entropy and a reference", async () => {
    const all = [];
    for (const engine of engines) all.push(await train(engine));
    expect(new Set(all[0]).size).toBe(16);
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
  });

  test("rows sampled over three turns", async () => {
    const all = [];
    for (const engine of engines) all.push(await play(engine));
    expect(all[0]!.first.ids.flat().length).toBeGreaterThan(40);
    expect(all[0]!.first.ids[1]).toEqual([]);
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
  });
});

/** One of everything that a training loop does, on several passes. */
async function everyStep(model: EngineModel, reference: EngineModel): Promise<void> {
  const rows = manyRows(1);
  const d = coefficients(rows, 1);
  const request = { rows, temperature: 1, kl: reference };
  await model.forward({ ...request, entropy: true, value: true });
  await model.backward({ ...request, dLogprob: d, dEntropy: d, dKl: d, dValue: d });
  await model.gradNorm();
  await model.update({ lr: { trunk: 1e-3, valueHead: 1e-3 }, ...adam });
  const session = model.decode(16, 30);
  const trajectory = Array.from({ length: 16 }, (_, b) => b);
  const key = { seed: 1, stream: "t", iteration: 0, trajectory, step: trajectory.map(() => 0) };
  const prompts = trajectory.map((b) => [b + 4, 5]);
  await session.generate({ prompts, maxNewTokens: 5, stopIds: [], temperature: 1, key });
  session.dispose();
}

test("nothing is allocated after the first step of a shape, workers included", async () => {
  const engine = await open(2);
  const [model, reference] = [
    await engine.createModel(nano, nanoWeights(7, "shared"), "shared"),
    await engine.createModel(nano, nanoWeights(8), "none"),
  ];
  const alone = engine.memory();
  await everyStep(model, reference);
  const warm = engine.memory();
  expect(warm.tensors).toBeGreaterThan(alone.tensors + 10);
  for (let i = 0; i < 4; i++) await everyStep(model, reference);
  expect(engine.memory()).toEqual(warm);
  engine.dispose();
});

describe("what goes wrong in a worker", () => {
  /** Spawns as ever; `end` ends the newest as if it had been killed. */
  function mortal() {
    const ports: ThreadPort[] = [];
    const spawn = () => (ports.push(nodeSpawn(Watched)), ports.at(-1)!);
    return { spawn, end: () => ports.at(-1)!.terminate() };
  }

  test("one that is killed at work is a typed error, at once and from then on", async () => {
    const { spawn, end } = mortal();
    const engine = await open(2, spawn);
    const model = await engine.createModel(nano, nanoWeights(4), "none");
    const forward = () => model.forward({ rows: manyRows(0), temperature: 1 });
    await forward();
    const under = forward().catch((error: unknown) => error);
    end();
    const errors = [await under, await forward().catch((error: unknown) => error)];
    for (const error of errors) {
      expect(error).toBeInstanceOf(EngineError);
      expect(error).toMatchObject({
        kind: "backend-failed",
        message: expect.stringMatching(/^a worker of the engine ended \(exit code 1\)/) as string,
      });
    }
    engine.dispose();
  });

  const everyRow = Array.from({ length: 16 }, (_, b) => b);
  const zeros = everyRow.map(() => 0);
  const sampleKey = { seed: 1, stream: "t", iteration: 0, trajectory: everyRow, step: zeros };
  const request = {
    ...{ prompts: everyRow.map((b) => [b + 4, 5]), key: sampleKey },
    ...{ maxNewTokens: 40, stopIds: [], temperature: 1 },
  };

  /** The verbs that workers share in; each is long enough to be interrupted. */
  function verbs(model: EngineModel) {
    const rows = manyRows(0);
    const dLogprob = coefficients(rows, 1);
    const session = model.decode(16, 60);
    return {
      forward: () => model.forward({ rows, temperature: 1 }),
      backward: () => model.backward({ rows, temperature: 1, dLogprob }),
      generate: () => session.generate(request),
    };
  }
  const names = ["forward", "backward", "generate"] as const;
  const caught = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

  test.each(names)("killed during %s", async (name) => {
    const { spawn, end } = mortal();
    const engine = await open(2, spawn);
    const model = await engine.createModel(nano, nanoWeights(4), "none");
    await model.forward({ rows: manyRows(0), temperature: 1 });
    const under = caught(verbs(model)[name]());
    end();
    expect(await under).toMatchObject({ kind: "backend-failed" });
    expect(((await under) as Error).message).toMatch(/; run again, or with fewer workers$/);
    engine.dispose();
  });

  test.each(names)("an engine disposed of during %s ends it with an error", async (name) => {
    const engine = await open(2);
    const model = await engine.createModel(nano, nanoWeights(4), "none");
    await model.forward({ rows: manyRows(0), temperature: 1 });
    const under = caught(verbs(model)[name]());
    // At once: on a busy machine even the next task may come after a short generation has ended.
    engine.dispose();
    expect(String(await under)).toMatch(/the engine has been disposed of/);
  });

  test.each(names)("a model disposed of during %s ends it alone", async (name) => {
    const engine = await open(2);
    const other = await engine.createModel(nano, nanoWeights(5), "none");
    const expected = await verbs(other).generate();
    const model = await engine.createModel(nano, nanoWeights(4), "none");
    const under = caught(verbs(model)[name]());
    model.dispose();
    expect(String(await under)).toMatch(/the model has been disposed of|has no model/);
    expect(await verbs(other).generate()).toEqual(expected);
    engine.dispose();
  });

  test("a session disposed of while it generates ends it, and its memory is found again", async () => {
    const engine = await open(2);
    const model = await engine.createModel(nano, nanoWeights(4), "none");
    const whole = model.decode(16, 60);
    const expected = await whole.generate(request);
    whole.dispose();
    const cut = model.decode(16, 60);
    const under = caught(cut.generate(request));
    cut.dispose();
    expect(String(await under)).toMatch("the session has been disposed of");
    const again = model.decode(16, 60);
    expect(await again.generate(request)).toEqual(expected);
    engine.dispose();
  });

  test("a session of which a part failed generates no more", async () => {
    const engine = await open(2);
    const weights = nanoWeights(4);
    const D = nano.hiddenSize;
    weights.get("model.embed_tokens.weight")!.data.fill(NaN, 7 * D, 8 * D);
    const model = await engine.createModel(nano, weights, "none");
    const session = model.decode(16, 60);
    const bad = { ...request, prompts: request.prompts.map((ids, b) => (b === 1 ? [7] : ids)) };
    await expect(session.generate(bad)).rejects.toThrow(NotFiniteError);
    await expect(session.generate(request)).rejects.toThrow("has failed before; open another");
    session.dispose();
    engine.dispose();
  });

  test("an answer that cannot be read ends the worker", async () => {
    const { spawn } = mortal();
    const engine = await open(2, spawn);
    const model = await engine.createModel(nano, nanoWeights(4), "none");
    await model.forward({ rows: manyRows(0), temperature: 1 });
    const under = caught(model.forward({ rows: manyRows(0), temperature: 1 }));
    made.at(-1)!.emit("messageerror", new Error("no such class"));
    expect(await under).toMatchObject({
      kind: "backend-failed",
      message: expect.stringContaining("(an answer could not be read: no such class)") as string,
    });
    engine.dispose();
  });

  test("logits that are not finite are the learning's failure there as here", async () => {
    const engine = await open(2);
    const weights = nanoWeights(4);
    // Row 1, the only one that is sampled, is the worker's.
    weights
      .get("model.embed_tokens.weight")!
      .data.fill(NaN, 7 * nano.hiddenSize, 8 * nano.hiddenSize);
    const model = await engine.createModel(nano, weights, "none");
    const session = model.decode(8, 20);
    const trajectory = Array.from({ length: 8 }, (_, b) => b);
    const key = { seed: 1, stream: "t", iteration: 0, trajectory, step: trajectory.map(() => 0) };
    const prompts = trajectory.map((b) => (b === 1 ? [7] : []));
    const request = { prompts, maxNewTokens: 2, stopIds: [], temperature: 1, key };
    await expect(session.generate(request)).rejects.toThrow(NotFiniteError);
    engine.dispose();
  });

  test("a row that outgrows its session is refused by its own number", async () => {
    const engine = await open(2);
    const model = await engine.createModel(nano, nanoWeights(4), "none");
    const session = model.decode(9, 10);
    const trajectory = Array.from({ length: 9 }, (_, b) => b);
    const key = { seed: 1, stream: "t", iteration: 0, trajectory, step: trajectory.map(() => 0) };
    const prompts = trajectory.map((b) => (b === 5 ? [1, 2, 3, 4] : [1]));
    const request = { prompts, maxNewTokens: 7, stopIds: [], temperature: 1, key };
    await expect(session.generate(request)).rejects.toThrow(
      "row 5 needs 11 tokens; the session holds 10",
    );
    engine.dispose();
  });

  test("workers that do not start are done without, and the engine says so", async () => {
    const broken = (): ThreadPort => {
      throw new Error("no threads here");
    };
    const engine = await open(3, broken);
    expect(engine.info.workers).toBe("one thread, more did not start: no threads here");
    const model = await engine.createModel(nano, nanoWeights(4), "none");
    const { logprob } = await model.forward({ rows: manyRows(0), temperature: 1 });
    expect(logprob[1]).toBeLessThan(0);
    engine.dispose();
  });
});
