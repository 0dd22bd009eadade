/** What methods on preference pairs need of an engine: the full-vocabulary KL to a reference and its gradient. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Engine, TokenRows, WeightMap } from "../../src/engine/engine.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { EMBEDDING, FINAL_NORM, LM_HEAD } from "../../src/engine/parameters.ts";
import { initModel } from "../../src/model/initModel.ts";
import { exp, logSumExp } from "../../src/numeric/deterministic.ts";
import { preferenceLoss } from "../../src/algorithm/preference.ts";
import { preferenceConfig } from "../../src/spec/preference.ts";
import { gather, scatter } from "../../src/train/columns.ts";
import { farthest, nano, nanoWeights, openEngine, tokenRows, type EngineName } from "./support.ts";
import { some } from "../every.ts";

const engines = ["cpu", "wasm", "plan wasm", "plan webgpu", "webgpu"] as const;

type Logits = number[][][];

interface Inputs {
  chosen_logits: Logits;
  rejected_logits: Logits;
  ref_chosen_logits: Logits;
  ref_rejected_logits: Logits;
  chosen_labels: number[][];
  rejected_labels: number[][];
}

interface GoldenCase {
  name: string;
  inputs: Inputs & { beta: number; alpha: number; if_tdpo2: boolean; same_inputs_as?: string };
  outputs: {
    chosen: { position_kl: number[] };
    rejected: { position_kl: number[] };
    losses: number[];
    grad_of_mean_loss_wrt_chosen_logits: Logits;
    grad_of_mean_loss_wrt_rejected_logits: Logits;
  };
}

const { cases } = JSON.parse(
  readFileSync(new URL("../golden/dpo/tdpo_from_logits.json", import.meta.url), "utf8"),
) as { cases: GoldenCase[] };

const V = 7;
const HIDDEN = 64;
/** Every place has a token of its own, beyond the V that can be said. */
const shape: ModelConfig = {
  ...nano,
  vocabSize: V + 48,
  hiddenSize: HIDDEN,
  layers: 1,
  tieWordEmbeddings: false,
};

/**
 * A decoder whose logits are given: attention and MLP add nothing, the token of place j has the hidden state e_j after
 * the final norm, and column j of the head holds that place's logits; what cannot be said has probability e^-50.
 */
function modelOf(logits: Logits): WeightMap {
  const weights = initModel(shape, 1);
  for (const [name, { data }] of weights) if (/(o_proj|down_proj)/.test(name)) data.fill(0);
  const embedding = weights.get(EMBEDDING)!.data.fill(0); // [V + places, HIDDEN]
  const head = weights.get(LM_HEAD)!.data.fill(-50); // [V + places, HIDDEN]
  weights.get(FINAL_NORM)!.data.fill(1 / Math.sqrt(HIDDEN));
  logits.flat().forEach((row, j) => {
    embedding[(V + j) * HIDDEN + j] = 100; // large, so that the norm's epsilon counts for nothing
    row.forEach((z, v) => (head[v * HIDDEN + j] = z));
  });
  return weights;
}

/** Logits at t predict label t + 1; a place holds only its own token. */
function rowsOf(labels: number[][]): { rows: TokenRows; tokenAt: Int32Array; start: Int32Array } {
  const [B, L] = [labels.length, labels[0]!.length];
  const places = Array.from({ length: B * L }, (_, i) => i);
  const counted = (i: number) => i % L > 0 && labels.flat()[i] !== -100;
  const rows = {
    ...{ B, L },
    ids: Int32Array.from(places, (i) => V + i),
    position: Int32Array.from(places, (i) => i % L),
    segment: new Int32Array(B * L),
    labels: Int32Array.from(labels.flat(), (label) => Math.max(0, label)),
  };
  const perRow = labels.map((_, b) => places.slice(b * L, b * L + L).filter(counted).length);
  const start = Int32Array.of(0, ...perRow.map((_, b) => sum(perRow.slice(0, b + 1))));
  return { rows, tokenAt: Int32Array.from(places.filter(counted)), start };
}

const sum = (x: number[]) => x.reduce((a, b) => a + b, 0);

/** KL of two rows of logits in float64. */
function klOf(ref: ArrayLike<number>, pi: ArrayLike<number>): number {
  const [r, p] = [logSumExp(ref), logSumExp(pi)];
  return Array.from(ref).reduce((s, z, v) => s + exp(z - r) * (z - r - (pi[v]! - p)), 0);
}

// tfjs on WebGPU is no engine of a run by itself.
describe.each<EngineName>(some(engines, (name) => name !== "webgpu"))("on %s", (name) => {
  let engine: Engine;
  beforeAll(async () => void (engine = await openEngine(name)));

  test.each(cases)(
    "golden TDPO, KL and gradients with respect to logits: $name",
    async (golden) => {
      const { inputs, outputs } = golden;
      const from = cases.find((other) => other.name === inputs.same_inputs_as)?.inputs ?? inputs;
      const policy = modelOf([...from.chosen_logits, ...from.rejected_logits]);
      const model = await engine.createModel(shape, policy, "none");
      const kept = modelOf([...from.ref_chosen_logits, ...from.ref_rejected_logits]);
      const reference = await engine.createModel(shape, kept, "none");
      const { rows, tokenAt, start } = rowsOf([...from.chosen_labels, ...from.rejected_labels]);
      const request = { rows, temperature: 1, kl: reference };
      const [out, ref] = [await model.forward(request), await reference.forward(request)];
      const kl = gather(out.kl!, tokenAt);
      const { beta, alpha, if_tdpo2 } = inputs;
      const settings = { beta, alpha, labelSmoothing: 0 };
      const result = preferenceLoss(preferenceConfig(if_tdpo2 ? "tdpo2" : "tdpo1", settings), {
        logprob: gather(out.logprob, tokenAt),
        refLogprob: gather(ref.logprob, tokenAt),
        ...{ kl, start },
      });
      const { chosen, rejected } = outputs;
      expect(farthest(result.seqKl, [...chosen.position_kl, ...rejected.position_kl])).toBeLessThan(
        1e-4,
      );
      expect(farthest(result.pairLoss, outputs.losses)).toBeLessThan(1e-5);
      const dLogprob = scatter(result.dLogprob, tokenAt, rows);
      await model.backward({ ...request, dLogprob, dKl: scatter(result.dKl!, tokenAt, rows) });
      // The hidden state of place j is e_j: the head's gradient in column j is the loss's by the logits of place j.
      const { data } = (await model.readGrads()).get(LM_HEAD)!;
      const wanted = [
        ...outputs.grad_of_mean_loss_wrt_chosen_logits,
        ...outputs.grad_of_mean_loss_wrt_rejected_logits,
      ].flat();
      const got = wanted.flatMap((row, j) => row.map((_, v) => data[v * HIDDEN + j]!));
      expect(Math.max(...wanted.flat().map(Math.abs))).toBeGreaterThan(1e-3);
      expect(farthest(got, wanted.flat())).toBeLessThan(1e-6);
      model.dispose();
      reference.dispose();
    },
  );

  test("KL and its gradient agree with float64 logits and with the referee", async () => {
    const [ours, theirs] = [await nanoKl(engine), await nanoKl(await openEngine("cpu"))];
    expect(Math.max(...theirs.kl)).toBeGreaterThan(0.05);
    expect(farthest(ours.kl, theirs.kl)).toBeLessThan(1e-4);
    expect(farthest(ours.kl, ours.fromLogits)).toBeLessThan(1e-4);
    for (const [param, { data }] of theirs.grads) {
      expect(
        data.some((x) => Math.abs(x) > 1e-4),
        param,
      ).toBe(true);
      expect(farthest(ours.grads.get(param)!.data, data), param).toBeLessThan(1e-4);
    }
  });
});

/** KL between two nano models at a temperature, twice: by the engine, and from both models' logits in float64. */
async function nanoKl(engine: Engine) {
  const model = await engine.createModel(nano, nanoWeights(11), "none");
  const reference = await engine.createModel(nano, nanoWeights(12), "none");
  const ids = [0, 1, 2].map((b) => Array.from({ length: 12 }, (_, t) => (b * 17 + t * t) % 50));
  const mask = ids.map((row, b) => row.map((_, t) => (t < 12 - 3 * b ? 1 : 0)));
  const rows = tokenRows({ input_ids: ids, attention_mask: mask });
  const temperature = 0.8;
  const asked = { rows, temperature };
  const { kl, logits } = await model.forward({ ...asked, kl: reference, logits: true });
  const other = (await reference.forward({ ...asked, logits: true })).logits!;
  const before = (plane: Float32Array, i: number) =>
    plane.subarray((i - 1) * nano.vocabSize, i * nano.vocabSize).map((z) => z / temperature);
  const fromLogits = Array.from(kl!, (_, i) => {
    const predicted = i % rows.L > 0 && rows.segment[i]! >= 0;
    return predicted ? klOf(before(other, i), before(logits!, i)) : 0;
  });
  const dKl = Float32Array.from(kl!, (_, i) => (rows.segment[i]! < 0 ? 0 : ((i * 5) % 7) / 30));
  await model.backward({ ...asked, dKl, kl: reference });
  const grads = await model.readGrads();
  model.dispose();
  reference.dispose();
  return { kl: kl!, fromLogits, grads };
}
