import { describe, expect, it } from "vitest";
import { creditOf } from "../../../src/panels/credits/rowCredit.ts";
import { findNumber } from "../../../src/panels/formula/numbers.ts";
import { BatchNumbers, placeAt } from "../../../src/panels/formula/place.ts";
import { words } from "../../../src/panels/formula/words.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";

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

function placeOf(name: string, list: EpisodeRecord[]) {
  const config = resolveAlgorithm(name);
  return placeAt(new BatchNumbers(config, creditOf(config, list).ok!), 1, 1, 2);
}

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
