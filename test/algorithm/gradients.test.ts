/** Every combination of axes: the gradient is the derivative of the loss. */
import { describe, expect, it } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import type { TrajectoryBatch } from "../../src/record/trajectoryBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/spec/axes.ts";
import { randomBatch } from "./batches.ts";

type Column = "logprob" | "turnNewValue" | "tokenNewValue";

/** Central differences of a loss with respect to one column. */
function slopes(batch: TrajectoryBatch, column: Column, loss: (b: TrajectoryBatch) => number) {
  const h = 1e-6;
  return batch[column]!.map((_, i) => {
    const [up, down] = [h, -h].map((step) => {
      const moved = batch[column]!.slice();
      moved[i]! += step;
      return loss({ ...batch, [column]: moved });
    });
    return (up! - down!) / (2 * h);
  });
}

function expectSlopes(gradient: Float64Array, numeric: Float64Array): void {
  gradient.forEach((g, i) => expect(Math.abs(g - numeric[i]!), `[${i}]`).toBeLessThan(1e-6));
  expect(gradient.some((g) => g !== 0)).toBe(true);
}

const clips = [
  { epsLow: 0.2, epsHigh: 0.2, dualClip: "none", betaKl: 0 },
  { epsLow: 0.05, epsHigh: 0.1, dualClip: 1.2, betaKl: 0.3 },
];

describe.each(Object.keys(wordAxes.ratio.values))("ratio %s", (ratio) => {
  it.each(Object.keys(wordAxes.aggregation.values))("aggregation %s", (aggregation) => {
    for (const name of ["turn-ppo", "token-ppo", "grpo"]) {
      for (const [seed, clip] of clips.entries()) {
        const config = resolveAlgorithm(name, { ratio, aggregation, ...clip });
        const batch = randomBatch(seed);
        const credit = computeCredit(config, batch);
        const loss = (b: TrajectoryBatch) => computeObjective(config, b, credit).loss;
        expectSlopes(
          computeObjective(config, batch, credit).dLogprob,
          slopes(batch, "logprob", loss),
        );
      }
    }
  });
});

describe("value loss", () => {
  it.each([
    ["turn-ppo", "turnNewValue", "none"],
    ["turn-ppo", "turnNewValue", 0.5],
    ["token-ppo", "tokenNewValue", "none"],
    ["token-ppo", "tokenNewValue", 0.5],
  ] as const)("%s, valueClip of %s %s", (name, column, valueClip) => {
    const config = resolveAlgorithm(name, { valueClip });
    const batch = randomBatch(4, { trajectories: 8 });
    const credit = computeCredit(config, batch);
    const loss = (b: TrajectoryBatch) => computeObjective(config, b, credit).valueLoss!;
    expectSlopes(computeObjective(config, batch, credit).dValue!, slopes(batch, column, loss));
  });
});
