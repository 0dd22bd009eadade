/** Skipping unread rows of the last layer changes no bit of the others. */
import { describe, expect, test } from "vitest";
import type { EngineModel, TokenRows, ValueHead } from "../../../src/engine/engine.ts";
import type { ModelConfig } from "../../../src/engine/modelConfig.ts";
import {
  keptRows,
  keptTargets,
  planPasses,
  selectTargets,
} from "../../../src/engine/plan/batches.ts";
import { createPlanEngine } from "../../../src/engine/plan/planEngine.ts";
import { WasmExecutor } from "../../../src/engine/wasm/executor.ts";
import { nodeKernels } from "../../../src/engine/wasm/node.ts";
import { initModel } from "../../../src/model/initModel.ts";
import { language } from "../learning.ts";
import { nano, nanoWeights } from "../support.ts";

/** The wasm engine; `trims`: as it is, or with all rows computed. */
async function engine(trims: boolean) {
  const executor = await WasmExecutor.create(nodeKernels());
  const { tuning } = executor;
  Object.assign(executor, { tuning: { ...tuning, trims } });
  return createPlanEngine(executor);
}

const qwen2: ModelConfig = { ...nano, family: "qwen2", attentionBias: true };

/** Places that are asked for: most rows have one response at their end, some two, one none. [B, L] */
function maskOf({ B, L }: TokenRows): Uint8Array {
  const mask = new Uint8Array(B * L);
  for (let b = 0; b < B - 1; b++) {
    for (let t = L - 2 - (b % 3); t < L - (b % 2); t++) mask[b * L + t] = 1;
    if (b % 4 === 1) mask.fill(1, b * L + 5, b * L + 8);
  }
  return mask;
}

/** One row of four blocks of a product (512 rows). */
function longRow(): TokenRows {
  const L = 1600;
  const ids = Int32Array.from({ length: L }, (_, t) => (t * t + 3 * t) % 50);
  const position = Int32Array.from(ids, (_, t) => t);
  return { B: 1, L, ids, position, segment: new Int32Array(L) };
}

/** Of its blocks one is read in part, one not at all, one whole, one at its end. [1, L] */
const maskOfLong = ({ L }: TokenRows) =>
  new Uint8Array(L)
    .fill(1, 100, 130)
    .fill(1, 1020, 1540)
    .fill(1, L - 5);

/** Numbers at the places of the mask, 0 elsewhere. [B, L] */
const planeOf = (mask: Uint8Array, factor: number) =>
  Float32Array.from(mask, (on, i) => on * (((i * factor) % 17) / 100 - 0.07));

/** All that a model says and learns, with and without a value and a reference. */
async function everything(
  config: ModelConfig,
  valueHead: ValueHead,
  trims: boolean,
  parts = Array.from({ length: 9 }, (_, step) => language(step)),
) {
  const open = await engine(trims);
  const weights = config === nano ? nanoWeights(4, valueHead) : initModel(config, 4, valueHead);
  const model = await open.createModel(config, weights, valueHead);
  const kl = await open.createModel(config, initModel(config, 7, "none"), "none");
  const said: Float32Array[] = [];
  for (const rows of parts) await one(rows);
  for (const { data } of (await model.readWeights()).values()) said.push(data);
  open.dispose();
  return said;

  async function one(rows: TokenRows): Promise<void> {
    const mask = rows.B === 1 ? maskOfLong(rows) : maskOf(rows);
    const value = valueHead !== "none";
    const out = await model.forward({ rows, mask, temperature: 0.8, entropy: true, value, kl });
    said.push(out.logprob, out.entropy!, out.kl!, ...(value ? [out.value!] : []));
    const [dLogprob, dEntropy, dKl] = [3, 5, 7].map((factor) => planeOf(mask, factor));
    const request = { rows, temperature: 0.8, dLogprob: dLogprob!, dEntropy: dEntropy! };
    await model.backward({ ...request, dKl: dKl!, kl });
    if (value) await model.backward({ rows, temperature: 1, dValue: planeOf(mask, 11) });
    if (value) await model.backward({ ...request, dValue: planeOf(shifted(mask), 13) });
    for (const { data } of (await model.readGrads()).values()) said.push(data);
    await step(model);
  }
}

/** One place to the left: the states before the tokens. */
const shifted = (mask: Uint8Array) => Uint8Array.from(mask, (_, i) => mask[i + 1] ?? 0);

const step = (model: EngineModel) =>
  model.update({
    lr: { trunk: 1e-2, valueHead: 1e-2 },
    ...{ beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 },
  });

const bits = (all: Float32Array[]) => all.map((x) => Buffer.from(x.slice().buffer).toString("hex"));

describe("the last layer of unread rows", () => {
  for (const [name, config] of [
    ["qwen3", nano],
    ["qwen2", qwen2],
  ] as const) {
    for (const head of ["none", "detached", "shared"] as const) {
      test(`is left out without a trace (${name}, value head ${head})`, async () => {
        const [less, all] = [
          await everything(config, head, true),
          await everything(config, head, false),
        ];
        expect(bits(less)).toEqual(bits(all));
      });
    }
  }

  test("is left out of a pass longer than a block of a product", async () => {
    const config = { ...nano, attentionBias: true, maxPositions: 2048 };
    const of = (trims: boolean) => everything(config, "shared", trims, [longRow()]);
    expect(bits(await of(true))).toEqual(bits(await of(false)));
  });

  test("saves the rows that no target and no value need", () => {
    const rows = language(3);
    const mask = maskOf(rows);
    const wanted = (i: number) => mask[i] !== 0;
    const [pass] = planPasses(rows, wanted, () => 512);
    const targets = selectTargets(pass!, rows.ids, wanted);
    const kept = keptRows(pass!, (row) => targets.place[row]! >= 0)!;
    expect(kept.N).toBeLessThan(pass!.R / 2);
    // Every target is found again at its row's new place.
    const moved = keptTargets(targets, kept);
    targets.index.forEach((_, i) => expect(kept.rows[moved.target[i]!]).toBe(targets.target[i]));
    moved.place.forEach((i, row) => i >= 0 && expect(moved.target[i]).toBe(row));
    expect(kept.bounds.at(-1)).toBe(kept.N);
    kept.rows.forEach((row, i) => row >= 0 && expect(kept.keep[row]).toBe(i));
  });

  test("is computed where all are read", () => {
    const rows = language(3);
    const [pass] = planPasses(
      rows,
      () => true,
      () => 512,
    );
    expect(keptRows(pass!, () => true)).toBeNull();
  });
});
