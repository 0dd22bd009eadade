import { describe, expect, it } from "vitest";
import { compareRows, sameSign, tokenWeight, unnormalised } from "../../src/algorithm/compare.ts";
import { computeCredit, computeObjective } from "../../src/algorithm/registry.ts";
import { spearman } from "../../src/numeric/statistics.ts";
import type { TrajectoryBatch } from "../../src/method/trajectoryBatch.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { randomBatch } from "./batches.ts";

const three = ["grpo", "token-ppo", "turn-ppo"].map((name) => resolveAlgorithm(name));
const batch = randomBatch(3, { trajectories: 8 });

describe("compare", () => {
  const { rows, refused, agreement, variance } = compareRows(batch, three);

  it("gives each row what it gives alone", () => {
    expect(refused).toEqual([]);
    rows.forEach(({ config, credit, objective }, i) => {
      const alone = computeCredit(three[i]!, batch);
      expect(config).toBe(three[i]);
      expect(credit).toEqual(alone);
      expect(objective).toEqual(computeObjective(config, batch, alone));
    });
  });

  it("raw advantages carry the units of rewards: they double with them", () => {
    const double = (x: Float64Array) => x.map((y) => 2 * y);
    const doubled: TrajectoryBatch = {
      ...batch,
      turnReward: double(batch.turnReward),
      turnValue: double(batch.turnValue!),
      tokenValue: double(batch.tokenValue!),
      bootstrapValue: double(batch.bootstrapValue),
    };
    const again = compareRows(doubled, three).rows;
    rows.forEach(({ raw, credit }, i) => {
      again[i]!.raw.turnAdvantage.forEach((A, k) =>
        expect(A).toBeCloseTo(2 * raw.turnAdvantage[k]!, 10),
      );
      again[i]!.credit.turnAdvantage.forEach((A, k) =>
        expect(A).toBeCloseTo(credit.turnAdvantage[k]!, 4),
      );
    });
    expect(unnormalised(three[0]!)).toMatchObject({ whiten: "none", std: "none" });
  });

  it("agreement is symmetric and perfect with itself", () => {
    for (const { pearson, spearman, sameSign } of Object.values(agreement)) {
      for (const matrix of [pearson, spearman, sameSign]) {
        matrix.forEach((line, i) => {
          expect(line[i]).toBeCloseTo(1, 12);
          line.forEach((x, j) => expect(x).toBeCloseTo(matrix[j]![i]!, 12));
        });
      }
    }
    const [x, y] = [rows[0]!, rows[2]!].map(({ objective }) => tokenWeight(objective));
    expect(agreement.tokenWeight.spearman[0]![2]).toBe(spearman(x!, y!));
    expect(variance.turnAdvantage).toHaveLength(3);
    // Whitened over turns.
    expect(variance.turnAdvantage[2]).toBeCloseTo(1, 6);
  });

  it("a row whose numbers are missing says so and the others go on", () => {
    const { turnValue: _value, ...without } = batch;
    const partial = compareRows(without, three);
    expect(partial.rows.map(({ config }) => config.name)).toEqual(["grpo", "token-ppo"]);
    expect(partial.refused).toHaveLength(1);
    expect(partial.refused[0]!.config.name).toBe("turn-ppo");
    expect(partial.refused[0]!.reason).toContain("trajectories[0].turns[0].value is missing");
    expect(partial.agreement.turnAdvantage.pearson).toHaveLength(2);
  });

  it("without new log-probs, is at the first update: every ratio is 1 and nothing is clipped", () => {
    const { logprob: _logprob, ...first } = batch;
    for (const { objective } of compareRows(first, three).rows) {
      expect([...objective.tokenRatio].every((w) => w === 1)).toBe(true);
      expect([...objective.tokenClipped].every((c) => c === 0)).toBe(true);
    }
  });

  it("takes every row there is", () => {
    const all = compareRows(
      batch,
      algorithmNames.map((name) => resolveAlgorithm(name)),
    );
    expect(all.rows.length + all.refused.length).toBe(algorithmNames.length);
    expect(all.rows.length).toBeGreaterThanOrEqual(3);
    const shapes = all.rows.map(({ objective }) => objective.dLogprob.length);
    expect(new Set(shapes)).toEqual(new Set([batch.oldLogprob!.length]));
  });
});

it("sameSign leaves zeros out", () => {
  const [x, y] = [Float64Array.of(1, -2, 0, 3, -1), Float64Array.of(2, 5, 1, 0, -3)];
  expect(sameSign(x, y)).toBeCloseTo(2 / 3, 12);
  expect(sameSign(x, new Float64Array(5))).toBeNaN();
});
