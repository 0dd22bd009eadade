/** Where one algorithm is said to be a special case of another. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { expectClose, formula } from "../golden/load.ts";
import { anyBatch, randomBatch } from "./batches.ts";

describe("GSPO is Turn-PPO with the geometric mean, where a trajectory is one turn", () => {
  const gspo = resolveAlgorithm("gspo");
  const { epsLow, epsHigh, aggregation } = gspo;
  const settings = { ratio: "turn-geomean", epsLow, epsHigh, dualClip: "none" };
  /** GSPO's advantages, which are another axis, with the targets of Turn-PPO's critic. */
  const creditOf = (batch: TrajectoryBatch) => {
    const { turnAdvantage, tokenAdvantage } = computeCredit(gspo, batch);
    const own = computeCredit(resolveAlgorithm("turn-ppo"), batch);
    return { ...own, turnAdvantage, tokenAdvantage };
  };
  /** The one and the other on the same advantages: equal bit for bit. @returns GSPO's share of clipped tokens. */
  const checkEqual = (batch: TrajectoryBatch): number => {
    const credit = creditOf(batch);
    const turnPpo = resolveAlgorithm("turn-ppo", { ...settings, aggregation });
    const [one, other] = [gspo, turnPpo].map((config) => computeObjective(config, batch, credit));
    expect(other!.loss).toBe(one!.loss);
    expect(other!.dLogprob).toEqual(one!.dLogprob);
    expect(other!.tokenClipped).toEqual(one!.tokenClipped);
    // Over turns, every trajectory being one, the mean is the same up to rounding.
    for (const mean of ["turn-mean", "traj-turn-mean"]) {
      const config = resolveAlgorithm("turn-ppo", { ...settings, aggregation: mean });
      const { loss, dLogprob } = computeObjective(config, batch, credit);
      expectClose([loss], [one!.loss], 1e-12);
      expectClose(dLogprob, one!.dLogprob, 1e-12);
    }
    return one!.clipShares.clipped;
  };
  it.each([0, 1, 2, 3, 4])("seed %i: some are clipped, some are not", (seed) => {
    const clipped = checkEqual(randomBatch(seed, { turns: 1, trajectories: 12, spread: 3e-3 }));
    expect(clipped).toBeGreaterThan(0);
    expect(clipped).toBeLessThan(1);
  });
  it.each([3e-4, 1])("any batch, log-ratios up to %d", (logRatio) => {
    const property = fc.property(
      anyBatch({ turns: 1, logRatio }),
      (batch) => void checkEqual(batch),
    );
    fc.assert(property, { seed: 5, numRuns: 100 });
  });
  it("with two turns it is not", () => {
    const batch = randomBatch(5, { turns: 2, exact: true });
    const credit = creditOf(batch);
    const turnPpo = resolveAlgorithm("turn-ppo", { ...settings, aggregation });
    expect(computeObjective(turnPpo, batch, credit).loss).not.toBeCloseTo(
      computeObjective(gspo, batch, credit).loss,
      6,
    );
  });
});

describe("A2TGPO's range adapts, and is PPO's where the factors are 1", () => {
  const batch = randomBatch(1, { trajectories: 40, spread: 0.4 });
  const run = (set: Record<string, unknown>) => {
    const config = resolveAlgorithm("a2tgpo", set);
    const credit = computeCredit(config, batch);
    return { credit, ...computeObjective(config, batch, credit) };
  };
  it("a turn is clipped beyond its own range", () => {
    const { credit, turnRatio, turnClipped } = run({});
    const expected = Array.from(turnRatio, (w, k) => {
      const [A, eps] = [credit.turnAdvantage[k]!, 0.2 * credit.epsScale![k]!];
      return (A > 0 && w > 1 + eps) || (A < 0 && w < 1 - eps) ? 1 : 0;
    });
    expect([...turnClipped]).toEqual(expected);
    expect([...turnClipped]).not.toEqual([...run({ clip: "range" }).turnClipped]);
  });
  it("without spread, and under PPO's rule, the factors change nothing", () => {
    const flat = run({ epsSpread: 0 });
    const range = run({ clip: "range" });
    expect(range.credit.epsScale).not.toEqual(flat.credit.epsScale);
    expect(range.dLogprob).toEqual(flat.dLogprob);
    expect(range.loss).toBe(flat.loss);
  });
});

describe("golden G25: at ratio 1 the level only sets what a token of a turn weighs", () => {
  // One trajectory of two turns, of 2 and 8 tokens, with advantages 1 and -1.
  const turns = [
    { n: 2, advantage: 1 },
    { n: 8, advantage: -1 },
  ].map(({ n, advantage }) => ({
    advantage,
    tokens: Array.from({ length: n }, () => ({ logprob: -1, oldLogprob: -1 })),
  }));
  const batch = decodeBatch({ trajectories: [{ turns }] });
  const expected = formula<Record<string, [number, number]>>("G25_token_weights_at_rho1");
  it.each([
    ["product,/N", "turn-ppo", {}],
    ["product,/K", "turn-ppo", { aggregation: "turn-mean" }],
    ["geomean,/K", "turn-ppo", { aggregation: "turn-mean", ratio: "turn-geomean" }],
    ["tokenPPO token-mean", "token-ppo", {}],
  ])("%s", (name, algorithm, set) => {
    const config = resolveAlgorithm(algorithm, { whiten: "none", ...set });
    const { dLogprob } = computeObjective(config, batch, computeCredit(config, batch));
    const [first, second] = expected[name]!;
    expectClose(
      dLogprob.map((g) => -g),
      [...Array<number>(2).fill(first), ...Array<number>(8).fill(second)],
      1e-6,
    );
  });
  it("the geometric mean of the trajectory gives each of its tokens 1/N of the mean advantage", () => {
    const config = resolveAlgorithm("gspo");
    const { dLogprob } = computeObjective(config, batch, computeCredit(config, batch));
    expectClose(dLogprob, Array<number>(10).fill(0.06), 1e-14); // mean A = (2 - 8) / 10
  });
});
