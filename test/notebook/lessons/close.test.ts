/** The numbers of the lesson on staying close are those of the recorded group, of the engine's estimates of KL, and of its figures. */
import { beforeAll, describe, expect, it } from "vitest";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { klPenalty } from "../../../src/method/objective/kl.ts";
import { entropyFromLogits } from "../../../src/method/objective/entropy.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { specAlgorithms } from "../../../src/spec/experiment.ts";
import {
  bodyOf,
  exploreIn,
  expectAnswer,
  lessonText,
  recordedRun,
  shownIn,
} from "../../fixtures/lesson.ts";

let log: RunLog;
beforeAll(async () => {
  log = await recordedRun("nano");
});

const chosenOf = (n: number, k: number) =>
  Array.from({ length: k }, (_, i) => (n - i) / (i + 1)).reduce((a, b) => a * b, 1);
const passAt = (N: number, c: number, k: number) => 1 - chosenOf(N - c, k) / chosenOf(N, k);

describe("pass@k", () => {
  it("is that of the recorded groups", () => {
    const solved = new Map<string, number[]>();
    for (const { task, success } of log.episodes("grpo", 1))
      solved.set(task, [...(solved.get(task) ?? []), success ? 1 : 0]);
    const counts = [...solved.values()].map((all) => all.reduce((a, b) => a + b, 0));
    expect(counts).toEqual([0, 1, 8, 0]);
    // The panel's episode is of the second board.
    expect(bodyOf("close", "group")).toContain("at: grpo,1,9,1");
    expect(log.episodes("grpo", 1)[8]!.task).toBe([...solved.keys()][1]);
    expectAnswer("close", "four", passAt(8, 1, 4));
    expect(mean(counts.map((c) => passAt(8, c, 1))).toFixed(2)).toBe("0.28");
    expect(mean(counts.map((c) => passAt(8, c, 4))).toFixed(2)).toBe("0.38");
  });

  it("falls at eight where it rises at one", () => {
    const says = (k: number) => shownIn("close", "pass", { k }).says.replaceAll("\u00a0", " ");
    expect(says(1)).toContain("53.8 % of the levels at the start, 60.4 %");
    expect(says(2)).toContain("73.9 % of the levels at the start, 71.3 %");
    expect(says(8)).toContain("95.7 % of the levels at the start, 77.9 %");
    expect(shownIn("close", "pass", { k: 1 }).rows[1]!.values[3]!.toFixed(3)).toBe("0.015");
  });
});

describe("estimates of KL", () => {
  const at = (kind: "k1" | "k2" | "k3", policy: number, reference: number) =>
    klPenalty(kind, Float64Array.of(Math.log(policy)), Float64Array.of(Math.log(reference))).kl[0]!;

  it("are the engine's", () => {
    expectAnswer("close", "k-one", at("k1", 0.1, 0.2));
    expectAnswer("close", "k-three", at("k3", 0.3, 0.2));
    expect(at("k2", 0.3, 0.2).toFixed(3)).toBe("0.082");
  });

  it("have the means, the spreads and the slopes that the lesson says", () => {
    const of = (moved: number) =>
      shownIn("close", "estimates", { moved }).rows.map(({ values }) => values as number[]);
    const [, means, spreads, slopes] = of(1);
    const [k1, k2, k3, truth] = means!;
    expect([k1, k3].map((x) => Math.abs(x! - truth!) < 1e-9)).toEqual([true, true]);
    expect([k2!.toFixed(3), truth!.toFixed(3)]).toEqual(["0.127", "0.111"]);
    expect(spreads!.slice(0, 3).map((x) => x.toFixed(2))).toEqual(["0.49", "0.10", "0.07"]);
    expect(slopes!.map((x) => x.toFixed(3).replace("-0.000", "0.000"))).toEqual([
      ...["0.000", "0.243", "0.208", "0.243"],
    ]);
    const [, , low] = of(-2);
    expect(low![2]).toBeGreaterThan(low![0]!);
    const [, , high] = of(2);
    expect(high![2]).toBeLessThan(high![0]!);
  });

  it("have as last column the slope of KL itself", () => {
    const truth = (moved: number) => shownIn("close", "estimates", { moved }).rows[1]!.values[3]!;
    // The handle moves by 0.25; KL's slope at 1 from its neighbours, to the step's square.
    const slope = (truth(1.001) - truth(0.999)) / 0.002;
    expect(shownIn("close", "estimates").rows[3]!.values[3]).toBeCloseTo(slope, 4);
  });

  it("start from the logits of lesson 0", () => {
    expect(exploreIn("close", "estimates").data.logits).toEqual(
      exploreIn("model", "temperature").data.logits,
    );
  });
});

describe("a price", () => {
  const values = (beta: number) => shownIn("close", "price", { beta }).rows[2]!.values as number[];

  it("gives the odds that are asked for, and goes from the best answer to the reference", () => {
    const [, b, c] = values(0.5);
    expectAnswer("close", "odds", c! / b!);
    expect(values(0.1)[2]).toBeGreaterThan(0.999);
    expect(shownIn("close", "price", { beta: 5 }).says).toContain("earns 0.60");
    expect(0.3 * 1 + 0.1 * 2).toBeCloseTo(0.5, 9);
  });

  it("is paid by the best of all policies", () => {
    const { chances, rewards } = exploreIn("close", "price").data;
    const objective = (p: readonly number[]) =>
      p.reduce((sum, q, i) => sum + q * (rewards![i]! - Math.log(q / chances![i]!)), 0);
    const best = values(1);
    for (const [i, j] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      const other = best.map((q, at) => q + (at === i ? 0.01 : at === j ? -0.01 : 0));
      expect(objective(other)).toBeLessThan(objective(best));
    }
  });
});

it("entropy is that of the engine, and fell in the recorded run", () => {
  const logits = [0.5, 0.25, 0.25].map(Math.log);
  expectAnswer("close", "entropy", entropyFromLogits(logits).entropy);
  const ends = (method: string) => {
    const { x, y } = log.series(method, "actor/entropy", "train");
    return [2, 100].map((iteration) => y[x.indexOf(iteration)]!.toFixed(2));
  };
  for (const method of log.algorithms) expect(ends(method)[1]! < ends(method)[0]!).toBe(true);
  const [grpo, turnPpo] = [ends("grpo"), ends("turn-ppo")];
  expect(lessonText("teacher/close")).toContain(
    `from ${grpo[0]} to ${grpo[1]} (GRPO), from ${turnPpo[0]} to ${turnPpo[1]} (Turn-PPO)`,
  );
});

it("trains GRPO with a price and without, and nothing else differs", () => {
  const [free, priced] = ["free", "priced"].map((id) => readExperiment(bodyOf("close", id)));
  expect([free!.remarks, priced!.remarks]).toEqual([[], []]);
  const beta = ({ spec }: NonNullable<typeof free>) => specAlgorithms(spec)[0]!.betaKl;
  expect([beta(free!), beta(priced!)]).toEqual([0, 1]);
});
