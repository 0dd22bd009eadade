import fc from "fast-check";
import { expect, test } from "vitest";
import { mean } from "../../../src/numeric/statistics.ts";
import { sigmoid } from "../../../src/numeric/deterministic.ts";
import { initModel, presetConfig } from "../../../src/model/initModel.ts";
import { tokenRow } from "../../../src/text/tokenRow.ts";
import { fitTurns, logistic, scoreTurns, squared } from "../../../src/train/process/turnScorer.ts";
import { splitByTask } from "../../../src/train/process/split.ts";
import { wasmEngine } from "../support.ts";

const number = fc.double({ min: -30, max: 30, noNaN: true });

test.each([
  ["squared", squared, number],
  ["logistic", logistic, fc.integer({ min: 0, max: 1 })],
] as const)("%s: the gradient is the loss's own", (_, loss, target) => {
  const turns = fc.array(fc.tuple(number, target as fc.Arbitrary<number>), { minLength: 1 });
  fc.assert(
    fc.property(turns, fc.nat(), (drawn, which) => {
      const score = Float64Array.from(drawn, ([z]) => z);
      const y = Float64Array.from(drawn, ([, t]) => t);
      const k = which % score.length;
      const at = (z: number) => loss(score.with(k, z), y).value;
      const h = 1e-4;
      const slope = (at(score[k]! + h) - at(score[k]! - h)) / (2 * h);
      expect(loss(score, y).gradient[k]).toBeCloseTo(slope, 5);
    }),
  );
});

test("logistic stays finite where exp would not", () => {
  const { value, gradient } = logistic(Float64Array.of(1000, -1000), Float64Array.of(0, 1));
  expect(value).toBe(1000);
  expect([...gradient]).toEqual([0.5, -0.5]);
});

test("a judge learns what makes a turn good, and knows it of turns that it never saw", async () => {
  // Good where the response repeats the last token of its query.
  const turn = (i: number) => {
    const [a, b] = [5 + ((i * 7) % 8), 5 + ((i * 11 + (i >> 3)) % 8)];
    return {
      queryIds: [3, a],
      responseIds: [i % 2 === 0 ? a : b, 4],
      good: i % 2 === 0 || a === b,
    };
  };
  const episodes = Array.from({ length: 96 }, (_, e) => [0, 1, 2].map((h) => turn(3 * e + h)));
  const rows = episodes.map((turns) => tokenRow(turns, "turn"));
  const labels = episodes.map((turns) => turns.map(({ good }) => Number(good)));
  const config = presetConfig("nano", 64);
  const engine = await wasmEngine();
  const judge = await engine.createModel(config, initModel(config, 1), "shared");
  const options = { loss: "logistic", lr: 3e-3, maxGradNorm: 1, minibatch: 12 } as const;
  const key = { seed: 1, stream: "test", iteration: 0 };
  await fitTurns(judge, rows.slice(0, 72), labels.slice(0, 72), { ...options, epochs: 16, key });
  const p = (await scoreTurns(judge, rows.slice(72))).map(sigmoid);
  judge.dispose();
  const unseen = labels.slice(72).flat();
  const accuracy = mean(unseen.map((y, k) => Number(p[k]! > 0.5 === (y === 1))));
  expect(accuracy).toBeGreaterThan(0.9);
});

test("episodes split by task: every episode once, no task on both sides", () => {
  const names = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 });
  fc.assert(
    fc.property(names, fc.double({ min: 0, max: 1, noNaN: true }), (drawn, share) => {
      const episodes = drawn.map((n) => ({ task: { name: `${n}`, seed: n } }));
      const key = { seed: 1, stream: "test", iteration: 3 };
      const [chosen, others] = splitByTask(episodes, share, key);
      expect([...chosen, ...others].sort((a, b) => a - b)).toEqual(drawn.map((_, b) => b));
      const tasks = new Set(chosen.map((b) => drawn[b]));
      expect(others.some((b) => tasks.has(drawn[b]))).toBe(false);
      const count = new Set(drawn).size;
      expect(tasks.size).toBe(Math.max(1, Math.round(share * count)));
    }),
  );
});
