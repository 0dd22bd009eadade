/** The correction for the sampler's gap: weights of the reference code, exact gradients, rejection. */
import { describe, expect, it } from "vitest";
import {
  computeCredit,
  computeObjective,
  creditMetrics,
  selectTrajectories,
  stepTotals,
} from "../../src/algorithm/registry.ts";
import { acceptedBySampler, samplerWeights } from "../../src/method/objective/sampler.ts";
import type { SamplerName } from "../../src/method/objective/sampler.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { encodeBatch } from "../../src/record/encodeBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { randomBatch } from "./batches.ts";
import { expectClose, method2026, type Matrix } from "../golden/load.ts";

/** The file's numbers have six digits. */
const DIGITS = 1e-5;

interface Inputs {
  /** [rollout][turn][token] */
  train_logp: number[][][];
  rollout_logp: number[][][];
}
interface Expected {
  token_tis: Matrix;
  seq_tis: number[];
  token_icepop: Matrix;
  seq_icepop: number[];
  keep: { token_k1: Matrix; seq_sum_k1: number[]; seq_mean_k1: number[] };
}

describe("against the reference code", () => {
  const { inputs, expected } = method2026<Inputs, Expected>("rollout_correction");
  const batch = decodeBatch({
    trajectories: inputs.train_logp.map((turns, b) => ({
      turns: turns.map((tokens, h) => ({
        tokens: tokens.map((oldLogprob, t) => ({
          oldLogprob,
          logprob: oldLogprob,
          rolloutLogprob: inputs.rollout_logp[b]![h]![t],
        })),
      })),
    })),
  });
  const config = (sampler: SamplerName, samplerLow: number, samplerHigh: number) =>
    resolveAlgorithm("grpo", { sampler, samplerLow, samplerHigh });
  const onTokens = (x: number[]) => x.flatMap((w) => [w, w, w, w]);

  it.each([
    ["token-truncate", 0.5, 2, expected.token_tis.flat()],
    ["sequence-truncate", 0.5, 2, onTokens(expected.seq_tis)],
    ["token-mask", 0.5, 5, expected.token_icepop.flat()],
    ["sequence-mask", 0.5, 5, onTokens(expected.seq_icepop)],
  ] as const)("%s from %d to %d has its weights", (sampler, low, high, weights) => {
    expectClose(samplerWeights(config(sampler, low, high), batch)!, weights, DIGITS);
  });

  // verl's k1 bounds are those of the inverse ratio.
  it.each([
    ["sequence-reject", 0.5, 5, expected.keep.seq_sum_k1],
    ["mean-reject", 0.9, 1.2, expected.keep.seq_mean_k1],
  ] as const)("%s keeps its rollouts", (sampler, low, high, keep) => {
    const own = config(sampler, 1 / high, 1 / low);
    expect(samplerWeights(own, batch)).toBeNull();
    expect([...acceptedBySampler(own, batch)!.rollouts]).toEqual(keep);
    expect([...computeCredit(own, batch).kept!]).toEqual(keep);
  });

  it("token-reject keeps its tokens", () => {
    const { kept, keptTokens } = computeCredit(config("token-reject", 1 / 5, 1 / 0.5), batch);
    expect([...keptTokens!]).toEqual(expected.keep.token_k1.flat());
    expect([...kept!]).toEqual([1, 1, 1, 1, 1]);
  });
});

const SAMPLERS = Object.keys(wordAxes.sampler.values) as SamplerName[];

describe.each(SAMPLERS)("sampler %s", (sampler) => {
  const set = { sampler, samplerLow: 0.9, samplerHigh: 1.1, betaKl: 0.1, whiten: "tokens" };
  const batch = randomBatch(5, { trajectories: 6 });

  it.each(["token", "turn-product", "sequence-geomean", "none"])(
    "has the slope of its loss with ratio %s",
    (ratio) => {
      const config = resolveAlgorithm("grpo", { ...set, ratio });
      const credit = computeCredit(config, batch);
      const lossAt = (logprob: Float64Array) =>
        computeObjective(config, { ...batch, logprob }, credit).loss;
      const { dLogprob } = computeObjective(config, batch, credit);
      const numeric = batch.logprob!.map((x, t, all) => {
        const at = (value: number) => lossAt(all.with(t, value));
        return (at(x + 1e-6) - at(x - 1e-6)) / 2e-6;
      });
      dLogprob.forEach((g, t) => expect(Math.abs(g - numeric[t]!), `[${t}]`).toBeLessThan(1e-6));
      expect(dLogprob.some((g) => g !== 0)).toBe(true);
    },
  );

  it("changes nothing where sampler and training pass agree", () => {
    const agreeing = { ...batch, rolloutLogprob: batch.oldLogprob! };
    const outcome = (name: SamplerName) => {
      const config = resolveAlgorithm("grpo", { ...set, sampler: name });
      return computeObjective(config, agreeing, computeCredit(config, agreeing));
    };
    const [own, plain] = [outcome(sampler), outcome("none")];
    expect(own.loss).toBe(plain.loss);
    expect([...own.dLogprob]).toEqual([...plain.dLogprob]);
  });

  it("is the same over micro-batches of whole rollouts, and says what it needs", () => {
    const config = resolveAlgorithm("grpo", set);
    const credit = computeCredit(config, batch);
    const whole = computeObjective(config, batch, credit);
    const totals = stepTotals(config, batch, credit);
    const parts = [[0, 1], [2, 3, 4], [5]].map((members) => {
      const own = selectTrajectories(batch, credit, members);
      return computeObjective(config, own.batch, own.credit, { totals });
    });
    expect(parts.reduce((sum, { loss }) => sum + loss, 0)).toBeCloseTo(whole.loss, 12);
    const { rolloutLogprob: _, ...without } = batch;
    const run = () => computeObjective(config, without, computeCredit(config, without));
    if (sampler === "none") expect(run).not.toThrow();
    else expect(run).toThrow("trajectories[0].turns[0].tokens[0].rolloutLogprob is missing; grpo");
  });
});

describe("rejected tokens", () => {
  const set = { sampler: "token-reject", samplerLow: 0.85, samplerHigh: 1 / 0.85 };
  const batch = randomBatch(11, { trajectories: 6, turns: 3, tokens: 4, exact: true });
  const { rolloutLogprob } = batch;
  // One turn and one rollout lose all their tokens.
  const [turn, row] = [1, 5];
  const far = batch.oldLogprob!.map((x, t) => {
    const first = batch.turnStart[row]!;
    const inTurn = t >= batch.tokenStart[turn]! && t < batch.tokenStart[turn + 1]!;
    return inTurn || t >= batch.tokenStart[first]! ? x - 2 : rolloutLogprob![t]!;
  });
  const apart = { ...batch, rolloutLogprob: far };

  /** verl's own way: agg_loss with the rejected tokens out of the mask, written out. */
  function masked(mode: string, loss: number[], mask: number[]): number {
    const start = batch.turnStart.map((k) => batch.tokenStart[k]!);
    const sums = batch.task.map((_, b) => {
      const own = loss.slice(start[b], start[b + 1]);
      const keep = mask.slice(start[b], start[b + 1]);
      return {
        sum: own.reduce((all, x, t) => all + x * keep[t]!, 0),
        n: keep.reduce((all, x) => all + x, 0),
      };
    });
    const counted = sums.filter(({ n }) => n > 0);
    const total = sums.reduce((all, { sum }) => all + sum, 0);
    if (mode === "token-mean") return total / sums.reduce((all, { n }) => all + n, 0);
    if (mode === "seq-mean-token-sum") return total / counted.length;
    return counted.reduce((all, { sum, n }) => all + sum / n, 0) / counted.length;
  }

  it.each(["token-mean", "seq-mean-token-mean", "seq-mean-token-sum"])(
    "leave numerator and denominators of %s",
    (aggregation) => {
      const config = resolveAlgorithm("grpo", { ...set, aggregation, epsLow: 1e6, epsHigh: 1e6 });
      const credit = computeCredit(config, apart);
      const mask = [...credit.keptTokens!];
      expect(new Set(mask).size).toBe(2);
      expect([...credit.kept!]).toEqual([1, 1, 1, 1, 1, 0]);
      const own = computeObjective(config, apart, credit);
      const loss = mask.map((_, t) => {
        const ratio = Math.exp(batch.logprob![t]! - batch.oldLogprob![t]!);
        return -ratio * credit.tokenAdvantage[t]!;
      });
      expect(own.loss).toBeCloseTo(masked(aggregation, loss, mask), 12);
      mask.forEach((keep, t) => expect(own.dLogprob[t] !== 0, `[${t}]`).toBe(keep === 1));
      mask.forEach((keep, t) => keep || expect(credit.tokenAdvantage[t]).toBe(0));
    },
  );

  it("are as if they were absent, for ratios of turns and critics too", () => {
    for (const name of ["gspo", "turn-ppo", "token-ppo", "a2tgpo", "clip-cov", "vapo"]) {
      const config = resolveAlgorithm(name, { ...set, whiten: "none", sampler: "token-reject" });
      const credit = computeCredit(config, apart);
      const own = computeObjective(config, apart, credit, {
        entropy: batch.logprob!,
        entropyCoef: 0.1,
      });
      credit.keptTokens!.forEach((keep, t) => {
        if (keep) return;
        expect(own.dLogprob[t], name).toBe(0);
        expect(own.dEntropy![t], name).toBe(0);
        if (config.critic === "token") expect(own.dValue![t], name).toBe(0);
      });
      if (config.critic === "turn") expect(own.dValue![turn], name).toBe(0);
    }
  });

  it("say their shares, and those of rollouts that have one", () => {
    const config = resolveAlgorithm("token-mis", set);
    const credit = computeCredit(config, apart);
    const metrics = creditMetrics(config, apart, credit);
    const mask = [...credit.keptTokens!];
    const start = batch.turnStart.map((k) => batch.tokenStart[k]!);
    const touched = batch.task.filter((_, b) => mask.slice(start[b], start[b + 1]).includes(0));
    const lost = mask.filter((keep) => keep === 0).length / mask.length;
    expect(metrics["rollout_corr/rollout_rs_masked_fraction"]).toBeCloseTo(lost, 12);
    expect(metrics["rollout_corr/rollout_rs_seq_masked_fraction"]).toBeCloseTo(
      touched.length / 6,
      12,
    );
  });

  it("leave statistics of whitening", () => {
    const config = resolveAlgorithm("token-ppo", set);
    const { tokenAdvantage, keptTokens } = computeCredit(config, apart);
    const left = tokenAdvantage.filter((_, t) => keptTokens![t]);
    expect(Math.abs(left.reduce((sum, x) => sum + x, 0))).toBeLessThan(1e-6);
  });
});

it("a rejected rollout counts nowhere, but in its group's mean", () => {
  const batch = randomBatch(7, { trajectories: 6 });
  const far = batch.turnStart[3]!;
  const gap = (b: TrajectoryBatch) =>
    b.oldLogprob!.map((x, t) =>
      t >= b.tokenStart[far]! && t < b.tokenStart[batch.turnStart[4]!]! ? x - 2 : x,
    );
  const apart = { ...batch, rolloutLogprob: gap(batch) };
  const config = resolveAlgorithm("mis");
  const credit = computeCredit(config, apart);
  expect([...credit.kept!]).toEqual([1, 1, 1, 0, 1, 1]);
  const { dLogprob } = computeObjective(config, apart, credit);
  const plain = computeCredit(resolveAlgorithm("grpo"), batch);
  expect(credit.turnAdvantage[0]).toBe(plain.turnAdvantage[0]);
  expect(credit.turnAdvantage[batch.turnStart[2]!]).toBe(plain.turnAdvantage[batch.turnStart[2]!]);
  const tokens = dLogprob.subarray(batch.tokenStart[far]!, batch.tokenStart[batch.turnStart[4]!]);
  expect(tokens.every((g) => g === 0)).toBe(true);
  const metrics = creditMetrics(config, apart, credit);
  expect(metrics["rollout_corr/rollout_rs_seq_masked_fraction"]).toBeCloseTo(1 / 6, 12);
  expect(metrics).not.toHaveProperty("rollout/filter_kept_ratio");
});

it("the batch file carries the sampler's log-probs, and one without them opens", () => {
  const batch = randomBatch(2);
  const { rolloutLogprob: _, ...older } = batch;
  for (const one of [batch, older])
    expect(decodeBatch(JSON.parse(JSON.stringify(encodeBatch(one))))).toEqual(one);
});
