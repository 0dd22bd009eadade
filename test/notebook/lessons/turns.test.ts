/** The numbers of the lesson on turns and tokens are those of the recorded run, and of the formulas that it explains. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { gae } from "../../../src/method/credit/gae.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { tInterval } from "../../../src/numeric/statistics.ts";
import { clocksFigure } from "../../../src/panels/explore/clockFigure.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { readSeeds } from "../../../src/store/seeds.ts";
import { bodyOf, expectAnswer, lessonText, recordedRun } from "../../fixtures/lesson.ts";

let log: RunLog;
let episode: EpisodeRecord;
beforeAll(async () => {
  log = await recordedRun("nano");
  episode = log.episodes("turn-ppo", 70)[0]!;
});

const clocksOf = () => readFields("explore", bodyOf("turns", "clocks")).value!;
const creditsAt = (gamma: number, lambda: number) =>
  clocksFigure.show({ gamma, lambda }, clocksOf().data).rows.map(({ values }) => values);
const ratiosOf = (h: number) =>
  episode.turns[h]!.tokens!.map(({ logprob, oldLogprob }) => Math.exp(logprob! - oldLogprob));

describe("the lesson on turns and tokens", () => {
  it("has the episode's rewards and tokens, and the values of both critics", () => {
    const { turns } = episode;
    expect(bodyOf("turns", "ribbon")).toContain("at: turn-ppo,70,1,1");
    expect(episode.success).toBe(true);
    const { rewards, values = [], lengths, tokenValues = [] } = clocksOf().data;
    expect(rewards).toEqual(turns.map(({ reward }) => Number(reward.toFixed(6))));
    expect(lengths).toEqual(turns.map(({ tokens }) => tokens!.length));
    const known = turns.flatMap(({ critics }) => critics!["token-ppo"]!);
    expect(tokenValues).toHaveLength(14);
    known.forEach((value, t) => expect(tokenValues[t]).toBeCloseTo(value!, 5));
    turns.forEach(({ value }, h) => expect(values[h]).toBeCloseTo(value!, 5));
  });

  it("credits turns as the run did", () => {
    const { rewards = [], values = [] } = clocksOf().data;
    const { adv, ret } = gae({
      reward: Float64Array.from(rewards),
      value: Float64Array.from(values),
      start: Int32Array.of(0, 4),
      bootstrap: Float64Array.of(0),
      gamma: 0.99,
      lambda: 0.9,
    });
    expect(creditsAt(0.99, 0.9)[0]).toEqual([...adv]);
    episode.turns.forEach((turn, h) => expect(ret[h]).toBeCloseTo(turn.return!, 4));
  });

  it("credits tokens as the run's token-PPO does, but for the rescaling of the iteration", () => {
    const { turns } = log.episodes("token-ppo", 70)[0]!;
    const data = {
      rewards: turns.map(({ reward }) => reward),
      values: turns.map(() => 0),
      lengths: turns.map(({ tokens }) => tokens!.length),
      tokenValues: turns.flatMap(({ critics }) => critics!["token-ppo"]!.map((value) => value!)),
    };
    const [, first] = clocksFigure.show({ gamma: 1, lambda: 1 }, data).rows;
    const recorded = turns.map(({ tokens }) => tokens![0]!.advantage!);
    const scale = (recorded[1]! - recorded[0]!) / (first!.values[1]! - first!.values[0]!);
    recorded.forEach((x, h) =>
      expect(x - recorded[0]!).toBeCloseTo(scale * (first!.values[h]! - first!.values[0]!), 3),
    );
  });

  it("says how a reward fades", () => {
    expect(0.9 ** 3).toBeCloseTo(0.73, 2);
    expect(0.9 ** 13).toBeCloseTo(0.25, 2);
    expectAnswer("turns", "fade", (0.99 * 0.9) ** 13);
    expect((0.99 * 0.9) ** 3).toBeCloseTo(0.707, 3);
    // The first exercise: 19 tokens a turn.
    const firstShare = (tokens: number) =>
      explorations["reach"]!.show({ turns: 5, tokens, lambda: 0.95 }, {}).rows[1]!.values[0]!;
    expect(firstShare(18)).toBeGreaterThan(0.01);
    expect(firstShare(19)).toBeLessThan(0.01);
  });

  it("has credits with λ = 1 and λ = 0 as its questions say", () => {
    const [byTurn, first] = creditsAt(1, 1);
    expectAnswer("turns", "whole", first![0]!);
    expect(byTurn![0]).toBeCloseTo(5.442, 3);
    const [turn0, first0, last0] = creditsAt(1, 0);
    expect(turn0![3]).toBeGreaterThan(9);
    expect(first0![3]).toBeLessThan(2);
    expect(last0![3]).toBeGreaterThan(9);
    // The second exercise: 0.65.
    const apart = (lambda: number) => {
      const [turn, token] = creditsAt(1, lambda);
      return Math.abs(turn![0]! - token![0]!);
    };
    for (let i = 0; i <= 20; i++) if (i !== 13) expect(apart(i / 20)).toBeGreaterThan(apart(0.65));
  });

  it("has the ratios of turn 1, and what the clip did to it", () => {
    const ratios = ratiosOf(0);
    [1.0001, 1.0008, 1.2198, 1.0001].forEach((x, t) => expect(ratios[t]).toBeCloseTo(x, 3.9));
    const product = ratios.reduce((a, b) => a * b, 1);
    expectAnswer("turns", "ratio", product);
    expect(episode.turns[0]).toMatchObject({ clipped: true });
    expect(episode.turns[0]!.ratio).toBeCloseTo(product, 4);
    expect(episode.turns[0]!.advantage).toBeGreaterThan(0);
    expectAnswer("turns", "clip", ratios.length);
    expect(ratios.filter((x) => x > 1.2)).toHaveLength(1);
  });

  it("says of five seeds what they say", async () => {
    expect(lessonText("turns")).toContain("five recorded seeds leave open which is better");
    const { seeds } = await readSeeds(readFileSync("public/runs/nano-seeds.json", "utf8"));
    const lastOf = (algorithm: string) =>
      seeds
        .filter(({ algorithms }) => algorithms.includes(algorithm))
        .map((run) => run.series(algorithm, "val-env/sokoban/success", "heldout").y.at(-1)!);
    const ofTokens = lastOf("token-ppo");
    const difference = lastOf("turn-ppo").map((x, i) => x - ofTokens[i]!); // [S]
    expect(difference).toHaveLength(5);
    const { low, high } = tInterval(difference);
    expect(low < 0 && high > 0).toBe(true);
  });

  it("has turns of 2 or 4 tokens, mostly", () => {
    const lengths = ["token-ppo", "turn-ppo"].flatMap((algorithm) =>
      log.episodes(algorithm, 100).flatMap(({ turns }) => turns.map((turn) => turn.tokens!.length)),
    );
    const usual = lengths.filter((n) => n === 2 || n === 4).length;
    expect(usual / lengths.length).toBeGreaterThan(0.8);
  });

  it("trains both methods on the same boards and with the same learning rates", () => {
    const tasksOf = (algorithm: string) => log.episodes(algorithm, 100).map(({ task }) => task);
    expect(tasksOf("turn-ppo")).toEqual(tasksOf("token-ppo"));
    const [, byToken, byTurn] = log.start!.spec.algorithms;
    expect([byToken!.name, byTurn!.name]).toEqual(["token-ppo", "turn-ppo"]);
    expect(byToken!.with).toEqual(byTurn!.with);
  });
});
