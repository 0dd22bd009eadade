/** The clipping-bias correction on a batch without a model, and that the trainer's is the same. */
import { describe, expect, it } from "vitest";
import { compareRows } from "../../src/algorithm/compare.ts";
import { computeCredit, computeObjective, correctOnBatch } from "../../src/algorithm/registry.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { correctClipBias } from "../../src/train/update.ts";
import type { Learner } from "../../src/train/learner.ts";
import { expectClose } from "../golden/load.ts";
import { randomBatch } from "./batches.ts";

const batch = randomBatch(7, { trajectories: 6, spread: 0.6 });
const tight = { epsLow: 0.01, epsHigh: 0.01 };
const readings = Object.keys(wordAxes.clipBias.values).filter((name) => name !== "none");

function onBatch(name: string, set: Record<string, unknown>) {
  const config = resolveAlgorithm(name, set);
  const credit = computeCredit(config, batch);
  const plain = computeObjective(config, batch, credit);
  return { config, plain, ...correctOnBatch(config, batch, credit, plain) };
}

describe.each(readings)("clipBias %s over the log-probs", (clipBias) => {
  const more = { clipBiasScope: "logprobs", clipBiasKappa: 0.01, betaKl: 0.2 };
  const set = { clipBias, ...tight, ...more };
  it.each(["s-ppo", "st-ppo", "grpo", "starpo-s"])("%s", (name) => {
    const { config, plain, objective, note } = onBatch(name, set);
    const C = Math.hypot(...plain.dLogprobCut);
    expect(C).toBeGreaterThan(0.01);
    const share = plain.metrics["actor/pg_clipfrac"]! + plain.metrics["actor/pg_clipfrac_lower"]!;
    const kappa = config.clipBiasKappa;
    const by = {
      "max-one": Math.max(1, C / kappa),
      norm: C,
      "norm-plus-one": C / kappa + 1,
      "clipped-batches": share > 0.2 ? C / kappa : 1,
    }[clipBias]!;
    expect(note).toBeNull();
    expect(objective.loss).toBe(plain.loss);
    expectClose(
      objective.dLogprob,
      plain.dLogprob.map((g) => g / by),
      1e-14,
    );
    expectClose([objective.metrics["actor/clip_bias_norm/mean"]!], [C], 1e-12);
    expectClose([objective.metrics["actor/clip_bias_denominator/mean"]!], [by], 1e-10);
  });

  it("is what the trainer makes of the same minibatch", async () => {
    const { config, plain, objective } = onBatch("st-ppo", set);
    const learner = { algorithm: config } as Learner; // no network is asked
    const trained = await correctClipBias(learner, plain, batch, [], 1);
    expect(trained.objective.dLogprob).toEqual(objective.dLogprob);
    expect(objective.metrics).toEqual({ ...plain.metrics, ...trained.metrics });
  });
});

it("a share of clipped tokens is one of those that a filter keeps", () => {
  // Of all tokens less than 20 % are clipped, of the kept ones more: only then is anything divided.
  const more = { clipBiasScope: "logprobs", clipBiasKappa: 1e-6 };
  const set = { clipBias: "clipped-batches", ...tight, ...more };
  const { plain, objective } = onBatch("starpo-s", set);
  const all = plain.tokenClipped.reduce((sum, c) => sum + c, 0) / plain.tokenClipped.length;
  expect(all).toBeLessThan(0.2);
  expect(plain.metrics["actor/pg_clipfrac"]).toBeGreaterThan(0.2);
  expect(objective.metrics["actor/clip_bias_denominator/mean"]).toBeGreaterThan(1);
});

describe("what a batch does not allow is said", () => {
  it.each(["minibatch", "trajectory"])("scope %s", (clipBiasScope) => {
    const { plain, objective, note } = onBatch("s-ppo", { clipBiasScope });
    expect(objective).toBe(plain);
    expect(note).toMatch(`clipBias max-one is not applied: with clipBiasScope ${clipBiasScope},`);
  });
  it("nothing is said where no correction is asked for", () => {
    const { plain, objective, note } = onBatch("s-ppo", { clipBias: "none" });
    expect(objective).toBe(plain);
    expect(note).toBeNull();
  });
});

it("compare corrects as well, and says where it does not", () => {
  const scopes = ["logprobs", "minibatch"];
  const configs = scopes.map((clipBiasScope) =>
    resolveAlgorithm("st-ppo", { clipBiasScope, clipBiasKappa: 0.01 }),
  );
  const [corrected, plain] = compareRows(batch, configs).rows;
  const { objective } = onBatch("st-ppo", { clipBiasScope: "logprobs", clipBiasKappa: 0.01 });
  expect(corrected!.objective).toEqual(objective);
  expect(corrected!.objective.dLogprob).not.toEqual(plain!.objective.dLogprob);
  expect([corrected!.note, plain!.note]).toEqual([null, expect.stringContaining("minibatch")]);
});
