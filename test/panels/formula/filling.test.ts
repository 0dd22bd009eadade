import { describe, expect, it } from "vitest";
import { creditOf, isKnown } from "../../../src/reading/credit/rowCredit.ts";
import { ownRow } from "../../../src/reading/credit/rows.ts";
import { filling, type Filling, type FillingWanted } from "../../../src/panels/formula/filling.ts";
import { BatchNumbers, placeAt } from "../../../src/panels/formula/place.ts";
import { filledFormulas } from "../../../src/panels/formula/steps.ts";
import { isCut, resultsOf } from "../../../src/panels/formula/results.ts";
import { words } from "../../../src/panels/formula/words.ts";
import { RunLog } from "../../../src/reading/log/runLog.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";

const row = ownRow(new RunLog(), "turn-ppo");

function wanted(changes: Partial<FillingWanted> = {}): FillingWanted {
  const episodes = changes.episodes ?? tokenEpisodes(8, 4);
  const place = { b: 1, turn: 1, token: null };
  return { row, episodes, episode: episodes[1]!, ...place, played: null, update: null, ...changes };
}

/** What comes out, and the pieces of work it was made in. */
function worked(job: Generator<void, Filling>): { made: Filling; pieces: number } {
  for (let pieces = 1; ; pieces++) {
    const next = job.next();
    if (next.done) return { made: next.value, pieces };
  }
}

describe("a place filled in slices", () => {
  it("is what it is in one piece, and its parts are made one at a time", () => {
    const all = wanted();
    const job = filling(all);
    job.next();
    // The batch comes first, in a piece of its own.
    expect(isKnown(row.config!, all.episodes)).toBe(false);
    job.next();
    expect(isKnown(row.config!, all.episodes)).toBe(true);
    const { made, pieces } = worked(job);
    expect(pieces).toBeGreaterThan(5);
    const numbers = new BatchNumbers(row.config!, creditOf(row.config!, all.episodes).ok!, null);
    const formulas = filledFormulas(placeAt(numbers, 1, 1, null));
    expect(made.content!.formulas).toEqual(formulas);
    expect(made.wanted).toBe(all);
  });

  it("keeps what a row has of its batch while the cursor moves", () => {
    const first = wanted();
    const before = worked(filling(first)).made.content!.place.all;
    const moved = { ...first, turn: 0, token: 1 };
    expect(worked(filling(moved)).made.content!.place.all).toBe(before);
    const other = wanted();
    expect(worked(filling(other)).made.content!.place.all).not.toBe(before);
  });

  it("has a reason where there is nothing to fill in", () => {
    const [turns, none] = [tokenEpisodes(8, 4), tokenEpisodes(8, 4)];
    turns[1]!.turns[1]!.tokens = [];
    const empty = worked(filling(wanted({ episodes: turns }))).made;
    expect(empty).toMatchObject({ content: null, reason: words.emptyTurn });
    for (const { turns: all } of none) for (const turn of all) delete turn.critics;
    const without = worked(filling(wanted({ episodes: none }))).made;
    expect(without.content).toBeNull();
    expect(without.reason).toContain("value for each turn");
  });
});

describe("the results of a place", () => {
  it("are those that its formulas end in, for the eye in one line", () => {
    const all = wanted();
    const { place } = worked(filling(all)).made.content!;
    const results = resultsOf(place, all.episode);
    expect(results.map(({ step }) => step)).toEqual([
      "advantage",
      "ratio",
      "clip",
      "loss",
      "update",
    ]);
    const of = (step: string) => results.find((one) => one.step === step)!.value;
    expect(of("advantage")).toBe(place.all.credit.turnAdvantage[place.k]);
    expect(of("loss")).toBe(place.all.objective.loss);
    expect(of("update")).toBeCloseTo(-place.all.corrected.objective.dLogprob[place.n]!, 12);
    expect(isCut(place)).toBe(place.all.objective.tokenClipped[place.n] === 1);
  });
});
