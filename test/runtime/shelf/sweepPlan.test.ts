/** Which kept runs go, and that it can be said before. */
import { describe, expect, it } from "vitest";
import { isNearlyFull, storageUse } from "../../../src/runtime/shelf/quota.ts";
import {
  countOfRuns,
  leavingRuns,
  SWEEP_LIMITS,
  type Sweepable,
} from "../../../src/runtime/shelf/sweepPlan.ts";

const NOW = Date.parse("2026-11-01T00:00:00.000Z");

/** @param age in hours. */
const run = (id: string, age: number, more: Partial<Sweepable> = {}): Sweepable => ({
  ...{ id, place: `#book/abcd/${id}`, bytes: 1000 },
  ...{ changed: new Date(NOW - age * 3_600_000).toISOString(), ...more },
});

const many = (count: number) => Array.from({ length: count }, (_, i) => run(`run-${i}`, i));
const nobody = () => false;
const told = (leaving: { run: Sweepable; why: string }[]) =>
  leaving.map(({ run: { id }, why }) => `${id}: ${why}`);

describe("kept runs", () => {
  it("stay while there is room, and leave room for one that is to come", () => {
    const runs = many(SWEEP_LIMITS.runs);
    expect(leavingRuns(runs, { isUsed: nobody, now: NOW })).toEqual([]);
    expect(told(leavingRuns(runs, { isUsed: nobody, now: NOW, more: 1 }))).toEqual([
      "run-11: many",
    ]);
  });

  it("go after 30 days, or where they are too large together, with their checkpoints", () => {
    const old = [run("a", 1), run("b", 31 * 24)];
    expect(told(leavingRuns(old, { isUsed: nobody, now: NOW }))).toEqual(["b: old"]);
    const large = [
      run("a", 1, { bytes: 90e6, checkpointBytes: 300e6 }),
      run("b", 2, { bytes: 90e6, checkpointBytes: 90e6 }),
      run("c", 3),
    ];
    expect(told(leavingRuns(large, { isUsed: nobody, now: NOW }))).toEqual(["b: large"]);
  });

  it("go first where their experiment has had another one since", () => {
    const place = "#book/abcd/first";
    const runs = [run("a", 1, { place }), run("b", 2, { place }), ...many(12).slice(2)];
    runs.push(run("z", 20));
    const leaving = leavingRuns(runs, { isUsed: nobody, now: NOW });
    expect(told(leaving)).toEqual(["b: many"]);
  });

  it("of one notebook's sweeps count as one, however many they are", () => {
    const swept = Array.from({ length: 24 }, (_, i) =>
      run(`s${i}`, 0, { place: `#book/abcd/~${i}` }),
    );
    const runs = [...swept, ...many(12)];
    expect(countOfRuns(runs)).toBe(13);
    expect(told(leavingRuns(runs, { isUsed: nobody, now: NOW }))).toEqual(["run-11: many"]);
  });

  it("never go while something uses them, however old and many", () => {
    const runs = many(15).map((one) => ({ ...one, changed: "2026-01-01T00:00:00.000Z" }));
    const used = new Set(runs.slice(2).map(({ id }) => id));
    const leaving = leavingRuns(runs, { isUsed: ({ id }) => used.has(id), now: NOW });
    expect(told(leaving)).toEqual(["run-0: old", "run-1: old"]);
  });
});

describe("the browser's storage", () => {
  it("says what is used of what, or nothing", async () => {
    const estimate = async () => ({ usage: 5e6, quota: 1e9 });
    expect(await storageUse({ estimate })).toEqual({ used: 5e6, most: 1e9 });
    expect(await storageUse({ estimate: async () => ({}) })).toBeNull();
    expect(await storageUse({ estimate: () => Promise.reject(new Error("no")) })).toBeNull();
    expect(await storageUse({})).toBeNull();
  });

  it("is nearly full from 80 %, or with less than 50 MB left", () => {
    expect(isNearlyFull({ used: 799e6, most: 1000e6 })).toBe(false);
    expect(isNearlyFull({ used: 800e6, most: 1000e6 })).toBe(true);
    expect(isNearlyFull({ used: 60e6, most: 100e6 })).toBe(true);
  });
});
