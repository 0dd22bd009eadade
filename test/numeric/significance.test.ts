/** Against published tables: Student 1908, R's p.adjust and power.t.test, G*Power. */
import { expect, it } from "vitest";
import { effectFor, holm, powerOf, tTest, valuesFor } from "../../src/numeric/significance.ts";
import { studentT, studentTail } from "../../src/numeric/statistics.ts";

it("the tail of Student's t undoes its quantile", () => {
  for (const [level, df] of [
    [0.95, 1],
    [0.99, 4],
    [0.999, 7],
    [0.5, 30],
  ] as const)
    expect(studentTail(-studentT(level, df), df)).toBeCloseTo(1 - level, 12);
  expect(studentTail(0, 4)).toBe(1);
  expect(studentTail(NaN, 4)).toBeNaN();
});

it("a paired t test has the p-value of Student's sleep data", () => {
  // R: t.test(extra ~ group, data = sleep, paired = TRUE), p-value = 0.002833.
  expect(tTest([1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4])).toBeCloseTo(0.002833, 6);
  expect(tTest([1])).toBeNaN();
});

it("Holm's adjustment is R's", () => {
  // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
  const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
  [0.03, 0.06, 0.06, 0.02].forEach((p, i) => expect(adjusted[i]).toBeCloseTo(p, 12));
  expect(holm([0.6, 0.9])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

it("a test of no effect finds one as often as its level says", () => {
  for (const n of [2, 5, 30]) expect(powerOf(n, 0)).toBeCloseTo(0.05, 6);
});

it("counts the values that a t test needs, by the noncentral t", () => {
  // G*Power, matched pairs, two-sided 5 %, power 80 %: effects of 0.2, 0.5 and 0.8 take 199, 34 and 15 pairs.
  expect([0.2, 0.5, 0.8].map((effect) => valuesFor(effect))).toEqual([199, 34, 15]);
  // R: power.t.test(n = NULL, delta = 0.5, sd = 1, power = 0.8, type = "one.sample"), n = 33.36713.
  expect(powerOf(33, 0.5)).toBeLessThan(0.8);
  expect(powerOf(34, 0.5)).toBeGreaterThan(0.8);
  expect(powerOf(5, effectFor(5))).toBeCloseTo(0.8, 9);
  expect(valuesFor(0.001)).toBeNull();
  expect(valuesFor(NaN)).toBeNull();
});
