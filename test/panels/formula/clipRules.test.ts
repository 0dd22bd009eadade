/** Every clip rule as the formula panel draws it, against the objective that training descends: its value, and whether a unit has a slope. */
import { describe, expect, it } from "vitest";
import { creditOf } from "../../../src/reading/credit/rowCredit.ts";
import { branchesOf } from "../../../src/panels/formula/branch.ts";
import { clipsRange } from "../../../src/panels/formula/clipBranches.ts";
import { findNumber, numberAt } from "../../../src/panels/formula/numbers.ts";
import { BatchNumbers, placeAt, type BatchPlace } from "../../../src/panels/formula/place.ts";
import { filledFormulas } from "../../../src/panels/formula/steps.ts";
import { unitOf } from "../../../src/spec/algorithmDocs/objectiveFormulas.ts";
import { algorithmNames, resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { wordAxes } from "../../../src/method/axes.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";

/** Ratios far outside of every range, on both sides, with gains and greedy scores. */
const episodes = tokenEpisodes(8, 4).map((episode, b) => ({
  ...episode,
  greedyScore: Math.cos(b),
  turns: episode.turns.map((turn, h) => ({
    ...turn,
    gain: Math.sin(5 * b + h),
    tokens: turn.tokens.map((token, t) => ({
      ...token,
      rolloutLogprob: token.oldLogprob + 0.01 * Math.sin(5 * b + 2 * h + t),
      sumPiSquared: 0.4 + 0.3 * Math.sin(3 * b + h + t),
      logprob: token.oldLogprob + 2.5 * Math.sin(7 * b + 3 * h + 2 * t),
    })),
  })),
}));

/** The loss is the clipped objective's alone. */
const WITHOUT_TERMS = { betaKl: 0, betaOld: 0, betaKlReward: 0, lmWeight: 0 };

/** Of every unit of the objective one place. */
function unitsOf(name: string, set: Record<string, unknown>): BatchPlace[] {
  const config = resolveAlgorithm(name, { ...WITHOUT_TERMS, ...set });
  const row = creditOf(config, episodes);
  if (!row.ok) throw new Error(`${name}: ${row.reason}`);
  const all = new BatchNumbers(config, row.ok);
  const unit = unitOf(config);
  return episodes.flatMap(({ turns }, b) =>
    (unit === "trajectory" ? [0] : [...turns.keys()]).flatMap((h) => {
      const tokens = unit === "token" ? [...turns[h]!.tokens.keys()] : [null];
      return tokens.map((t) => placeAt(all, b, h, t));
    }),
  );
}

/** The tokens of the unit at a place. */
function tokensOf({ all, b, k, n }: BatchPlace): [number, number] {
  const { tokenStart } = all.batch;
  switch (unitOf(all.config)) {
    case "token":
      return [n, n + 1];
    case "turn":
      return [tokenStart[k]!, tokenStart[k + 1]!];
    case "trajectory":
      return [all.tokensOf[b]!, all.tokensOf[b + 1]!];
  }
}

const rules = Object.keys(wordAxes.clip.values);
const levels = Object.keys(wordAxes.ratio.values);
const dualClips = [null, 1.5, 3];

describe.each(algorithmNames)("%s", (name) => {
  const settings = [
    {},
    ...rules.flatMap((clip) =>
      levels.flatMap((ratio) => dualClips.map((dualClip) => ({ clip, ratio, dualClip }))),
    ),
  ];

  it("is drawn with the loss that is trained", () => {
    for (const set of settings) {
      const units = unitsOf(name, set);
      const drawn = units.reduce((sum, place) => {
        const [from, to] = tokensOf(place);
        const { weight: own, samplerWeight } = place.all;
        const weight = own
          .subarray(from, to)
          .reduce((a, w, i) => a + w * (samplerWeight?.[from + i] ?? 1), 0);
        return sum - weight * numberAt(`${unitOf(place.all.config)}.surrogate`, place)!;
      }, 0);
      const { loss } = units[0]!.all.objective;
      const size = 1e-6 * Math.max(1, Math.abs(loss));
      expect(Math.abs(drawn - loss), JSON.stringify(set)).toBeLessThan(size);
    }
  });

  it("has a slope where a unit is drawn as free", () => {
    for (const set of settings) {
      for (const place of unitsOf(name, set)) {
        const { all } = place;
        if (!clipsRange(all.config)) break;
        const [from, to] = tokensOf(place);
        const A = numberAt(`${unitOf(all.config)}.advantage`, place)!;
        if (A === 0 || all.weight[from] === 0 || all.credit.kept?.[place.b] === 0) continue;
        const { winner } = branchesOf(place);
        const moves = all.objective.dLogprob.subarray(from, to).some((g) => g !== 0);
        expect(moves, `${JSON.stringify(set)} ${winner}`).toBe(["free", "equal"].includes(winner));
      }
    }
  });

  it("has a number for every intermediate of its estimate that a formula names", () => {
    for (const place of unitsOf(name, {}))
      for (const { terms } of filledFormulas(place))
        for (const term of terms) {
          const traced = place.all.trace[term];
          // The last turn answers, and has no gain.
          const none = /^turn\.gain/.test(term) && place.h + 1 === place.turns;
          if (!none && traced?.every((x) => !Number.isNaN(x)))
            expect(findNumber(term, place).value, term).not.toBeNull();
        }
  });
});

it("A²TGPO's dual clip bounds what is drawn", () => {
  const units = unitsOf("a2tgpo", { ratio: "turn-product", dualClip: 1.5 });
  const bound = units.filter((place) => branchesOf(place).winner === "floor");
  expect(bound.length).toBeGreaterThan(0);
  for (const place of bound) {
    const A = numberAt("turn.advantage", place)!;
    expect(numberAt("turn.surrogate", place)).toBe(1.5 * A);
  }
});

it("an intermediate without a finder of its own is found in the trace", () => {
  const [place] = unitsOf("grpo", {});
  const newer = new Float64Array(place!.all.batch.logprob!.length).fill(5);
  Object.defineProperty(place!.all, "trace", { value: { "token.newer": newer } });
  expect(findNumber("token.newer" as never, place!).value).toBe(5);
});
