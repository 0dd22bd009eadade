/** The numbers of the lesson on drift are those of its figures, of the recorded run, and of the correction that it explains. */
import { beforeAll, expect, it } from "vitest";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import { clippedSurrogate } from "../../../src/method/clip/range.ts";
import { clipBiasDenominator, norm } from "../../../src/method/objective/clipBias.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import { readSteps } from "../../../src/reading/updateSteps.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { bodyOf, expectAnswer, recordedRun } from "../../fixtures/lesson.ts";

let log: RunLog;
beforeAll(async () => {
  log = await recordedRun("nano");
});

/** The row's last number, with the cell's handles and those that are moved. */
function last(id: string, row: string, moved: Record<string, number> = {}): number {
  const { figure, data, set } = readFields("explore", bodyOf("drift", id)).value!;
  const { rows } = explorations[figure]!.show({ ...set, ...moved }, data);
  return rows.find(({ name }) => name === row)!.values.at(-1)!;
}

it("says what its batch promises, and what is true", () => {
  expect(last("promised", "batch promises").toFixed(2)).toBe("1.83");
  expect(last("promised", "true gain").toFixed(2)).toBe("0.10");
  expect(last("promised", "true gain", { draw: 8 })).toBeLessThan(-0.2);
  for (const draw of [1, 8])
    expect(Math.abs(last("promised", "true gain", { draw, eps: 0.2 }))).toBeLessThan(0.05);
  expect(last("promised", "true gain", { tries: 200 })).toBeGreaterThan(0.4);
});

it("computes effective shares", () => {
  const ratios = log.episodes("turn-ppo", 100)[0]!.turns.map(({ ratio }) => ratio!);
  expect(ratios.map((w) => w.toFixed(3))).toEqual(["1.001", "1.313", "0.992", "0.625", "0.999"]);
  const sum = ratios.reduce((a, w) => a + w, 0);
  const squares = ratios.reduce((a, w) => a + w * w, 0);
  expect([sum.toFixed(3), squares.toFixed(3)]).toEqual(["4.929", "5.096"]);
  expectAnswer("drift", "share", sum ** 2 / (ratios.length * squares));
  const { x, y } = log.series("turn-ppo", "actor/turn_ratio_ess");
  expect(y[x.indexOf(100)]!.toFixed(2)).toBe("0.92");
  expectAnswer("drift", "episode", last("levels", "by episode"));
  expect(last("levels", "by turn").toFixed(3)).toBe("0.905");
});

it("has the cuts of GRPO's sixteen steps", () => {
  const { steps } = readSteps(log.updates("grpo", 100));
  const ofPass = (epoch: number) =>
    mean(steps.filter((step) => step.epoch === epoch).map(({ cutShare }) => cutShare));
  expect(steps).toHaveLength(16);
  expect([0, 2, 3].map((epoch) => ofPass(epoch).toFixed(2))).toEqual(["0.07", "0.48", "0.36"]);
});

it("divides as S-PPO does", () => {
  const w = Float64Array.of(1.5, 1.1, 0.6, 0.7);
  const A = Float64Array.of(1, 1, -1, 1);
  const { clipped } = clippedSurrogate(w, A, { epsLow: 0.2, epsHigh: 0.2, dualClip: null });
  expect([...clipped]).toEqual([1, 0, 1, 0]);
  const C = norm(w.map((x, t) => (clipped[t]! * x * A[t]!) / w.length));
  expectAnswer("drift", "norm", C);
  for (const name of ["s-ppo", "st-ppo"])
    expect(clipBiasDenominator(resolveAlgorithm(name), C, 0.5)).toBe(1);
});
