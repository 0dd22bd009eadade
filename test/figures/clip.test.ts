import { describe, expect, it } from "vitest";
import { clippedSurrogate } from "../../src/method/clip/range.ts";
import { bandOf } from "../../src/method/clip/band.ts";
import { binEdge } from "../../src/algorithm/ratioHistogram.ts";
import { axisLimit, countBeyond, isBeyond, bandPlaces } from "../../src/figures/clip/band.ts";
import {
  bandInWords,
  describeHistogram,
  describeSum,
  stepName,
} from "../../src/figures/clip/describe.ts";
import { countDual, isDual } from "../../src/reading/dual.ts";
import { lastUse, withoutClipData } from "../../src/reading/lastUse.ts";
import { clipModel } from "../../src/figures/clip/clip.ts";
import {
  addUp,
  chosenSteps,
  readStepChoice,
  readSteps,
  writeStepChoice,
} from "../../src/reading/updateSteps.ts";
import { words } from "../../src/figures/clip/words.ts";
import type {
  EpisodeRecord,
  TurnRecord,
  UnchainedEvent,
  UpdateRecord,
} from "../../src/record/runEvent.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { creditEpisodes, creditEvents } from "../fixtures/creditRun.ts";
import { stepsEvents } from "../fixtures/stepsRun.ts";
import { chained } from "../fixtures/syntheticRun.ts";

function viewOfEvents(events: readonly UnchainedEvent[]) {
  const log = new RunLog();
  for (const event of chained(events)) log.append(event);
  return viewOf(log, "recorded");
}
const modelOf = (events: readonly UnchainedEvent[], algorithm: string) => {
  const view = viewOfEvents(events);
  return clipModel(view, resolveChoice(view.log, { ...LATEST, algorithm }));
};
const { steps } = modelOf(stepsEvents(), "turn-ppo");

/** Bins of which the last holds one count. */
const lastOf = (bins: number) => Array.from({ length: bins }, (_, i) => Number(i === bins - 1));

describe("the band", () => {
  it("is where the objective stops paying", () => {
    const { low, high, dual } = bandOf(resolveAlgorithm("token-ppo", { dualClip: 3 }));
    const rule = { ...resolveAlgorithm("token-ppo"), dualClip: 3 };
    for (const d of [-0.5, low! - 1e-6, low! + 1e-6, 0, high! - 1e-6, high! + 1e-6, dual! + 0.01]) {
      for (const A of [1, -1]) {
        const { clipped, clippedLower } = clippedSurrogate(
          Float64Array.of(Math.exp(d)),
          Float64Array.of(A),
          rule,
        );
        expect(clipped[0] === 1).toBe(A > 0 ? d > high! : d < low!);
        expect(clippedLower[0] === 1).toBe(A < 0 && d > dual!);
      }
    }
  });

  it("is known for every row, at the level where it acts", () => {
    const levels = Object.fromEntries(
      algorithmNames.map((name) => [name, bandOf(resolveAlgorithm(name)).level]),
    );
    expect(levels).toMatchObject({
      ...{ "turn-ppo": "turn", "token-ppo": "token", gspo: "episode", gmpo: "token" },
    });
    const gmpo = resolveAlgorithm("gmpo");
    expect(bandOf(gmpo)).toMatchObject({ low: -gmpo.epsLow, high: gmpo.epsHigh });
    expect(bandOf(resolveAlgorithm("token-ppo", { epsLow: 1 })).low).toBeNull();
    expect(bandInWords(bandOf(resolveAlgorithm("token-ppo", { epsLow: 1 })))).toContain("no bound");
  });

  it("widens the axis only where it is near", () => {
    const band = bandOf(resolveAlgorithm("token-ppo", { epsLow: 0.2, epsHigh: 0.2 }));
    expect(axisLimit(0.15, band)).toBeCloseTo(1.15 * -Math.log(0.8), 10);
    expect(axisLimit(0.001, band)).toBe(0.001);
    expect(isBeyond(band, 0.2, 0.3)).toBe(true);
    expect(isBeyond(band, 0.17, 0.3)).toBe(false);
  });
});

describe("steps", () => {
  it("add up: counts and cuts of epochs make those of all", () => {
    expect(steps).toHaveLength(4);
    const all = addUp(steps);
    const [first, second] = [0, 1].map((epoch) =>
      addUp(chosenSteps(steps, { kind: "epoch", epoch })),
    );
    expect(all.total.uses).toBe(first!.total.uses + second!.total.uses);
    expect(all.total.high).toBe(first!.total.high + second!.total.high);
    expect(all.total.low).toBe(first!.total.low + second!.total.low);
    expect(all.turn.counts).toEqual(first!.turn.counts.map((n, i) => n + second!.turn.counts[i]!));
    expect(all.cutShare).toBeCloseTo((first!.cutShare + second!.cutShare) / 2, 12);
    const inTurns = all.turn.counts.reduce((a, b) => a + b, 0);
    expect(inTurns).toBe(all.total.uses);
  });

  it("have cut nothing at first and more later", () => {
    const [first, , , last] = steps.map((step) => addUp([step]));
    expect(first!.total).toMatchObject({ high: 0, low: 0 });
    expect(last!.total.high + last!.total.low).toBeGreaterThan(0);
    expect(last!.cutShare).toBeGreaterThan(0);
    const band = bandOf(resolveAlgorithm("turn-ppo"));
    expect(countBeyond(first!.turn, band)).toEqual({ n: 0, atLeast: false });
    expect(countBeyond(last!.turn, band).n).toBeGreaterThan(0);
  });

  it("say exactly what lies beyond the band where bins are aligned with it, else at least what", () => {
    const band = bandOf(resolveAlgorithm("turn-ppo"));
    const { turn } = addUp(steps);
    expect(turn.inner).toBeDefined();
    expect(countBeyond(turn, band).atLeast).toBe(false);
    expect(describeHistogram(turn, "turn", band)).toMatch(
      /^\d+ of \d+ turns are outside the band\./,
    );
    // As older logs have it: equal bins, of which the band's edges go through some.
    const old = { limit: 8, counts: [3, 0, 20, 1, 0] };
    expect(countBeyond(old, band)).toEqual({ n: 4, atLeast: true });
    expect(describeHistogram(old, "turn", band)).toMatch(/^At least 4 of 24 turns are outside/);
    const { from, to, edge, inner } = bandPlaces(turn, band);
    expect([edge(0), edge(turn.counts.length)]).toEqual([from, to]);
    expect(from).toBeLessThan(inner[0]);
    expect(bandPlaces(old, band)).toMatchObject({ from: -8, to: 8, inner: [-8, 8] });
  });

  it("of unequal ranges go where their bins' middles fall", () => {
    const at = (limit: number, bin: number): UpdateRecord => {
      const counts = Array<number>(41).fill(0);
      counts[bin] = 5;
      const histogram = { limit, counts };
      return { ...steps[0]!, token: histogram, turn: histogram };
    };
    const { turn } = addUp([at(1, 40), at(0.1, 40)]);
    expect(turn.limit).toBe(1);
    expect(turn.counts[40]).toBe(5);
    const other = turn.counts.findIndex((n, i) => n > 0 && i < 40);
    expect(binEdge(turn, other)).toBeLessThan(0.1);
    expect(binEdge(turn, other + 1)).toBeGreaterThan(0.09);
  });

  it("are chosen by what a select holds; what is not there means all", () => {
    for (const choice of [
      { kind: "all" },
      { kind: "epoch", epoch: 1 },
      { kind: "step", step: 3 },
    ] as const)
      expect(readStepChoice(writeStepChoice(choice))).toEqual(choice);
    expect(chosenSteps(steps, { kind: "step", step: 9 })).toBe(steps);
    expect(stepName({ kind: "step", step: 9 }, steps)).toBe("all 4 steps");
    expect(stepName({ kind: "step", step: 3 }, steps)).toBe("epoch 2, minibatch 2");
  });

  it("from elsewhere are checked", () => {
    const [one] = steps;
    const bad = [
      null,
      3,
      {},
      { ...one, turns: [1, 2] },
      { ...one, token: { limit: 0, counts: [1] } },
      { ...one, token: { limit: 1, counts: [1, 2, 3], inner: [1, 0] } },
      { ...one, token: { limit: 1, counts: [1, 2], inner: [0, 1] } },
    ];
    expect(readSteps([...bad, { ...one, cutShare: NaN }, one])).toEqual({
      steps: [one],
      refused: 8,
    });
    expect(readSteps("steps")).toEqual({ steps: [], refused: 0 });
  });

  it("are told in a sentence", () => {
    expect(describeSum("all 4 steps", addUp(steps))).toMatch(
      /^All 4 steps: \d+ uses of turns, \d+ of them cut \(.*%\): \d+ with A > 0 and \d+ with A < 0\./,
    );
    expect(describeSum("x", addUp(steps.slice(0, 1)))).toContain("Nothing was cut.");
    expect(words.summary("X", "1", "0", "0 %")).toBe("X: 1 use of turns, 0 of them cut (0 %)");
    expect(words.lastUse("1")).toMatch(/the one recorded turn/);
    const spread = (limit: number) => describeHistogram({ limit, counts: [0, 0, 1] }, "turn", null);
    expect(spread(3)).toMatch(/^All are between \+1\.0+ and \+3\.0+\.$/);
    // Narrower than the digits that are written.
    expect(describeHistogram({ limit: 3, counts: lastOf(40_001) }, "turn", null)).toBe(
      "All are about +3.000.",
    );
  });
});

describe("dual clip", () => {
  const turn = (ratio: number, advantage: number, clipped: boolean | null = true) =>
    ({ ratio, advantage, clipped, tokens: [] }) as unknown as TurnRecord;
  const config = resolveAlgorithm("turn-ppo", { dualClip: 3 });

  it("is what cuts a turn with A < 0 that has become far likelier", () => {
    expect(isDual(turn(12, -1), config)).toBe(true);
    expect(isDual(turn(0.5, -1), config)).toBe(false);
    expect(isDual(turn(12, 1), config)).toBe(false);
    expect(isDual(turn(12, -1, null), config)).toBe(false);
    expect(isDual(turn(12, -1), null)).toBe(false);
    expect(isDual(turn(12, -1), resolveAlgorithm("turn-ppo", { dualClip: null }))).toBe(false);
  });

  it("cuts single tokens where each has a ratio of its own", () => {
    const ofTokens = resolveAlgorithm("token-ppo", { dualClip: 3 });
    const withTokens = (...d: number[]) => ({
      ...turn(1, -1),
      tokens: d.map((logprob) => ({ logprob, oldLogprob: 0 })) as TurnRecord["tokens"],
    });
    expect(isDual(withTokens(-1, 1.2), ofTokens)).toBe(true);
    expect(isDual(withTokens(-1, 1), ofTokens)).toBe(false);
  });

  it("is counted among the recorded turns", () => {
    const turns = [turn(12, -1), turn(0.5, -1), turn(2, 1)];
    const episodes = creditEpisodes("turn-ppo")
      .slice(0, 1)
      .map((one) => ({ ...one, turns }));
    expect(countDual(episodes, config)).toEqual({ dual: 1, low: 2 });
    expect(words.dualCount("1", "2")).toContain("2 were cut with A < 0");
  });
});

describe("logs without steps", () => {
  it("show the recorded turns as they were last used", () => {
    const model = modelOf(creditEvents(), "turn-ppo");
    expect(model).toMatchObject({ source: "lastUse", still: false });
    const { total, token, cutShare } = addUp(model.steps);
    const episodes = creditEvents().flatMap((event) =>
      event.type === "iteration" && event.algorithm === "turn-ppo" && event.iteration === 2
        ? event.episodes
        : [],
    );
    const turns = episodes.flatMap((episode) => episode.turns);
    expect(total.uses).toBe(turns.length);
    expect(total.high + total.low).toBe(turns.filter(({ clipped }) => clipped).length);
    expect(token.counts.reduce((a, b) => a + b, 0)).toBe(4 * turns.length);
    expect(cutShare).toBeNaN();
  });

  it("count only turns of which the file tells what a clip cut, and on which side", () => {
    const episodes = creditEpisodes("turn-ppo");
    const all = episodes.flatMap(({ turns }) => turns).length;
    const as = (change: (place: number) => Partial<TurnRecord>): EpisodeRecord[] => {
      let place = 0;
      return episodes.map((one) => ({
        ...one,
        turns: one.turns.map((turn) => ({ ...turn, ...change(place++) })),
      }));
    };
    const none = as(() => ({ clipped: null }));
    expect(withoutClipData(none)).toBe(all);
    expect(describeSum("x", addUp([lastUse(none, null)!]))).toBe(words.noClipData);
    // The second was cut, the third was cut on an unknown side, the fourth may have been.
    const few: Partial<TurnRecord>[] = [
      { clipped: false, advantage: 1 },
      { clipped: true, advantage: 2 },
      { clipped: true, advantage: null as never },
      { clipped: null, advantage: 1 },
    ];
    const part = as((place) => few[place] ?? { clipped: false, advantage: null as never });
    expect(withoutClipData(part)).toBe(all - 2);
    expect(addUp([lastUse(part, null)!]).total).toEqual({ uses: 2, high: 1, low: 0 });
    // An advantage of 0 has no side.
    const zero = as(() => ({ clipped: true, advantage: 0 }));
    expect(addUp([lastUse(zero, null)!]).total).toMatchObject({ high: 0, low: 0 });
    const events = stepsEvents(({ updates: _, ...event }) => ({ ...event, episodes: part }));
    expect(modelOf(events, "turn-ppo")).toMatchObject({ source: "lastUse", unknown: all - 2 });
    expect(words.withoutData(String(all - 2))).toContain(`Not counted: ${all - 2} turns`);
  });

  it("say so where the actor was held still, or nothing is told", () => {
    const still = stepsEvents((event) => ({ ...event, updates: [] }));
    expect(modelOf(still, "turn-ppo")).toMatchObject({ source: "none", still: true });
    const bare = stepsEvents(({ updates: _, ...event }) => ({ ...event, episodes: [] }));
    expect(modelOf(bare, "turn-ppo")).toMatchObject({ source: "none", still: false });
    expect(lastUse([], null)).toBeNull();
  });
});
