/** The numbers of the lesson on true credit are those of the recorded run, its true values, and the recorded gradients. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { mean, pearson, variance } from "../../../src/numeric/statistics.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import { readFigure } from "../../../src/figures/gradient/recorded.ts";
import { truthAt, type Truths } from "../../../src/reading/truths.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { bodyOf, expectAnswer, recordedTruths } from "../../fixtures/lesson.ts";

let log: RunLog;
let truths: Truths;
beforeAll(async () => {
  ({ log, truths } = await recordedTruths("nano"));
});

/** The turns of one recorded episode, with the truth of each. */
function judged(algorithm: string, iteration: number, place: number) {
  const { trajectory, turns, task } = log.episodes(algorithm, iteration)[place]!;
  const truth = truthAt(truths, { algorithm, iteration, trajectory, turns: turns.length });
  return (truth?.turns ?? []).map((known, h) => ({ ...known, task, turn: turns[h]!, h, turns }));
}

it("judges the episode that it shows", () => {
  const turns = judged("token-ppo", 100, 6);
  expect(turns.map(({ turn }) => turn.text)).toEqual(["Up || Right", "Up", "Left || Up"]);
  // The first two walk into walls: the board stays as it is.
  expect(new Set(turns.map(({ turn }) => turn.observation)).size).toBe(1);
  const two = (numbers: number[]) => numbers.map((x) => Number(x.toFixed(2)));
  expect(two(turns.map(({ turn }) => turn.advantage))).toEqual([1.79, 2.02, 2.1]);
  expect(two(turns.map(({ turn }) => turn.reward))).toEqual([-0.2, -0.1, 10.8]);
  expect(two(turns.map(({ value }) => value))).toEqual([3.15, 1.92, 1.64]);
  expectAnswer("truth", "first", turns[0]!.advantage);
  expectAnswer("truth", "third", turns[2]!.advantage);
  const { data } = readFields("explore", bodyOf("truth", "known")).value!;
  turns.forEach(({ advantage, advantageInterval: [low, high] }, h) => {
    expect(data.truth![h]).toBeCloseTo(advantage, 5);
    expect(data.half![h]).toBeCloseTo((high - low) / 2, 5);
  });
  expect(data.branches).toBe(256);
  const half = (doublings: number) =>
    explorations["truth"]!.show({ doublings }, data).rows[0]!.half!;
  expectAnswer("truth", "interval", half(10)[1]!);
  expect(half(10)[1]).toBeGreaterThan(Math.abs(data.truth![1]!));
});

it("has the ceiling of the recorded run", () => {
  const turns = log.episodes("grpo", 1).flatMap((_, place) => judged("grpo", 1, place));
  expect(turns).toHaveLength(128);
  const credit = turns.map(({ advantage }) => advantage); // [K]
  const surprise = turns.map(({ turns: own, h, value }) => {
    const came = own.slice(h).reduce((sum, { reward }) => sum + reward, 0);
    return came - value;
  }); // [K]
  const chance = surprise.map((x, k) => x - credit[k]!); // [K]
  expect(variance(credit).toFixed(2)).toBe("1.13");
  expect(variance(chance).toFixed(2)).toBe("1.41");
  expect(variance(chance) / variance(credit)).toBeCloseTo(1.25, 2);
  expect(pearson(surprise, credit).toFixed(2)).toBe("0.64");
  const own = turns.map(({ turn }) => turn.advantage);
  expect(pearson(own, credit).toFixed(2)).toBe("0.23");
  const [best] = explorations["luck"]!.show({ luck: 1.25 }, {}).rows[0]!.values;
  expectAnswer("truth", "limit", best!);
  expect(Math.abs(mean(chance))).toBeLessThan(0.3);
});

it("quotes the older study and the gradient figure", () => {
  const results = readFileSync("test/bench/RESULTS.md", "utf8");
  expect(results).toContain("Even the return minus the true V reaches only 0.62");
  expect(results).toContain("GRPO is at 0.38 and Dr.GRPO at 0.50");
  expect(results).toContain("both correlate the same (0.425)");
  expect((1 / 0.62 ** 2 - 1).toFixed(1)).toBe("1.6");
  const { checkpoints } = readFigure(readFileSync("public/figures/gradient.json", "utf8"));
  const cosine = (name: string, id = "start") =>
    checkpoints
      .find((one) => one.id === id)!
      .rows.find((row) => row.name === name)!
      .cosine.at(-1)!
      .map((x) => Number(x!.toFixed(2)));
  expect(checkpoints[0]!.sizes.at(-1)).toBe(128);
  expect(cosine("true-advantage")).toEqual([0.38, 0.13, 0.6]);
  expect(cosine("dr-grpo")).toEqual([0.27, 0.06, 0.48]);
  expect(cosine("turn-ppo")[0]).toBe(0.23);
  expect(cosine("grpo")[0]).toBe(0.11);
  expect(cosine("grpo", "turn-ppo-100")).toEqual([0.41, 0.26, 0.59]);
  expect(cosine("dr-grpo", "turn-ppo-100")).toEqual([0.28, 0.04, 0.5]);
  expect(cosine("true-advantage", "shop-start")).toEqual([0.28, 0.25, 0.31]);
  expect(cosine("rloo", "shop-start")).toEqual([0.17, 0.12, 0.21]);
  expect(cosine("turn-ppo", "shop-start").map(Math.abs)).toEqual([0.04, 0, 0.08]);
  expect(cosine("turn-ppo", "shop-25")).toEqual([0.22, 0.15, 0.28]);
});
