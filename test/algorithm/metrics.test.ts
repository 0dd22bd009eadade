import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { actorMetrics, entropyByTurn } from "../../src/algorithm/metrics.ts";
import { exp, log } from "../../src/numeric/deterministic.ts";
import { singletons } from "../../src/numeric/segments.ts";
import { clipShares } from "../../src/method/objective/clipShares.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";

const file = resolve(import.meta.dirname, "../golden/formulas.json");
const golden = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, number>>;

function batchOf(tokensPerTurn: number[], turnsPerTrajectory: number[]): TrajectoryBatch {
  const sums = (counts: number[]) => counts.reduce((all, n) => [...all, all.at(-1)! + n], [0]);
  return {
    task: turnsPerTrajectory.map(() => "a"),
    terminated: turnsPerTrajectory.map(() => true),
    bootstrapValue: new Float64Array(turnsPerTrajectory.length),
    turnStart: Int32Array.from(sums(turnsPerTrajectory)),
    tokenStart: Int32Array.from(sums(tokensPerTurn)),
    turnReward: new Float64Array(tokensPerTurn.length),
  };
}

/** What an objective tells of tokens whose ratios and clip flags are these. */
function told(batch: TrajectoryBatch, ratio: number[], clipped: number[]) {
  const N = ratio.length;
  const actor = {
    loss: 0,
    dLogprob: new Float64Array(N),
    dLogprobCut: new Float64Array(N),
    unit: singletons(N),
    ratio: Float64Array.from(ratio),
    clipped: Uint8Array.from(clipped),
    clippedLower: new Uint8Array(N),
  };
  const K = batch.turnReward.length;
  const turnClipped = Uint8Array.from({ length: K }, (_, k) =>
    clipped.slice(batch.tokenStart[k], batch.tokenStart[k + 1]).includes(1) ? 1 : 0,
  );
  const use = {
    turnRatio: new Float64Array(K).fill(1),
    turnClipped,
    tokenClipped: Uint8Array.from(clipped),
  };
  return actorMetrics(
    { ...actor, shares: clipShares(actor) },
    use,
    Float64Array.from(ratio, log),
    batch,
  );
}

test("G15: the clipped share, split by the side of the range", () => {
  const metrics = told(batchOf([2, 2], [2]), [1.5, 1.1, 0.6, 0.7], [1, 0, 1, 0]);
  expect(metrics["actor/pg_clipfrac"]).toBe(0.5);
  expect(metrics["clip_ratio/low_mean"]).toBe(golden["G15_trl_low/high"]!["low"]);
  expect(metrics["clip_ratio/high_mean"]).toBe(golden["G15_trl_low/high"]!["high"]);
  expect(metrics["clip_ratio/region_mean"]).toBe(0.5);
});

test("G23: the three estimators of how far the policy has moved", () => {
  const d = [0.1, -0.05, 0.2, -0.02, 0.04, 0.01, 0.01];
  const metrics = told(batchOf([3, 4], [2]), d.map(exp), [0, 0, 0, 0, 0, 0, 0]);
  const want = golden["G23_approxkl"]!;
  expect(metrics["actor/ppo_kl"]).toBeCloseTo(want["verl_ppo_kl_k1"]!, 6);
  expect(metrics["policy/approxkl_avg"]).toBeCloseTo(want["k2(TRL ppo approxkl)"]!, 6);
  expect(metrics["actor/ppo_kl_k3"]).toBeCloseTo(want["k3"]!, 6);
});

test("a ratio beyond all bounds stays a number", () => {
  const metrics = told(batchOf([1, 1], [2]), [1e300, 1], [1, 0]);
  expect(metrics["actor/ratio/max"]).toBeCloseTo(Math.exp(20), 0);
  expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
});

test("clip shares and entropies by turn: each turn its own, whatever the trajectory's length", () => {
  const batch = batchOf([1, 2, 1], [2, 1]); // turns 1 and 2 of the first, turn 1 of the second
  const metrics = told(batch, [1.5, 1, 1, 1], [1, 0, 0, 0]);
  expect(metrics["actor/turn_clipfrac/1"]).toBe(0.5);
  expect(metrics["actor/turn_clipfrac/2"]).toBe(0);
  const entropy = entropyByTurn(batch, Float64Array.from([1, 2, 4, 3]));
  expect(entropy).toEqual({ "actor/entropy/1": 2, "actor/entropy/2": 3 });
});
