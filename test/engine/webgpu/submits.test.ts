/** How work is handed to a graphics device: in submits of bounded work, two at most under way, and reads that hold up none. */
import { beforeEach, describe, expect, test } from "vitest";
import type { TokenRows, WeightMap } from "../../../src/engine/engine.ts";
import type { ModelConfig } from "../../../src/engine/modelConfig.ts";
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { DevicePace } from "../../../src/engine/webgpu/pace.ts";
import { grid, partsOf, type Dispatch } from "../../../src/engine/webgpu/shader.ts";
import { parameterShapes } from "../../../src/engine/parameters.ts";
import { FakeGpu, FixedPace } from "./fakeDevice.ts";

/** 5.2 million parameters. */
const config: ModelConfig = {
  ...{ family: "qwen3", vocabSize: 1024, hiddenSize: 256, layers: 6, heads: 4, kvHeads: 4 },
  ...{ headDim: 64, intermediateSize: 768, ropeTheta: 10000, rmsNormEps: 1e-6 },
  ...{ tieWordEmbeddings: true, attentionBias: false, maxPositions: 1024 },
};

function zeros(): WeightMap {
  const weights: WeightMap = new Map();
  for (const [name, shape] of parameterShapes(config, "none"))
    weights.set(name, { shape, data: new Float32Array(shape.reduce((a, b) => a * b, 1)) });
  return weights;
}

function rowsOf(B: number, L: number): TokenRows {
  const ids = Int32Array.from({ length: B * L }, (_, i) => (i * 7919) % 1024); // [B, L]
  const position = Int32Array.from(ids, (_, i) => i % L); // [B, L]
  return { B, L, ids, position, segment: new Int32Array(B * L) };
}

let gpu: FakeGpu;
let executor: WebGpuExecutor;
/** Of a device that does that many FLOPs per millisecond. */
function open(speed: number) {
  gpu = new FakeGpu();
  const pace = new FixedPace(speed);
  executor = new WebGpuExecutor(gpu.opened, { pace });
  executor.tuning.passBytes = Infinity; // passes are whole: it is submits that are cut
  const engine = createPlanEngine(executor);
  return { pace, model: () => engine.createModel(config, zeros(), "none") };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const count = (what: string) => gpu.log.filter((one) => one === what).length;

test("what a card begins with while more is recorded is timed with what follows", async () => {
  const { model, pace } = open(5e9);
  const noted: number[] = [];
  Object.assign(pace, { note: (flops: number) => void noted.push(flops) });
  const trained = await model();
  await settled();
  noted.length = 0;
  const rows = rowsOf(8, 256);
  const dLogprob = new Float32Array(rows.ids.length).fill(1e-3); // [B, L]
  await trained.backward({ rows, temperature: 1, dLogprob });
  await trained.gradNorm();
  await settled();
  expect(count("submit")).toBeGreaterThan(5);
  // 60 GFLOP of products, and attention.
  expect(noted.at(-1)).toBeGreaterThan(60e9);
  expect(noted.length).toBeLessThan(3); // and of what the stores were filled with
});

describe("parts of a dispatch", () => {
  const whole = (groups: number): Dispatch => ({
    ...{ name: "adamw", operands: [], dims: {}, body: "", workgroup: 64, groups },
  });

  test.each([
    [100, 7],
    [40_000, 1],
    [40_000, 2],
    [100_000, 3],
    [3_125_000, 2], // AdamW of 200 million parameters
  ])("%i workgroups in %i parts run each once", (groups, parts) => {
    let next = 0;
    for (const part of partsOf(whole(groups), parts)) {
      expect(part.base ?? 0).toBe(next);
      const [width, height] = grid(part.groups);
      next += width * height;
      const isLast = part.base! + part.groups === groups;
      if (!isLast) expect(width * height).toBe(part.groups);
    }
    expect(next).toBeGreaterThanOrEqual(groups);
  });
});

describe("pace", () => {
  let pace: DevicePace;
  beforeEach(() => void (pace = new DevicePace(false)));

  test("a device is taken to be slow at first, and to be as fast as it shows itself", () => {
    expect(pace.budget).toBe(2e9);
    for (let i = 0; i < 30; i++) pace.note(1e10, 10);
    expect(pace.budget / 5e10).toBeCloseTo(1, 3);
    for (let i = 0; i < 30; i++) pace.note(1e10, 1000);
    expect(pace.budget / 5e8).toBeCloseTo(1, 3);
  });

  test("what was measured before is taken for true, until the device shows itself", () => {
    expect(pace.shown).toBeNull();
    pace.expect(NaN);
    pace.expect(1e9);
    expect(pace.budget).toBe(5e10);
    pace.note(1e10, 100);
    expect(pace.shown).toBe(5.5e8);
    pace.expect(1e9);
    expect(pace.budget).toBe(5.5e8 * 50);
  });

  test("what is over before one can ask says only that it is not slower", () => {
    pace.note(4e7, 4);
    expect(pace.budget).toBe(2e9);
    pace.note(1e9, 1);
    expect(pace.budget).toBe(1e10);
  });
});

describe("a backward of 2048 tokens", () => {
  const rows = rowsOf(8, 256);
  const dLogprob = new Float32Array(rows.ids.length).fill(1e-3); // [B, L]

  /** Handed to a device of this speed that ends nothing by itself. */
  async function begun(speed: number) {
    const { model, pace } = open(speed);
    const trained = await model();
    gpu.held = true;
    gpu.log.length = 0;
    await trained.backward({ rows, temperature: 1, dLogprob });
    const norm = trained.gradNorm();
    await settled();
    return { pace, norm };
  }

  test("on a slow device is many submits of 50 ms at most, two under way, in order", async () => {
    const { pace, norm } = await begun(1e8); // 100 GFLOP a second
    expect(count("submit")).toBe(2);
    expect(executor.counts().underWay).toBe(2);
    // Each end lets one more go.
    for (let i = 0; i < 4; i++) {
      const before = count("submit");
      gpu.finish();
      await settled();
      expect(count("submit")).toBe(before + 1);
    }
    gpu.held = false;
    for (let i = 0; i < 3; i++) gpu.finish();
    await norm;
    const { longest, underWay, submits } = executor.counts();
    expect(underWay).toBe(2);
    expect(longest).toBeLessThanOrEqual(pace.budget);
    // 60 GFLOP of products at 5 GFLOP each.
    expect(submits).toBeGreaterThan(12);
    expect(submits).toBeLessThan(30);
    expect(gpu.log.at(-1)).toBe("map");
  });

  test("on a fast device begins while it is recorded, and waits for nothing", async () => {
    const { model } = open(5e9);
    gpu.held = true;
    const trained = await model();
    await trained.backward({ rows, temperature: 1, dLogprob });
    await trained.gradNorm();
    gpu.log.length = 0;
    await trained.backward({ rows, temperature: 1, dLogprob });
    await trained.gradNorm();
    const early = Array.from({ length: 5 }, () => "submit");
    expect(gpu.log.filter((one) => one !== "write")).toEqual([...early, "copy", "submit", "map"]);
  });

  test("a software adapter, which pays for each submit, is given all at once", async () => {
    gpu = new FakeGpu();
    const pace = new DevicePace(true, 5e9);
    executor = new WebGpuExecutor({ ...gpu.opened, software: true }, { pace });
    const trained = await createPlanEngine(executor).createModel(config, zeros(), "none");
    const step = async () => {
      await trained.backward({ rows: rowsOf(2, 128), temperature: 1, dLogprob });
      await trained.gradNorm();
    };
    await step();
    gpu.log.length = 0;
    await step();
    expect(gpu.log.filter((one) => one !== "write")).toEqual(["copy", "submit", "map"]);
  });

  test("a card that is known to be fast is given dispatches whole, another one in parts", async () => {
    const dispatches = async (speed: number) => {
      const { model } = open(speed);
      const trained = await model();
      await trained.backward({ rows, temperature: 1, dLogprob });
      return executor.dispatches();
    };
    const [slow, fast] = [await dispatches(4e7), await dispatches(5e9)];
    expect(fast).toBeLessThan(slow);
    // Products of 2048 x 768 x 256, twice as long as a slow device gets, and attention.
    expect(slow - fast).toBeGreaterThan(3);
  });

  test("a device that is busy is given more only as it gets on, in as few submits as that takes", async () => {
    const { norm } = await begun(2e8); // 10 GFLOP a submit, of 60
    const early = count("submit");
    expect(early).toBeGreaterThan(1);
    gpu.held = false;
    for (let i = 0; i < early; i++) gpu.finish();
    await norm;
    // The rest was cut where a submit is full, and nowhere else.
    expect(count("submit") - early).toBeLessThanOrEqual(8);
  });

  test("a dispatch is 4 GFLOP at most on a device that is not known to be fast", async () => {
    const { model } = open(1e6); // so slow that each dispatch is a submit of its own
    const trained = await model();
    await trained.backward({ rows: rowsOf(2, 1024), temperature: 1, dLogprob });
    await trained.gradNorm();
    expect(executor.counts().longest).toBeLessThanOrEqual(4e9);
  });
});

test("a forward of many passes submits all before it waits for the first", async () => {
  const { model } = open(1e12);
  const trained = await model();
  gpu.silent = "maps";
  gpu.log.length = 0;
  void trained.forward({ rows: rowsOf(20, 512), temperature: 1 }).catch(() => undefined);
  await settled();
  expect(count("map")).toBe(5);
});

describe("decoding", () => {
  async function generate(stopIds: number[]) {
    const { model } = open(1e12);
    const session = (await model()).decode(4, 64);
    const request = {
      ...{ prompts: [[1, 2], [3], [4], [5]], maxNewTokens: 20, stopIds, temperature: 1 },
      key: { seed: 1, stream: "t", iteration: 0, trajectory: [0, 1, 2, 3], step: [0, 0, 0, 0] },
    };
    gpu.silent = "maps";
    gpu.log.length = 0;
    void session.generate(request).catch(() => undefined);
    await settled();
    return count("map");
  }

  test("that nothing ends early gives out all steps before its one look", async () => {
    expect(await generate([])).toBe(1);
  });

  test("that stop tokens may end looks four steps late", async () => {
    expect(await generate([9])).toBe(2);
  });
});
