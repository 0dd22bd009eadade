import { clipScales } from "../../../src/method/clip/adaptive.ts";
import { describe, expect, it } from "vitest";
import { rescaledReturns } from "../../../src/method/credit/turnGroups.ts";
import { creditOf } from "../../../src/reading/credit/rowCredit.ts";
import { branchesOf } from "../../../src/panels/formula/branch.ts";
import { findNumber, numberAt } from "../../../src/panels/formula/numbers.ts";
import { BatchNumbers, placeAt } from "../../../src/panels/formula/place.ts";
import { lossRemark } from "../../../src/panels/formula/steps.ts";
import { words } from "../../../src/panels/formula/words.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import type { Binding } from "../../../src/method/formula/vocabulary.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";
import { compareGains } from "../../../src/method/credit/turnGroups.ts";

const gainScores = (...of: Parameters<typeof compareGains>) => compareGains(...of).z;

const episodes = tokenEpisodes(4, 2);

/** As the logs of methods that measure such things have them. */
const measured = episodes.map((episode, b): EpisodeRecord => ({
  ...episode,
  greedyScore: b + 0.5,
  turns: episode.turns.map((turn, h) => ({
    ...turn,
    gain: h + 0.25,
    tokens: turn.tokens.map((token, t) => ({ ...token, refLogprob: -t - 1 })),
  })),
}));

function allOf(name: string, list: EpisodeRecord[], set: Record<string, number> = {}) {
  const config = resolveAlgorithm(name, set);
  return new BatchNumbers(config, creditOf(config, list).ok!);
}

const placeOf = (name: string, list: EpisodeRecord[]) => placeAt(allOf(name, list), 1, 1, 2);

describe("A2TGPO's numbers of a gain", () => {
  // No two rollouts of a task gain the same.
  const gaining = tokenEpisodes(4, 4).map((episode, b): EpisodeRecord => ({
    ...episode,
    turns: episode.turns.map((turn, h) => ({ ...turn, gain: Math.sin(5 * b + h) })),
  }));
  const all = allOf("a2tgpo", gaining);
  const { batch, config, credit } = all;
  const z = gainScores(batch.turnGain!, batch.task, batch.turnStart); // [K]
  const D = rescaledReturns(z, batch.turnStart, config.gamma); // [K]
  const c = clipScales(z, config.epsSpread); // [K]

  it("are those of the algorithm itself, of every turn", () => {
    let wide = 0;
    for (const [b, { turns }] of gaining.entries())
      for (const h of turns.keys()) {
        const place = placeAt(all, b, h, null);
        const [at, isLast] = [(id: Binding) => numberAt(id, place), h + 1 === turns.length];
        expect(at("turn.gainScore")).toBe(isLast ? null : z[place.k]);
        expect(at("turn.gainReturn")).toBe(isLast ? null : D[place.k]);
        expect(at("turn.clipScale")).toBe(c[place.k]);
        if (c[place.k]! > 1.01) wide++;
        const own = isLast ? 0 : config.alpha * at("turn.gainReturn")!;
        const A = credit.turnAdvantage[place.k]!;
        expect(own + at("trajectory.outcomeScore")!).toBeCloseTo(A, 12);
        if (isLast) continue;
        const spread = Math.sqrt(at("group.turnStd")! ** 2 + 1e-8);
        expect((at("turn.gain")! - at("group.turnMean")!) / spread).toBeCloseTo(z[place.k]!, 12);
      }
    expect(wide).toBeGreaterThan(0);
  });

  it("widen the range that the clip holds a ratio in", () => {
    const narrow = allOf("a2tgpo", gaining, { epsLow: 0.05, epsHigh: 0.05, epsSpread: 0.9 });
    const cuts = gaining.flatMap(({ turns }, b) =>
      turns.map((_, h) => {
        const place = placeAt(narrow, b, h, null);
        const cut = ["held", "floor"].includes(branchesOf(place).winner);
        expect(cut).toBe(narrow.objective.tokenClipped[place.n] === 1);
        return cut;
      }),
    );
    expect(new Set(cuts).size).toBe(2);
  });

  it("are not there for rows without gains", () => {
    const grpo = placeOf("grpo", gaining);
    for (const id of ["turn.gainScore", "turn.gainReturn", "turn.clipScale"] as const)
      expect(numberAt(id, grpo)).toBe(null);
  });
});

describe("numbers that only some methods' logs have", () => {
  const cases = [
    ["token.refLogprob", -3, words.from.reference],
    ["turn.gain", 1.25, words.from.gain],
    ["trajectory.greedyScore", 1.5, words.from.greedy],
  ] as const;

  it.each(cases)("%s is told where the log has it", (binding, value, from) => {
    expect(findNumber(binding, placeOf("grpo", measured))).toMatchObject({ value, from });
    const without = findNumber(binding, placeOf("grpo", episodes));
    expect(without).toMatchObject({ value: null, from: words.from.notRecorded });
  });
});

describe("the loss", () => {
  it("says how it is averaged, and why Turn-PPO's sum over turns is divided by tokens", () => {
    const turnPpo = lossRemark(placeOf("turn-ppo", episodes));
    expect(turnPpo).toContain("Averaged by “turnsum-over-tokens”");
    expect(turnPpo).toContain(
      "the divisor counts a rollout’s tokens although the sum is over its turns",
    );
    const grpo = lossRemark(placeOf("grpo", episodes));
    expect(grpo).toContain("mean over trajectories of the mean over their tokens");
    expect(grpo).not.toContain(
      "the divisor counts a rollout’s tokens although the sum is over its turns",
    );
  });
});
