/** The numbers of the lesson on credit are those of the recorded episode, of its true values and of the opening's file. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { greatest } from "../../../src/numeric/lists.ts";
import { guessFigure } from "../../../src/panels/explore/guessFigure.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { readOpening } from "../../../src/reading/opening.ts";
import { truthAt, type EpisodeTruth } from "../../../src/reading/truths.ts";
import { bodyOf, expectAnswer, quizOf, recordedTruths } from "../../fixtures/lesson.ts";

const { turns, truth, credits, at } = readOpening(
  readFileSync("public/figures/opening.json", "utf8"),
);
const rewards = turns.map(({ reward }) => reward); // [H]
let log: RunLog;
let values: number[]; // [H]
let failed: EpisodeTruth;
beforeAll(async () => {
  const { log: run, truths } = await recordedTruths("nano");
  log = run;
  const of = (algorithm: string, trajectory: number, n: number) =>
    truthAt(truths, { algorithm, iteration: 100, trajectory, turns: n })!;
  values = of("grpo", 13, 4).turns.map(({ value }) => value);
  failed = of("turn-ppo", 4, 5);
});

describe("the lesson on credit", () => {
  it("shows the opening page's episode wherever it speaks of it", () => {
    expect(at).toEqual({ algorithm: "grpo", iteration: 100, episode: 13 });
    for (const id of ["moves", "truth", "paid"])
      expect(bodyOf("credit", id)).toContain("at: grpo,100,14,1");
    const { kind, at: asked } = quizOf("credit", "earner");
    expect([kind, asked]).toEqual(["turn", "grpo,100,14"]);
    expect(rewards).toEqual([-0.1, -0.1, -0.1, 10.9]);
    expect(turns.map(({ actions }) => actions.at(-1))).toEqual(["Up", "Left", "Up", "Right"]);
  });

  it("has the true credits and their intervals", () => {
    const { data } = readFields("explore", bodyOf("credit", "guess")).value!;
    const best = truth.advantage.indexOf(greatest(truth.advantage));
    expectAnswer("credit", "earner", best + 1);
    expect(data.truth).toEqual(truth.advantage);
    truth.high.forEach((high, h) =>
      expect(data.half![h]).toBeCloseTo((high - truth.low[h]!) / 2, 2.4),
    );
    expect(truth.branches).toBe(256);
    expect(truth.low[0]! < 0 && truth.high[0]! > 0).toBe(true);
    expect(guessFigure.show({ reveal: 1 }, data).says).toContain("equal shares miss it by 3.72");
    // Of the reward that a method sees, not of the true credits' sum, which holds V of the first state.
    const equal = guessFigure.show({ reveal: 1 }, data).rows[1]!.values;
    expect(equal.map((x) => x!.toFixed(2))).toEqual(Array(4).fill("2.65"));
    expect(data.rewards).toEqual(rewards);
    expect(truth.advantage[2]! / truth.advantage[3]!).toBeGreaterThan(20);
  });

  it("computes true credits from the recorded true values", () => {
    const credit = (h: number) => rewards[h]! + (values[h + 1] ?? 0) - values[h]!;
    truth.advantage.forEach((known, h) => expect(credit(h)).toBeCloseTo(known, 2));
    expectAnswer("credit", "third", credit(2));
    expectAnswer("credit", "total", 10.6 - values[0]!);
    expect(truth.advantage.reduce((a, b) => a + b, 0)).toBeCloseTo(10.6 - values[0]!, 2);
    [-0.457, undefined, 0.002, 10.418].forEach((shown, h) => {
      if (shown !== undefined) expect(values[h]).toBeCloseTo(shown, 3);
    });
  });

  it("has the credits that methods gave", () => {
    for (const credit of credits["grpo"]!) expectAnswer("credit", "equal", credit);
    const paid = credits["turn-ppo"]!;
    [-0.06, 1.91, 2.82, 3.13].forEach((shown, h) => expect(paid[h]).toBeCloseTo(shown, 2));
    expect(paid.indexOf(greatest(paid))).toBe(3);
  });

  it("names a failed episode whose first turn was good", () => {
    const episode = log.episodes("turn-ppo", 100)[4]!;
    expect(episode.success).toBe(false);
    expect(episode.turns).toHaveLength(5);
    expect(failed.turns[0]!.advantage).toBeCloseTo(1.77, 2);
    expect(failed.turns[0]!.advantageInterval[0]).toBeGreaterThan(0);
    expect(episode.turns[0]!.advantage).toBeLessThan(0);
  });
});
