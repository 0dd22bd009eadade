import { describe, expect, it } from "vitest";
import * as stats from "../../src/numeric/statistics.ts";

it("mean, variance, max, min", () => {
  expect(stats.mean([1, 2, 6])).toBe(3);
  expect(stats.mean([])).toBeNaN();
  expect(stats.variance([1, 2, 6])).toBe(7);
  expect(stats.variance([1])).toBeNaN();
  expect(stats.populationVariance([1, 2, 6])).toBeCloseTo(14 / 3, 12);
  expect([stats.max([1, 3, 2]), stats.min([2, 1, 3])]).toEqual([3, 1]);
  expect(stats.max([1, NaN, 2])).toBeNaN();
  expect(stats.min([NaN, 1])).toBeNaN();
});

it("quantile interpolates as numpy does", () => {
  expect(stats.quantile([4, 1, 3, 2], 0.25)).toBe(1.75);
  expect(stats.quantile([4, 1, 3, 2], 1)).toBe(4);
  expect(stats.quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
  expect(stats.quantile([10], 0.98)).toBe(10);
  expect(stats.quantile([], 0.5)).toBeNaN();
});

it("iqm drops a quarter at either end", () => {
  expect(stats.iqm([100, 1, 2, 3, 4, 5, 6, -50])).toBe(3.5);
  expect(stats.iqm([1, 5, 9])).toBe(5);
});

describe("Student's t", () => {
  // Tabulated two-sided 95 % (and one 99 %) points.
  it.each([
    [0.95, 1, 12.7062],
    [0.95, 2, 4.30265],
    [0.95, 3, 3.18245],
    [0.95, 10, 2.22814],
    [0.95, 99, 1.98422],
    [0.99, 4, 4.60409],
  ])("at level %d, df %i is %d", (level, df, t) => {
    expect(stats.studentT(level, df)).toBeCloseTo(t, 4);
  });
  it("gives the interval of the mean", () => {
    const { low, high } = stats.tInterval([1, 2, 6]);
    expect((low + high) / 2).toBeCloseTo(3, 12);
    expect(high - 3).toBeCloseTo(4.30265 * Math.sqrt(7 / 3), 4);
    expect(stats.tInterval([1]).low).toBeNaN();
  });
  it("refuses impossible arguments", () => {
    expect(() => stats.studentT(0.95, 0)).toThrow(RangeError);
    expect(() => stats.studentT(1, 3)).toThrow(RangeError);
  });
});

describe("bootstrap", () => {
  const strata = [
    [0, 1, 0, 1, 1, 0, 1, 0],
    [10, 11, 10, 11, 11, 10, 11, 10],
  ];
  it("resamples inside the strata", () => {
    const { low, high } = stats.bootstrapInterval(strata, { statistic: stats.mean });
    expect(low).toBeGreaterThan(5.1);
    expect(high).toBeLessThan(5.9);
    expect(low).toBeLessThan(5.5);
    expect(high).toBeGreaterThan(5.5);
  });
  it("leaves out the resamples without the statistic and says how many they are", () => {
    // The share of ones among what is not 0: none in a draw of zeros only, 1 in every other.
    const ones = (x: ArrayLike<number>) => stats.mean(Array.from(x).filter((v) => v !== 0));
    const { low, high, undefinedShare } = stats.bootstrapInterval([[0, 0, 1]], { statistic: ones });
    expect([low, high]).toEqual([1, 1]);
    expect(Math.abs(undefinedShare - (2 / 3) ** 3)).toBeLessThan(0.04);
    const never = stats.bootstrapInterval([[0, 0]], { statistic: ones, resamples: 20 });
    expect(never).toEqual({ low: NaN, high: NaN, undefinedShare: 1 });
    expect(stats.bootstrapInterval(strata, { resamples: 20 }).undefinedShare).toBe(0);
  });
  it("is reproducible, and another seed differs", () => {
    const run = (seed: number) =>
      stats.bootstrapInterval(strata, { seed, resamples: 50, statistic: stats.mean });
    expect(run(1)).toEqual(run(1));
    expect([1, 2, 3, 4].map((s) => run(s).low).some((v) => v !== run(0).low)).toBe(true);
  });
});

it("explained variance: golden G9", () => {
  const R = [1, 0, 0.5, 0.8];
  expect(stats.explainedVariance(R, [0.7, 0.2, 0.4, 0.9])).toBeCloseTo(0.740102, 6);
  expect(stats.explainedVariance(R, [3, 3, 3, 3])).toBeCloseTo(0, 3);
});

it("correlations", () => {
  expect(stats.pearson([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
  expect(stats.pearson([1, 2, 3], [1, 1, 1])).toBeNaN();
  expect(stats.spearman([1, 2, 3, 4], [1, 8, 27, 64])).toBeCloseTo(1, 12);
  expect(stats.spearman([1, 1, 2], [3, 3, 1])).toBeCloseTo(-1, 12);
  expect(stats.spearman([1, 2, 2, 3], [1, 3, 2, 4])).toBeCloseTo(0.9486832980505138, 12);
});
