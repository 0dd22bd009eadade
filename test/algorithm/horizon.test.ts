/** Dr.GRPO's divisor is one constant: what a token is worth does not depend on how long another task's rollout is. */
import { expect, it } from "vitest";
import {
  computeCredit,
  computeObjective,
  selectTrajectories,
} from "../../src/algorithm/registry.ts";
import { stepTotals } from "../../src/algorithm/objective.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { specAlgorithm } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";

/** Two tasks of two rollouts, the last one of n tokens. */
const batchOf = (n: number) =>
  decodeBatch({
    trajectories: [
      ["a", 1, 2],
      ["a", 0, 2],
      ["b", 1, 2],
      ["b", 0, n],
    ].map(([task, reward, count]) => ({
      task,
      turns: [
        {
          reward,
          tokens: Array.from({ length: Number(count) }, () => ({ logprob: -1, oldLogprob: -1 })),
        },
      ],
    })),
  });

const ROWS = ["dr-grpo", "rebn"];

it.each(ROWS)("%s: a token's gradient is the same beside short and long rollouts", (name) => {
  const spec = { ...presetSpec("nano"), revision: 2 };
  for (const config of [
    resolveAlgorithm(name, { whiten: "none" }),
    specAlgorithm(spec, name, { whiten: "none" }),
  ]) {
    const [short, long] = [2, 20].map((n) => {
      const batch = batchOf(n);
      return computeObjective(config, batch, computeCredit(config, batch)).dLogprob[0]!;
    });
    expect(long).toBe(short);
    expect(short).not.toBe(0);
  }
});

it("the first revision divides by the longest rollout of the minibatch", () => {
  const config = specAlgorithm(presetSpec("nano"), "dr-grpo");
  const [short, long] = [2, 20].map((n) => stepTotals(config, batchOf(n)).horizon);
  expect([short, long]).toEqual([2, 20]);
});

it("a part of a batch has the divisor of the whole", () => {
  const config = resolveAlgorithm("dr-grpo");
  const batch = batchOf(20);
  const part = selectTrajectories(batch, computeCredit(config, batch), [0, 1]).batch;
  expect(stepTotals(config, part).horizon).toBe(stepTotals(config, batch).horizon);
});
