/** The numbers of the lessons on GRPO and on the critic are those of the recorded run, and of the formulas that they explain. */
import { beforeAll, describe, expect, it } from "vitest";
import { gae } from "../../../src/method/credit/gae.ts";
import { groupScores } from "../../../src/method/credit/groupScores.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { mean, std } from "../../../src/numeric/statistics.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { bodyOf, expectAnswer, quizOf, recordedRun } from "../../fixtures/lesson.ts";

let log: RunLog;
beforeAll(async () => {
  log = await recordedRun("nano");
});

describe("the lesson on GRPO", () => {
  it("shows the group it speaks of, and its advantages", () => {
    const group = log.episodes("grpo", 100).slice(8, 16);
    expect(new Set(group.map(({ task }) => task)).size).toBe(1);
    const scores = Float64Array.from(group, ({ reward }) => reward); // [G]
    expect([...scores].map((x) => Number(x.toFixed(6)))).toEqual([
      ...[-0.5, -0.5, -0.5, -0.5, -0.5, 10.6, -0.5, -0.5],
    ]);
    expect(group[5]!.turns).toHaveLength(4);
    const adv = groupScores(scores, Array(8).fill("one"), "sample");
    expectAnswer("grpo", "advantage", adv[5]!);
    // As the explanation of the question on the order of the steps says.
    expect(quizOf("grpo", "steps").explanation).toContain("sum to zero");
    expect(adv.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 6);
    for (const turn of group[5]!.turns) expect(turn.advantage).toBeCloseTo(adv[5]!, 4);
    expect(bodyOf("grpo", "attempts")).toContain("at: grpo,100,14,1");
    const silent = log.episodes("grpo", 100).slice(0, 8);
    expect(new Set(silent.map(({ reward }) => reward.toFixed(6)))).toEqual(new Set(["-0.500000"]));
  });

  it("shows a group that failed, and what it teaches", () => {
    const group = log.episodes("grpo", 1).slice(0, 8);
    expect(new Set(group.map(({ task }) => task)).size).toBe(1);
    expect(group.some(({ success }) => success)).toBe(false);
    // A turn whose answer is not a move pays as much as one move.
    const paidFor = ({ turns }: (typeof group)[number]) =>
      turns.reduce((sum, { actions }) => sum + Math.max(1, actions?.length ?? 0), 0);
    for (const one of group) expect(one.reward).toBeCloseTo(-0.1 * paidFor(one), 9);
    const scores = Float64Array.from(group, ({ reward }) => reward); // [G]
    const [cheapest, next] = [quizOf("grpo", "cheapest"), quizOf("grpo", "next")];
    expect(cheapest.question).toContain(mean(scores).toFixed(4).replace("-", "−"));
    expect(cheapest.question).toContain(std(scores).toFixed(4));
    const best = group.findIndex(({ reward }) => reward === Math.max(...scores));
    expect(group[best]!.reward).toBeCloseTo(-0.7, 9);
    expect(bodyOf("grpo", "failures")).toContain(`at: grpo,1,${best + 1},1`);
    const adv = groupScores(scores, Array(8).fill("one"), "sample");
    expectAnswer("grpo", "cheapest", adv[best]!);
    // The run divides rewards by ten, so that its 1e-6 counts for more.
    for (const turn of group[best]!.turns) expect(turn.advantage).toBeCloseTo(adv[best]!, 3);
    const at = (iteration: number, metric: string) => {
      const { x, y } = log.series("grpo", metric);
      return y[x.indexOf(iteration)]!;
    };
    expect(next.question).toContain(`${16 - 16 * at(1, "sokoban/pass@8")} of 16 groups`);
    const moves = [1, 20].map((iteration) => at(iteration, "sokoban/num_actions").toFixed(1));
    expect(next.explanation).toContain(`from ${moves.join(" to ")} in 20 iterations`);
  });
});

describe("the lesson on the critic", () => {
  it("has the episode's rewards and values, and computes with them as the run did", () => {
    const { turns } = log.episodes("turn-ppo", 51)[0]!;
    const { data, set } = readFields("explore", bodyOf("critic", "backwards")).value!;
    const { rewards = [], values = [] } = data;
    expect(rewards).toEqual(turns.map(({ reward }) => Number(reward.toFixed(6))));
    turns.forEach(({ value }, h) => expect(values[h]).toBeCloseTo(value!, 5));
    const { delta, adv, ret } = gae({
      reward: Float64Array.from(rewards),
      value: Float64Array.from(values),
      start: Int32Array.of(0, 5),
      bootstrap: Float64Array.of(0),
      gamma: set["gamma"]!,
      lambda: set["lambda"]!,
    });
    // The run's own discount: its returns come out.
    turns.forEach((turn, h) => expect(ret[h]).toBeCloseTo(turn.return!, 4));
    expectAnswer("critic", "delta", delta[4]!);
    expectAnswer("critic", "delta-four", delta[3]!);
    expectAnswer("critic", "advantage", adv[3]!);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    for (const [lesson, id] of [
      ["critic", "bonus"],
      ["estimator", "weigh"],
    ] as const)
      expect(readFields("explore", bodyOf(lesson, id)).value!.data).toEqual({ rewards, values });
    const least = quizOf("critic", "rise");
    expect(least.at).toBe("turn-ppo,51,1");
    expect(least.answer).toBe(values.indexOf(Math.min(...values)) + 1);
  });

  it("moves a reward: turns before it notice, turns after it do not", () => {
    const { figure, data, set } = readFields("explore", bodyOf("critic", "bonus")).value!;
    const { rows } = explorations[figure]!.show({ ...set, turn: 3 }, data);
    const moved = rows.find(({ name }) => name === "changed by the bonus")!.values;
    expectAnswer("critic", "notice", moved[0]!);
    expect(moved.slice(3)).toEqual([0, 0]);
    const sums = [1, 3, 5].map(
      (turn) => explorations[figure]!.show({ ...set, turn }, data).rows[1]!.values[0]!,
    );
    for (const sum of sums) expect(sum).toBeCloseTo(15.2, 9);
  });
});
