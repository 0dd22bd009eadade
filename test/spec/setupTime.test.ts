/** What is said before a spec that takes long to set up. */
import { expect, test } from "vitest";
import { presetNames, presetSpec, toSpec } from "../../src/spec/presets.ts";
import { setupSentence, setupTime } from "../../src/spec/setupTime.ts";

const large = { kind: "sokoban", rows: 16, columns: 16, boxes: 6 };
const few = { tasksPerIteration: 2, groupSize: 2, minibatch: 2 };
const specOf = (environment: object, changes: object = {}) =>
  toSpec({ preset: "nano", optimisation: few, environment, ...changes });

test("presets are set up at once", () => {
  for (const name of presetNames) expect(setupTime(presetSpec(name)), name).toBeNull();
});

test("512 test levels of 16 × 16 take over a minute", () => {
  const time = setupTime(specOf(large, { evaluation: { levels: 512, every: 1 } }))!;
  expect(time.parts[0]).toBe("512 test levels");
  expect(time.seconds).toBeGreaterThan(36);
  expect(time.seconds).toBeLessThan(144);
  expect(setupSentence(time, (s) => `${Math.round(s)} s`)).toMatch(
    /^Setting up takes about \d+ s: 512 test levels and 4 levels to play of 16 × 16 with 6 boxes\.$/,
  );
});

test("so do levels to clone and to play, once each", () => {
  const clone = { levels: 10_000, steps: 1, batch: 4, lr: 0.001 };
  const spec = specOf(large, { model: { preset: "nano", warmStart: "clone" }, clone });
  expect(setupTime(spec)!.parts).toEqual([
    "10000 levels to clone",
    "512 test levels",
    "4 levels to play",
  ]);
  expect(setupTime(spec, true)!.parts).toEqual(["512 test levels", "4 levels to play"]);
  const play = { tasksPerIteration: 1000, groupSize: 4, minibatch: 4 };
  const groups = {
    optimisation: { ...play, grouping: "all" },
    evaluation: { levels: 0, every: 1 },
  };
  expect(setupTime(specOf(large, groups))!.parts).toEqual(["1000 levels to play"]);
  const pool = specOf({ ...large, trainLevels: 300 }, { ...groups, optimisation: play });
  expect(setupTime(pool)!.parts).toEqual(["300 levels to play"]);
});

test("more boxes and larger boards take longer, and no board is beyond the table", () => {
  const levels = { evaluation: { levels: 512, every: 1 } };
  const seconds = (side: number, boxes: number) =>
    setupTime(specOf({ ...large, rows: side, columns: side, boxes }, levels))?.seconds ?? 0;
  for (const boxes of [1, 2, 3, 4, 5, 6]) {
    const times = [5, 6, 7, 9, 11, 14, 16].map((side) => seconds(side, boxes));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
  expect(seconds(16, 3)).toBeLessThan(seconds(16, 4));
  expect(seconds(16, 1)).toBe(0);
});
