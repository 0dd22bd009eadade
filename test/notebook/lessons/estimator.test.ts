/** The lesson on estimators: its numbers are those of the recorded run, and its code computes what it says. */
import { describe, expect, it } from "vitest";
import { computeCredit } from "../../../src/algorithm/registry.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import { openDefinedCodes } from "../../../src/runtime/sandbox/definitions.ts";
import { nodeQuickJs } from "../../../src/runtime/sandbox/node.ts";
import { resolveAlgorithm, type AlgorithmConfig } from "../../../src/spec/algorithms.ts";
import { boundRow } from "../../../src/train/definitions.ts";
import { randomBatch } from "../../algorithm/batches.ts";
import { bodyOf, expectAnswer, quizOf, recordedRun } from "../../fixtures/lesson.ts";

/** A row whose estimator is the code of one of the lesson's cells. */
async function rowOf(row: string, cell: string) {
  const source = bodyOf("estimator", cell);
  const codes = await openDefinedCodes(await nodeQuickJs(), [
    { kind: "estimator", name: cell, source },
  ]);
  return boundRow(resolveAlgorithm(`${row}@${cell}`), codes);
}

const creditOf = (row: AlgorithmConfig, seed: number) =>
  computeCredit(row, randomBatch(seed)).tokenAdvantage; // [N]

const builtIn = (row: string, seed: number, set = {}) => creditOf(resolveAlgorithm(row, set), seed);

describe("the lesson on estimators", () => {
  it("computes a baseline from two recorded episodes", async () => {
    const episodes = (await recordedRun("nano")).episodes("turn-ppo", 1);
    expect(episodes.filter(({ success }) => success)).toHaveLength(10);
    expect(episodes).toHaveLength(32);
    const pair = episodes.slice(10, 12);
    const returns = pair.map(({ turns }) =>
      turns.map((_, h) => turns.slice(h).reduce((sum, { reward }) => sum + reward, 0)),
    );
    const short = returns.map((one) => one.map((G) => Number(G.toFixed(6))));
    expect(short).toEqual([
      [10.7, 10.8, 10.9],
      [-0.8, -0.6, -0.4, -0.3, -0.1],
    ]);
    const { data } = readFields("explore", bodyOf("estimator", "move")).value!;
    expect(data.rewards).toEqual([10.7, -0.8]);
    const baseline = mean(returns.flat());
    expectAnswer("estimator", "mean", baseline);
    expectAnswer("estimator", "credit", returns[1]![0]! - baseline);
    expect(bodyOf("estimator", "ribbon")).toContain("at: turn-ppo,1,11,1");
  });

  it("has its best baseline from its figure", () => {
    const { figure, data, set } = readFields("explore", bodyOf("estimator", "move")).value!;
    const { show, handles } = explorations[figure]!;
    const { low, high, step } = handles[0]!;
    const spread = (baseline: number) =>
      show({ ...set, baseline }, data).rows.find(({ name }) => name.startsWith("spread"))!
        .values[2]!;
    const all = Array.from({ length: (high - low) / step + 1 }, (_, i) => low + i * step);
    const least = Math.min(...all.map(spread));
    for (const b of all.filter((one) => spread(one) < least + 1e-9))
      expectAnswer("estimator", "best", b);
    expect(spread(7.25)).toBeCloseTo(0, 9);
    expect(spread(2.65) / spread(0)).toBeCloseTo(2 / 3, 1);
    expect(show(set, data).rows[1]!.values[2]).toBeCloseTo(2.65, 9);
    expect(quizOf("estimator", "best").explanation).toContain("2.65");
  });

  it("starts from REINFORCE, and its solution takes the batch's mean away", async () => {
    const [start, solution] = [
      await rowOf("reinforce", "mine"),
      await rowOf("reinforce", "solution"),
    ];
    for (const seed of [1, 2]) {
      const adv = builtIn("reinforce", seed);
      expect(creditOf(start, seed)).toEqual(adv);
      const solved = creditOf(solution, seed);
      const gaps = adv.map((A, t) => A - solved[t]!);
      for (const gap of gaps) expect(gap).toBeCloseTo(gaps[0]!, 9);
      expect(Math.abs(gaps[0]!)).toBeGreaterThan(0.01);
    }
  });

  it("starts from TD errors, and its 15 lines of GAE are Turn-PPO to the last bit", async () => {
    expect(bodyOf("estimator", "gae").trim().split("\n")).toHaveLength(15);
    expect(bodyOf("estimator", "solution").trim().split("\n")).toHaveLength(11);
    const [start, solution] = [await rowOf("turn-ppo", "turns"), await rowOf("turn-ppo", "gae")];
    for (const seed of [1, 2]) {
      const own = builtIn("turn-ppo", seed);
      expect(creditOf(solution, seed)).toEqual(own);
      expect(creditOf(start, seed)).not.toEqual(own);
      expect(creditOf(start, seed)).toEqual(builtIn("turn-ppo", seed, { lambda: 0 }));
    }
  });

  it("differs from the solutions in the one line that it asks for", () => {
    const lines = (id: string) => new Set(bodyOf("estimator", id).trim().split("\n"));
    const missing = (from: string, to: string) =>
      [...lines(from)].filter((line) => !lines(to).has(line));
    expect(missing("mine", "solution")).toHaveLength(1);
    expect(missing("turns", "gae")).toHaveLength(1);
    for (const id of ["mine", "turns"]) expect(bodyOf("estimator", id)).toContain("// Yours");
  });

  it("trains with both, of as many episodes as it says", () => {
    const definitions = ["mine", "turns"].map((name) => {
      return { kind: "estimator" as const, name, source: bodyOf("estimator", name) };
    });
    const { spec, remarks } = readExperiment(bodyOf("estimator", "live"), definitions);
    expect(remarks).toEqual([]);
    expect(spec.algorithms.map(({ name }) => name)).toEqual(["reinforce@mine", "turn-ppo@turns"]);
    const { tasksPerIteration, groupSize, iterations } = spec.optimisation;
    expect([spec.recordEpisodes, tasksPerIteration * groupSize, iterations]).toEqual([8, 128, 5]);
    // No method of it groups, so that each board is played once.
    expect(spec.optimisation.grouping).toBeUndefined();
    for (const { name } of spec.algorithms) expect(resolveAlgorithm(name).grouped).toBe(false);
  });
});
