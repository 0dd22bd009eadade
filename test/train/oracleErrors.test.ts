import { describe, expect, it } from "vitest";
import { normals } from "../../src/numeric/rng.ts";
import { mean, variance } from "../../src/numeric/statistics.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import {
  creditErrors,
  summariseTruth,
  type CreditEstimate,
  type CreditTruth,
} from "../../src/train/oracle/creditErrors.ts";

const TASKS = 20;
const TURNS = 30;
const K = TASKS * TURNS;
const draws = (stream: string, n = K) =>
  normals({ seed: 3, stream, iteration: 0, trajectory: 0, step: 0 }, n);

const A = draws("truth"); // [K]
const NOISE = 0.3;
const measured = A.map((x, k) => x + NOISE * draws("branches")[k]!);

/** Truth known to a standard error; every two turns are visits to one state with one response. */
function truthOf(x: Float64Array, error: number): CreditTruth {
  return {
    advantage: {
      mean: x,
      low: x.map((y) => y - 2 * error),
      high: x.map((y) => y + 2 * error),
      standardError: new Float64Array(K).fill(error),
    },
    task: Array.from(x, (_, k) => `task ${Math.floor(k / TURNS)}`),
    visit: Array.from(x, (_, k) => `visit ${k >> 1}`),
    turn: Array.from(x, (_, k) => 1 + (k % 3)),
  };
}

const exact = truthOf(A, 0);
const config = resolveAlgorithm("turn-ppo");
const estimate = (x: Float64Array, inRewardUnits = true): CreditEstimate => ({
  config,
  advantage: x,
  raw: x,
  inRewardUnits,
});
const errorsOf = (x: Float64Array, truth = exact, inRewardUnits = true) =>
  creditErrors([estimate(x, inRewardUnits)], truth, { resamples: 200 })[0]!;

describe("errors of credit", () => {
  it("the truth itself has none", () => {
    const { bias, variance: spread, pearson, spearman, sign } = errorsOf(A);
    expect(bias!.value).toBe(0);
    expect(spread.value).toBe(0);
    for (const measure of [pearson, spearman, sign]) {
      expect(measure.value).toBeCloseTo(1, 12);
      expect(measure.low).toBeCloseTo(1, 12);
    }
  });

  it("a shifted, noisy estimate shows its shift as bias and its noise as variance", () => {
    const wrong = A.map((x, k) => x + 0.5 + 0.8 * draws("noise")[k]!);
    const { bias, variance: spread, pearson } = errorsOf(wrong);
    expect(bias!.value).toBeCloseTo(mean(wrong) - mean(A), 12);
    expect(bias!.low).toBeLessThan(0.5);
    expect(bias!.high).toBeGreaterThan(0.5);
    expect(spread.low).toBeLessThan(0.64);
    expect(spread.high).toBeGreaterThan(0.64);
    expect(pearson.low).toBeLessThan(1 / Math.sqrt(1.64));
    expect(pearson.high).toBeGreaterThan(1 / Math.sqrt(1.64));
  });

  it("the truth's own noise is taken off variances, and bounds correlations", () => {
    const noisy = truthOf(measured, NOISE);
    const { variance: spread, pearson } = errorsOf(A, noisy);
    expect(spread.value).toBeCloseTo(variance(A.map((x, k) => x - measured[k]!)) - NOISE ** 2, 12);
    expect(Math.abs(spread.value)).toBeLessThan(0.02);
    const { reliability, variance: ofTruth } = summariseTruth(noisy);
    expect(ofTruth).toBeCloseTo(variance(measured) - NOISE ** 2, 12);
    expect(pearson.value).toBeCloseTo(Math.sqrt(reliability), 1);
  });

  it("what is in other units is fitted by a line, and no line changes that", () => {
    const scores = A.map((x, k) => x + draws("noise")[k]!);
    const one = errorsOf(scores, exact, false);
    const other = errorsOf(
      scores.map((x) => 7 * x - 3),
      exact,
      false,
    );
    expect(one.units).toBe("fitted");
    expect(one.bias).toBeNull();
    expect(other.variance.value).toBeCloseTo(one.variance.value, 10);
    const explained = one.pearson.value ** 2;
    expect(one.variance.value).toBeCloseTo((1 - explained) * variance(A), 10);
    // A constant says nothing: what is left is all of the truth's variance.
    const silent = errorsOf(new Float64Array(K), exact, false);
    expect(silent.variance.value).toBeCloseTo(variance(A), 12);
    expect(silent.pearson.value).toBeNaN();
    expect(silent.sign.value).toBe(0.5);
  });

  it("signs count where the true one is known", () => {
    const turns = Float64Array.of(...[1, -1, 0.1, -0.1], ...new Float64Array(K - 4));
    const truth = truthOf(turns, 0.1);
    expect(summariseTruth(truth).signed).toBe(2);
    const says = Float64Array.of(...[2, 2, -1, 1], ...new Float64Array(K - 4));
    expect(errorsOf(says, truth).sign.value).toBe(0.5);
  });

  it("noise is the variance among visits to one state with one response", () => {
    const pairs = A.map((_, k) => (k >> 1) + (k % 2 === 0 ? 1 : -1));
    expect(errorsOf(pairs).noise.value).toBeCloseTo(2, 12);
    const once = { ...exact, visit: Array.from(A, (_, k) => `${k}`) };
    expect(errorsOf(pairs, once).noise.value).toBeNaN();
  });

  it("draws in which a number is undefined are left out of its interval, and their share is told", () => {
    // Only the first task's signs are known: a draw without that task has no sign to be right about.
    const first = A.map((x, k) => (k < TURNS ? x : 0));
    const known = first.map((x) => (x === 0 ? 0 : Math.sign(x)));
    const { sign, pearson } = errorsOf(A, truthOf(known, 0.1));
    expect([sign.value, sign.low, sign.high]).toEqual([1, 1, 1]);
    expect(Math.abs(sign.undefinedShare - (1 - 1 / TASKS) ** TASKS)).toBeLessThan(0.11);
    expect(pearson.undefinedShare).toBeCloseTo(sign.undefinedShare, 12);
    expect(errorsOf(A).pearson.undefinedShare).toBe(0);
  });

  it("tasks are drawn whole: turns that repeat each other within a task are no more evidence", () => {
    const shift = draws("tasks", TASKS);
    const wrong = A.map((x, k) => x + shift[Math.floor(k / TURNS)]!);
    const { low, high } = errorsOf(wrong).bias!;
    // Standard error by tasks is 1 / sqrt(20); by turns it would be 1 / sqrt(600).
    expect(high - low).toBeGreaterThan(2 * 1.4 * (Math.sqrt(variance(shift)) / Math.sqrt(TASKS)));
    const one = { ...exact, task: exact.task.map(() => "the only one") };
    expect(errorsOf(wrong, one).bias!.low).toBeNaN();
  });

  it("the correlation within tasks knows no scale of a task", () => {
    const noisy = A.map((x, k) => x + draws("noise")[k]!);
    // A divisor per task, as GRPO has, and an offset: the pooled correlation falls, none within a task does.
    const perTask = noisy.map((x, k) => {
      const t = Math.floor(k / TURNS);
      return x / (0.2 + t) + t;
    });
    const [plain, divided] = creditErrors([estimate(noisy), estimate(perTask)], exact, {
      resamples: 200,
    });
    expect(divided!.within.value).toBeCloseTo(plain!.within.value, 10);
    expect(divided!.pearson.value).toBeLessThan(0.5 * plain!.pearson.value);
    expect(plain!.within.value).toBeGreaterThan(0.6);
    expect(plain!.against).toBeNull();
    expect(divided!.against!.within.value).toBeCloseTo(0, 10);
    expect(divided!.against!.pearson.high).toBeLessThan(0);
  });

  it("rows are compared on the same tasks: a difference is surer than either row", () => {
    const common = A.map((x, k) => x + 2 * draws("noise")[k]!);
    const better = common.map((x, k) => x + 0.2 * A[k]!);
    const [one, other] = creditErrors([estimate(common), estimate(better)], exact, {
      resamples: 200,
    });
    const width = ({ low, high }: { low: number; high: number }) => high - low;
    const { pearson } = other!.against!;
    expect(pearson.value).toBeCloseTo(other!.pearson.value - one!.pearson.value, 12);
    expect(pearson.low).toBeGreaterThan(0);
    expect(width(pearson)).toBeLessThan(0.3 * width(other!.pearson));
    const turned = creditErrors(
      [{ ...estimate(common), config: resolveAlgorithm("rloo") }, estimate(better)],
      exact,
      { resamples: 10, against: "turn-ppo" },
    );
    expect(turned[1]!.against).toBeNull();
    expect(turned[0]!.against!.algorithm).toBe("turn-ppo");
  });

  it("turns of one number are looked at by themselves", () => {
    const onlyFirst = A.map((x, k) => (k % 3 === 0 ? x : draws("noise")[k]!));
    const { byTurn } = errorsOf(onlyFirst);
    expect(byTurn.map(({ turn, turns }) => [turn, turns])).toEqual([
      [1, K / 3],
      [2, K / 3],
      [3, K / 3],
    ]);
    expect(byTurn[0]!.pearson.value).toBeCloseTo(1, 12);
    expect(Math.abs(byTurn[1]!.pearson.value)).toBeLessThan(0.2);
    expect(byTurn[0]!.pearson.low).toBeCloseTo(1, 12);
  });
});
