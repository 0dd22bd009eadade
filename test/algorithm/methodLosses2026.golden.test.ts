/** Losses of newer rows against the worked examples of `methods2026.json`. */
import { describe, expect, it } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { expectClose, method2026, type Matrix } from "../golden/load.ts";

/** The file's numbers have six digits. */
const DIGITS = 1e-5;

interface Inputs {
  /** [rollout][turn][token] */
  logp: number[][][];
  old_logp: number[][][];
  /** [rollout][turn] */
  adv?: Matrix;
  groups?: number[];
  anchors?: string[][];
  turn_rewards?: Matrix;
  success?: number[];
}

function batchOf({ logp, old_logp, adv, ...of }: Inputs) {
  return decodeBatch({
    trajectories: logp.map((turns, b) => ({
      ...(of.groups && { task: `t${of.groups[b]}` }),
      ...(of.success && { success: of.success[b] === 1 }),
      turns: turns.map((tokens, h) => ({
        ...(of.turn_rewards && { reward: of.turn_rewards[b]![h] }),
        ...(of.anchors && { anchor: of.anchors[b]![h] }),
        ...(adv && { advantage: adv[b]![h] }),
        tokens: tokens.map((logprob, t) => ({ logprob, oldLogprob: old_logp[b]![h]![t] })),
      })),
    })),
  });
}

function objective(name: string, inputs: Inputs, set: Record<string, unknown>) {
  const batch = batchOf(inputs);
  const config = resolveAlgorithm(name, set);
  const credit = computeCredit(config, batch);
  return { credit, ...computeObjective(config, batch, credit) };
}

interface LossExpected {
  loss: number;
  /** [rollout][turn][token], or a rollout's tokens in one row. */
  grad_logp: (number | number[])[][];
}

describe.each([
  ["sapo", "sapo", {}],
  ["dppo_tv", "dppo-tv", { epsLow: 0.08, epsHigh: 0.08, dualClip: 20 }],
  ["dppo_kl", "dppo-kl", { epsLow: 0.03, epsHigh: 0.03, dualClip: 20 }],
  ["dro", "dro", { betaOld: 0.5 }],
  ["kl_cov", "kl-cov", { covShare: 0.15 }],
] as const)("%s is %s", (id, name, set) => {
  const { inputs, expected } = method2026<Inputs, LossExpected>(id);

  it("has the loss and gradient of the reference", () => {
    const aggregation = name.startsWith("dppo") ? { aggregation: "token-mean" } : {};
    const { loss, dLogprob } = objective(name, inputs, { ...set, ...aggregation });
    expectClose([loss], [expected.loss], DIGITS);
    expectClose(dLogprob, expected.grad_logp.flat(2), DIGITS);
  });

  it("is not the loss of a row that lacks its one choice", () => {
    const { loss } = objective("cispo", inputs, {});
    expect(Math.abs(loss - expected.loss)).toBeGreaterThan(10 * DIGITS);
  });
});

it("SAPO by the sign of a whole rollout's advantage has another loss: the reading not taken", () => {
  const { inputs, expected } = method2026<
    Inputs,
    { loss: number; loss_tau_by_trajectory_mean_token_mean: number }
  >("sapo");
  const { loss } = objective("sapo", inputs, { aggregation: "token-mean" });
  expect(Math.abs(loss - expected.loss_tau_by_trajectory_mean_token_mean)).toBeGreaterThan(DIGITS);
  expectClose([loss], [expected.loss], DIGITS); // rollouts of one length: both means agree
});

it("DPPO cuts the tokens that the reference calls invalid, and no others", () => {
  for (const [id, name] of [
    ["dppo_tv", "dppo-tv"],
    ["dppo_kl", "dppo-kl"],
  ] as const) {
    const { inputs, expected } = method2026<Inputs, { valid: Matrix }>(id);
    const eps = id === "dppo_tv" ? 0.08 : 0.03;
    const { tokenClipped } = objective(name, inputs, { epsLow: eps, epsHigh: eps });
    expect([...tokenClipped]).toEqual(expected.valid.flat().map((valid) => 1 - valid));
  }
});

it("SAMPO is GiGPO's credit, a ratio per turn, and groups with some successes", () => {
  const { inputs, expected } = method2026<
    Inputs,
    { advantages: Matrix; ratio: Matrix; clipped: Matrix } & LossExpected
  >("sampo");
  const { credit, loss, dLogprob, turnRatio } = objective("sampo", inputs, { betaKl: 0 });
  const kept = expected.advantages.slice(0, 3).flat();
  expectClose(credit.turnAdvantage, [...kept, 0, 0, 0, 0], DIGITS); // task 1 is filtered
  expectClose(turnRatio, expected.ratio.flat(), DIGITS);
  expectClose([loss], [expected.loss], DIGITS);
  expectClose(dLogprob, expected.grad_logp.flat(2), DIGITS);
  const all = objective("sampo", inputs, { betaKl: 0, filter: "none" });
  expectClose(all.credit.turnAdvantage, expected.advantages.flat(), DIGITS);
});

it("SO-GRPO is GRPO's score with a geometric-mean ratio per turn", () => {
  const { inputs, expected } = method2026<
    Inputs & { scores: number[] },
    {
      advantages: number[];
      ratio_geomean: Matrix;
      clipped_geomean: Matrix;
      loss_geomean: number;
      loss_arithmetic: number;
      coef_grad_logpi: number[][][];
    }
  >("so_grpo");
  const paid = { ...inputs, turn_rewards: inputs.scores.map((score) => [0, score]) };
  const set = { epsLow: 0.1, epsHigh: 0.1 };
  const { credit, loss, dLogprob, turnRatio, turnClipped } = objective("so-grpo", paid, set);
  const onTurns = expected.advantages.flatMap((A) => [A, A]);
  expectClose(credit.turnAdvantage, onTurns, DIGITS);
  expectClose(turnRatio, expected.ratio_geomean.flat(), DIGITS);
  expect([...turnClipped]).toEqual(expected.clipped_geomean.flat());
  expectClose([loss], [expected.loss_geomean], DIGITS);
  expect(Math.abs(loss - expected.loss_arithmetic)).toBeGreaterThan(10 * DIGITS);
  // The reference states dJ/dlog pi; ours is of the loss.
  expectClose(
    dLogprob.map((g) => -g),
    expected.coef_grad_logpi.flat(2),
    DIGITS,
  );
});
