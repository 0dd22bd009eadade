/** What a filter leaves out is not there for the objective: DAPO and StarPO-S. */
import { describe, expect, it } from "vitest";
import {
  computeCredit,
  computeObjective,
  selectTrajectories,
  stepTotals,
} from "../../src/algorithm/registry.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { randomBatch } from "./batches.ts";

/** Four groups of two; the second's scores are equal, the first's differ by 1, the others' little. Any score is success. */
function groupsBatch(seed: number): TrajectoryBatch {
  const batch = randomBatch(seed, { trajectories: 8, spread: 0.5 });
  const score = [0, 1, 0, 0, 0, 0.1, 0.2, 0]; // [B]
  batch.turnReward.fill(0);
  score.forEach((s, b) => (batch.turnReward[batch.turnStart[b + 1]! - 1] = s));
  batch.success = Float64Array.from(score, (s) => (s > 0 ? 1 : 0)); // [B]
  return batch;
}

const rows: [string, Record<string, unknown>, number[]][] = [
  ["dapo", {}, [0, 1, 4, 5, 6, 7]],
  ["dapo", { betaKl: 0.3 }, [0, 1, 4, 5, 6, 7]],
  ["starpo-s", {}, [0, 1]],
  ["starpo-s", { filterKeep: 0.5, betaKl: 0.3, valueClip: 0.2 }, [0, 1, 6, 7]],
  ["turn-ppo", { filter: "reward-std", filterKeep: 0.5 }, [0, 1, 6, 7]],
  ["turn-ppo-vagen", { filter: "mixed" }, [0, 1, 4, 5, 6, 7]],
];

describe.each(rows)("%s %j", (name, set, members) => {
  it.each(Object.keys(wordAxes.aggregation.values))("%s: is that of the kept alone", (mode) => {
    const config = resolveAlgorithm(name, { ...set, aggregation: mode });
    const batch = groupsBatch(5);
    const credit = computeCredit(config, batch);
    const whole = computeObjective(config, batch, credit);
    const part = selectTrajectories(batch, credit, members);
    // Nobody filters here: the part is a batch of its own, with an estimate of its own.
    const unfiltered = { ...config, filter: "none" } as const;
    const own = computeCredit(unfiltered, part.batch);
    const alone = computeObjective(unfiltered, part.batch, own);
    const { loss, valueLoss, metrics, clipShares } = alone;
    expect(whole).toMatchObject({ loss, valueLoss, metrics, clipShares });
    expect(Object.keys(whole.metrics)).toEqual(Object.keys(metrics));
    const ofTokens = (x: ArrayLike<number>) => Array.from(part.tokens, (t) => x[t]);
    const ofTurns = (x: ArrayLike<number>) => Array.from(part.turns, (k) => x[k]);
    for (const column of ["dLogprob", "dLogprobCut", "tokenRatio", "tokenClipped"] as const)
      expect(ofTokens(whole[column])).toEqual([...alone[column]]);
    for (const column of ["turnRatio", "turnClipped"] as const)
      expect(ofTurns(whole[column])).toEqual([...alone[column]]);
    if (alone.dValue)
      expect((config.critic === "turn" ? ofTurns : ofTokens)(whole.dValue!)).toEqual([
        ...alone.dValue,
      ]);
    expect(alone.dLogprob.some((g) => g !== 0)).toBe(true);
  });

  it("the left out have no gradient, but their ratios", () => {
    const config = resolveAlgorithm(name, set);
    const batch = groupsBatch(6);
    const whole = computeObjective(config, batch, computeCredit(config, batch));
    const left = new Set(batch.task.keys());
    members.forEach((b) => left.delete(b));
    expect(left.size).toBeGreaterThan(0);
    const { turnStart, tokenStart } = batch;
    const values = config.critic === "turn" ? turnStart : turnStart.map((k) => tokenStart[k]!); // [B+1]
    for (const b of left) {
      const tokens = [tokenStart[turnStart[b]!], tokenStart[turnStart[b + 1]!]] as const;
      const zero = (x: Float64Array | Uint8Array) => x.slice(...tokens).every((g) => g === 0);
      expect(zero(whole.dLogprob) && zero(whole.dLogprobCut) && zero(whole.tokenClipped)).toBe(
        true,
      );
      const dValue = whole.dValue?.slice(values[b], values[b + 1]) ?? new Float64Array(0);
      expect(dValue.every((g) => g === 0)).toBe(true);
      const ratios = whole.tokenRatio.slice(...tokens);
      expect(ratios.every((w) => w > 0) && ratios.some((w) => w !== 1)).toBe(true);
    }
  });

  it("micro-batches of one, the left out among them, add up", () => {
    const config = resolveAlgorithm(name, set);
    const batch = groupsBatch(7);
    const credit = computeCredit(config, batch);
    const whole = computeObjective(config, batch, credit);
    const totals = stepTotals(config, batch, credit);
    const parts = batch.task.map((_, b) => {
      const one = selectTrajectories(batch, credit, [b]);
      return { ...one, ...computeObjective(config, one.batch, one.credit, { totals }) };
    });
    const sum = (x: (number | null)[]) => x.reduce<number>((total, y) => total + (y ?? 0), 0);
    expect(sum(parts.map(({ loss }) => loss))).toBeCloseTo(whole.loss, 12);
    expect(sum(parts.map(({ valueLoss }) => valueLoss))).toBeCloseTo(whole.valueLoss ?? 0, 12);
    const joined = parts.flatMap(({ dLogprob }) => [...dLogprob]);
    expect(joined).toEqual([...whole.dLogprob]);
  });
});

it("an entropy bonus counts the kept tokens only", () => {
  const config = resolveAlgorithm("dapo");
  const batch = groupsBatch(8);
  const entropy = batch.logprob!.map((x) => -x); // [N]
  const credit = computeCredit(config, batch);
  const { dEntropy } = computeObjective(config, batch, credit, { entropy, entropyCoef: 0.5 });
  expect(dEntropy!.reduce((sum, g) => sum + g, 0)).toBeCloseTo(-0.5, 12);
  const { turnStart, tokenStart } = batch;
  const left = dEntropy!.slice(tokenStart[turnStart[2]!], tokenStart[turnStart[4]!]);
  expect(left.every((g) => g === 0)).toBe(true);
});

it("where nothing is kept there is nothing to learn, and no metric that is not a number", () => {
  const config = resolveAlgorithm("dapo", { betaKl: 0.1 });
  const batch = randomBatch(9);
  batch.success!.fill(0);
  const credit = computeCredit(config, batch);
  expect([...credit.kept!]).toEqual([0, 0, 0, 0]);
  const { loss, dLogprob, metrics, clipShares } = computeObjective(config, batch, credit);
  expect(loss).toBe(0);
  expect(dLogprob.every((g) => g === 0)).toBe(true);
  expect(metrics["actor/pg_loss"]).toBe(0);
  expect([...Object.values(metrics), ...Object.values(clipShares)].every(Number.isFinite)).toBe(
    true,
  );
});

it("a missing number is named by its place in the whole batch", () => {
  const config = resolveAlgorithm("starpo-s");
  const batch = groupsBatch(5);
  const swapped = { ...batch, logprob: batch.logprob!.slice() };
  swapped.logprob[batch.tokenStart[batch.turnStart[6]!]!] = NaN;
  const run = () => computeObjective(config, swapped, computeCredit(config, swapped));
  expect(run).toThrow("trajectories[6].turns[0].tokens[0].logprob is missing; starpo-s needs it");
});
