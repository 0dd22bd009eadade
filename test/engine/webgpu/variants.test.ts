/** Every variant of a kernel that a model of the presets or a published one reaches has a case: among the operations, and in the self-check. */
import { beforeAll, describe, expect, test } from "vitest";
import { checkKernels } from "../../../src/engine/check/kernelCheck.ts";
import { kernelCases } from "../../../src/engine/check/kernelCases.ts";
import type { ModelConfig } from "../../../src/engine/modelConfig.ts";
import type { Op } from "../../../src/engine/plan/ops.ts";
import type { Plan } from "../../../src/engine/plan/planner.ts";
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import {
  CHECK_HEAD,
  checkConfig,
  checkParts,
  checkWeights,
} from "../../../src/engine/selfCheckModel.ts";
import { dispatchesOf, type KernelTarget } from "../../../src/engine/webgpu/kernels/index.ts";
import { WebGpuExecutor } from "../../../src/engine/webgpu/executor.ts";
import { loraConfig } from "../../../src/spec/lora.ts";
import { modelPresets } from "../../../src/spec/models.ts";
import { opCases } from "../plan/opCases.ts";
import { PRODUCT_SIZES, randomCases } from "../plan/randomCases.ts";
import { fakeDevice } from "./fakeDevice.ts";
import { decodingOf, plansOf, shapeOf, variantOf, variantsOf } from "./variants.ts";

/** Of Sokoban and of the shop. */
const VOCABULARIES = [64, 448];

/** Layers as wide as published models of half a billion parameters have them: heads of 64 and of 128 numbers. */
const half = { ...modelPresets.nano, layers: 2, vocabSize: 448 };
const PUBLISHED: ModelConfig[] = [
  {
    ...half,
    ...{ family: "qwen2", hiddenSize: 896, heads: 14, kvHeads: 2, headDim: 64 },
    ...{ intermediateSize: 4864, attentionBias: true },
  },
  { ...half, hiddenSize: 1024, heads: 16, kvHeads: 8, headDim: 128, intermediateSize: 3072 },
];

/** Two ranks of vectors, on small layers and on large ones. */
const adaptedConfigs: ModelConfig[] = [modelPresets.nano, PUBLISHED[1]!].flatMap((config) =>
  [8, 32].map((rank) => ({ ...config, lora: loraConfig({ rank }) })),
);

/** One operation of each shape of these plans, which are made one after another: all of them together fill the memory. */
function ofEachShape(...plans: Iterable<Plan>[]): Op[] {
  const shapes = new Map<string, Op>();
  for (const some of plans)
    for (const { ops } of some) for (const op of ops) shapes.set(shapeOf(op), op);
  return [...shapes.values()];
}

let reached: Op[];
let adapted: Op[];
beforeAll(() => {
  const presets = Object.values(modelPresets).flatMap((preset) =>
    VOCABULARIES.map((vocabSize) => ({ ...preset, vocabSize })),
  );
  const halves = [modelPresets.nano, ...PUBLISHED].map((one) => ({
    ...one,
    halfCache: true as const,
  }));
  reached = ofEachShape(...[...presets, ...PUBLISHED].map(plansOf), ...halves.map(decodingOf));
  adapted = ofEachShape(...adaptedConfigs.map(plansOf));
});

/** What the self-check's model runs, on a device that only counts. */
async function checkOps(): Promise<Op[]> {
  const executor = new WebGpuExecutor(fakeDevice());
  const ops: Op[] = [];
  const compile = executor.compile.bind(executor);
  executor.compile = (plan, stores) => {
    ops.push(...plan.ops);
    return compile(plan, stores);
  };
  const model = await createPlanEngine(executor).createModel(
    checkConfig,
    checkWeights(),
    CHECK_HEAD,
  );
  for (const part of checkParts) await part(model);
  return ops;
}

const sizes = (op: Op) =>
  JSON.stringify(op, (_, value: unknown) =>
    typeof value === "object" && value !== null && "store" in value ? "" : value,
  );

const needed = new Map<KernelTarget, Map<string, Op>>();

/** By variant: an operation among those that are reached. */
function neededOn(target: KernelTarget): Map<string, Op> {
  const all = needed.get(target) ?? variantsOf(reached, target);
  needed.set(target, all);
  return all;
}

/** What is reached, whose variants none of these operations has. */
function missed(have: Op[], target: KernelTarget): string[] {
  const all = neededOn(target);
  const known = variantsOf(have, target);
  expect(all.size).toBeGreaterThan(40);
  return [...all].filter(([variant]) => !known.has(variant)).map(([, op]) => sizes(op));
}

const CARD: KernelTarget = { software: false };
const WITH_SUBGROUPS: KernelTarget = { software: false, subgroup: 32 };
const SOFTWARE: KernelTarget = { software: true };

describe("no variant without a case", () => {
  test.each([CARD, WITH_SUBGROUPS, SOFTWARE])("among the operations (%o)", (target) => {
    const cases = opCases.map(({ op }) => op);
    expect(missed(cases, target)).toEqual([]);
  });

  test.each([CARD, WITH_SUBGROUPS, SOFTWARE])("of adapters (%o)", (target) => {
    const all = variantsOf(adapted, target);
    const cases = variantsOf(
      opCases.map(({ op }) => op),
      target,
    );
    const isKnown = (variant: string) => cases.has(variant) || neededOn(target).has(variant);
    const missing = [...all].filter(([variant]) => !isKnown(variant));
    expect(missing.map(([, op]) => sizes(op))).toEqual([]);
  });

  test("in the self-check", async () => {
    const cases = [...(await checkOps()), ...kernelCases().map(({ op }) => op)];
    for (const target of [CARD, WITH_SUBGROUPS]) expect(missed(cases, target)).toEqual([]);
  });
});

const product = (M: number, N: number, K: number): Op => {
  const view = { store: "a", offset: 0, size: 1 };
  return { op: "matmul", layout: "NT", a: view, b: view, out: view, M, N, K };
};

test("a variant is a text, not a size: tiles, lanes and access tell two apart", () => {
  const one = (op: Op) => variantOf(dispatchesOf(op, { software: false })[0]!);
  expect(one(product(2048, 384, 128))).toBe(one(product(1024, 448, 64)));
  const tiles = [product(4, 64, 64), product(4, 64, 32), product(64, 4, 64), product(44, 76, 132)];
  const all = [...tiles, product(320, 320, 20), product(2048, 384, 128), product(2047, 383, 127)];
  expect(new Set(all.map(one)).size).toBe(all.length);
});

test("random products reach the largest tiles, threads that share the depth of few rows, and slices of it", () => {
  const dispatches = randomCases("matmul", PRODUCT_SIZES).flatMap(({ op }) =>
    dispatchesOf(op, { software: false }),
  );
  expect(dispatches.map(({ name }) => name)).toContain("reducePartials");
  const products = dispatches.filter(({ name }) => name.startsWith("matmul"));
  const texts = products.map(({ declarations }) => declarations!);
  const staged = texts.map((text) => Number(/sa: array<vec4f, (\d+)>/.exec(text)![1]));
  // A depth is padded with one vector.
  expect(staged).toContain(16 * (64 / 4 + 1));
  const shared = products.filter(({ body }) => body.includes("if (s > 0u) { return; }"));
  // Few rows and few tiles: four teams of 16 depths, and a tile's rows.
  for (const rows of [8, 16]) {
    const staged = `sa: array<vec4f, ${4 * 16 * (rows / 4 + 1)}>`;
    expect(shared.some(({ declarations }) => declarations!.includes(staged))).toBe(true);
  }
});

test("the self-check's kernels bind no more storage buffers than every device has", async () => {
  const found = await checkKernels(new WebGpuExecutor(fakeDevice()));
  expect(found.size).toBeGreaterThan(60);
});
