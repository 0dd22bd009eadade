/** What the pages say against what is computed: weights of tokens, and which settings of the objective matter. */
import { describe, expect, it } from "vitest";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { offsetsOf } from "../../src/algorithm/surrogate.ts";
import { countTotals, tokenWeights } from "../../src/method/objective/aggregate.ts";
import { sumFactors } from "../../src/spec/algorithmDocs/objectiveFormulas.ts";
import { usedSettings } from "../../src/spec/algorithmDocs/settingUse.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { randomBatch } from "../algorithm/batches.ts";

type Aggregation = keyof typeof sumFactors;

describe.each(Object.keys(wordAxes.aggregation.values) as Aggregation[])(
  "the sum of %s",
  (mode) => {
    it("gives each token the weight that the objective gives it", () => {
      for (const horizon of [null, 7]) {
        const batch = randomBatch(3, { trajectories: 5, turns: 4, tokens: 5 });
        const offsets = offsetsOf(batch);
        const totals = countTotals(offsets, horizon);
        const { outer, trajectory, turn } = sumFactors[mode];
        const outers = {
          tokens: totals.tokens,
          turns: totals.turns,
          trajectories: totals.trajectories,
          horizon: totals.trajectories * totals.horizon,
        };
        const weight = tokenWeights(mode, offsets, batch.turnStart, totals); // [N]
        for (let b = 0; b < batch.task.length; b++) {
          const counts = {
            tokens: offsets.trajectory[b + 1]! - offsets.trajectory[b]!,
            turns: batch.turnStart[b + 1]! - batch.turnStart[b]!,
          };
          for (let h = batch.turnStart[b]!; h < batch.turnStart[b + 1]!; h++) {
            const [from, to] = [offsets.turn[h]!, offsets.turn[h + 1]!];
            const divisor =
              (outer ? outers[outer] : 1) *
              (trajectory ? counts[trajectory] : 1) *
              (turn ? to - from : 1);
            for (let t = from; t < to; t++) expect(weight[t]! * divisor).toBeCloseTo(1, 12);
          }
        }
      }
    });
  },
);

/** Settings of the objective, each with values that show whether it acts. */
const OBJECTIVE: Record<string, (number | string)[]> = {
  ratio: Object.keys(wordAxes.ratio.values),
  clip: Object.keys(wordAxes.clip.values),
  aggregation: Object.keys(wordAxes.aggregation.values),
  epsLow: [0.01],
  epsHigh: [0.01],
  dualClip: [1.01, 1e6],
  horizon: [3],
  valueClip: [0.01],
  betaKl: [0.5],
};

/** Loss and gradients at random points that are far from the old policy. */
function outcome(name: string, set: Record<string, unknown>): string {
  const config = resolveAlgorithm(name, { filter: "none", ...set });
  return [1, 2, 3]
    .map((seed) => {
      const batch = randomBatch(seed, { spread: 1 });
      const { loss, dLogprob, valueLoss, dValue } = computeObjective(
        config,
        batch,
        computeCredit(config, batch),
      );
      return JSON.stringify([loss, [...dLogprob], valueLoss, dValue && [...dValue]]);
    })
    .join();
}

describe.each(algorithmNames)("the settings of %s's objective", (name) => {
  it.each(Object.keys(OBJECTIVE))("%s acts if it is said to be in use", (setting) => {
    const used: string[] = usedSettings(resolveAlgorithm(name));
    const plain = outcome(name, {});
    const moved = OBJECTIVE[setting]!.some(
      (value) => outcome(name, { [setting]: value }) !== plain,
    );
    expect(moved).toBe(used.includes(setting));
  });
});
