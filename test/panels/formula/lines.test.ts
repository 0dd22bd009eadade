import { describe, expect, it } from "vitest";
import { creditOf } from "../../../src/reading/credit/rowCredit.ts";
import {
  drawn,
  joined,
  stacked,
  type Box,
  type Connector,
} from "../../../src/panels/formula/lineShapes.ts";
import { cursorOf, linksOf, sameThing, type Mark } from "../../../src/panels/formula/marks.ts";
import { originTables } from "../../../src/panels/formula/originData.ts";
import { BatchNumbers, placeAt } from "../../../src/panels/formula/place.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";

const box = (left: number, top: number, width = 40, height = 20): Box => ({
  ...{ left, top, right: left + width, bottom: top + height },
});
const VIEW = box(0, 100, 1000, 600);
const TABLE = box(0, 400, 300, 200);
const TERM = box(500, 200);
const FORMULA = box(400, 190, 500, 60);

const line = (to: Box, table = TABLE, from = TERM, formula = FORMULA) =>
  joined(from, formula, { box: to, frame: table, cells: 1 }, VIEW);

describe("a line", () => {
  it("joins the sides that face each other", () => {
    const to = box(100, 450);
    expect(line(to)).toEqual({
      ...{ from: [520, 220], to: [120, 450], upright: true, seen: to, beyond: null, cells: 1 },
    });
    const above = box(100, 120);
    expect(line(above, box(0, 110, 300, 60))).toMatchObject({ from: [520, 200], to: [120, 140] });
    const beside = box(100, 205);
    expect(line(beside, box(0, 195, 300, 60))).toMatchObject({
      ...{ from: [500, 210], to: [140, 215], upright: false, beyond: null },
    });
  });

  it("ends at what is to be seen of its target", () => {
    const stack = box(100, 380, 40, 500);
    expect(line(stack)).toMatchObject({ to: [120, 400], beyond: null });
    expect(line(stack)!.seen).toEqual(box(100, 400, 40, 200));
  });

  it("ends at the table's edge where the target is scrolled out of it", () => {
    expect(line(box(100, 650))).toMatchObject({ to: [120, 600], seen: null, beyond: "down" });
    expect(line(box(100, 350, 40, 30))).toMatchObject({ to: [120, 400], beyond: "up" });
    expect(line(box(390, 450))).toMatchObject({ to: [300, 460], beyond: "right" });
    // A few pixels of it are no sight of it.
    expect(line(box(100, 597))).toMatchObject({ to: [120, 600], beyond: "down", seen: null });
  });

  it("ends at the edge of the window where the table is off screen", () => {
    const away = box(0, 900, 300, 200);
    expect(line(box(100, 950), away)).toMatchObject({ to: [120, 700], beyond: "down" });
    const gone = box(0, -300, 300, 200);
    expect(line(box(100, -250), gone)).toMatchObject({ to: [120, 100], beyond: "up" });
  });

  it("starts at the edge where the term is off screen, and is none where both ends are", () => {
    const far = box(500, -50);
    const formula = box(400, -60, 500, 60);
    expect(line(box(100, 450), TABLE, far, formula)).toMatchObject({
      ...{ from: [520, 100], to: [120, 450], beyond: null },
    });
    expect(line(box(100, 950), box(0, 900, 300, 200), far, formula)).toBe(null);
  });

  it("is one line to cells that are above one another", () => {
    const cell = (left: number, top: number) => ({ box: box(left, top), frame: TABLE, cells: 1 });
    // As on the page: row by row.
    const cells = [cell(100, 450), cell(200, 450), cell(100, 470), cell(100, 490), cell(200, 490)];
    expect(stacked(cells).map(({ box, cells }) => [box, cells])).toEqual([
      [box(100, 450, 40, 60), 3],
      [box(200, 450), 1],
      [box(200, 490), 1],
    ]);
    expect(stacked([])).toEqual([]);
  });
});

describe("a drawing", () => {
  const seen = box(190, 320);
  const one: Connector = {
    from: [110, 120],
    to: [210, 320],
    upright: true,
    seen,
    beyond: null,
    cells: 1,
  };

  it("is relative to the panel", () => {
    const { lines, dots, frames, arrows } = drawn([one], { left: 10, top: 20 });
    expect(lines).toBe("M100 100C100 190 200 210 200 300");
    expect(dots).toBe("M100 100h0");
    expect(frames).toBe("M180 300H220V320H180Z");
    expect(arrows).toBe("");
  });

  it("counts what is behind the same arrow, and draws it once", () => {
    const away: Connector = { ...one, seen: null, beyond: "down" };
    const { lines, arrows, counts } = drawn([away, { ...away, cells: 2 }, one], {
      left: 0,
      top: 0,
    });
    expect(lines.match(/M/g)).toHaveLength(2);
    expect(arrows.match(/M/g)).toHaveLength(1);
    // Its tip is below the end.
    expect(arrows).toMatch(/^M210 326L/);
    expect(counts.map(({ text }) => text)).toEqual(["3"]);
    expect(drawn([], { left: 0, top: 0 })).toMatchObject({ lines: "", frames: "", counts: [] });
  });
});

const episodes = tokenEpisodes(8, 4);
function placeOf(name: string, b = 0, h = 1) {
  const config = resolveAlgorithm(name);
  return placeAt(new BatchNumbers(config, creditOf(config, episodes).ok!), b, h, null);
}

describe("links", () => {
  const place = placeOf("turn-ppo");
  const terms = ["turn.delta", "turn.value", "turn.nextValue"] as const;
  const term = (id: (typeof terms)[number] | "turn.ratio"): Mark => ({ term: id, spot: null });

  it("lead from a term to its cells, and from a cell to the terms that use it", () => {
    expect(linksOf(term("turn.nextValue"), terms, place)).toMatchObject({
      ...{ terms: ["turn.nextValue"], cells: ["turn.value@0.2"] },
    });
    expect(linksOf({ cell: "turn.value@0.2" }, terms, place)).toMatchObject({
      ...{ terms: ["turn.nextValue"], cells: ["turn.value@0.2"] },
    });
  });

  it("are none of a term that is not shown, and of a cell that nothing uses", () => {
    for (const mark of [null, term("turn.ratio"), { cell: "turn.value@0.3" }])
      expect(linksOf(mark, terms, place)).toMatchObject({ terms: [], cells: [] });
  });

  it("know the same thing at another place", () => {
    const elsewhere: Mark = {
      term: "turn.delta",
      spot: { formula: "tdError.advantage", index: 1 },
    };
    expect(sameThing(elsewhere, term("turn.delta"))).toBe(true);
    expect(sameThing(elsewhere, term("turn.value"))).toBe(false);
    expect(sameThing({ cell: "turn.value@0.3" }, term("turn.value"))).toBe(false);
  });
});

describe("tables of origins", () => {
  it("have every cell that a term names, each leading to its place", () => {
    const place = placeOf("grpo", 3, 2);
    const tables = originTables(place, episodes[3]!, episodes);
    expect(tables.map(({ id }) => id)).toEqual(["turns", "tokens", "group"]);
    const ids = tables.flatMap(({ rows }) =>
      rows.flatMap(({ cells }) => cells.map(({ id }) => id)),
    );
    for (const term of ["group.mean", "turn.reward", "token.logRatio"] as const) {
      const { cells } = linksOf({ term, spot: null }, [term], place);
      expect(cells.length).toBeGreaterThan(0);
      expect(ids).toEqual(expect.arrayContaining([...cells]));
    }
    expect(cursorOf("trajectory.score@5")).toEqual({ episode: 5, turn: 0, token: null });
    expect(cursorOf("turn.reward@5.2")).toEqual({ episode: 5, turn: 2, token: null });
    expect(cursorOf("token.value@5.2.7")).toEqual({ episode: 5, turn: 2, token: 7 });
  });

  it("leave out columns without a number, and mark the cursor's rows", () => {
    const [turns, tokens] = originTables(placeOf("grpo", 3, 2), episodes[3]!, episodes);
    expect(turns!.columns).not.toContain("turn.value");
    expect(turns!.rows.map(({ current }) => current)).toEqual([false, false, true, false]);
    expect(tokens!.rows.at(-1)!.current).toBe(true);
    for (const { cells } of turns!.rows) expect(cells).toHaveLength(turns!.columns.length);
  });
});

describe("the correction of the gradient", () => {
  const row = (scope: string) => {
    const config = resolveAlgorithm("st-ppo", { clipBias: "norm-plus-one", clipBiasScope: scope });
    return placeAt(new BatchNumbers(config, creditOf(config, episodes).ok!), 0, 1, null).all;
  };

  it("is in the number where no model is needed for it", () => {
    const { corrected, objective, cut } = row("logprobs");
    expect(cut.norm).toBeGreaterThan(0);
    expect(corrected.note).toBe(null);
    expect(corrected.denominator).toBeCloseTo(cut.norm + 1, 12);
    objective.dLogprob.forEach((g, n) =>
      expect(corrected.objective.dLogprob[n]).toBeCloseTo(g / (cut.norm + 1), 12),
    );
  });

  it("is said to be left out elsewhere", () => {
    const { corrected, objective } = row("minibatch");
    expect(corrected).toMatchObject({ denominator: null });
    expect(corrected.note).toContain("is not applied");
    expect(corrected.objective.dLogprob).toEqual(objective.dLogprob);
  });
});
