/** The maps of turns by iteration: tones, cells, and where a click leads. */
import { describe, expect, it } from "vitest";
import { linearScale } from "../../src/charts/scale.ts";
import { cellPaths, heatAt, heatScale, TONES, toneColour } from "../../src/panels/byTurn/heat.ts";
import { heatColumns, evenColumns } from "../../src/panels/byTurn/columns.ts";
import { binWidth, rowHeight } from "../../src/panels/byTurn/HeatMap.tsx";
import { nearestPlace } from "../../src/panels/byTurn/place.ts";
import type { TurnMap, TurnMeans } from "../../src/reading/byTurn.ts";
import { curveLog } from "../fixtures/curveRun.ts";

const meansOf = (changes: Partial<TurnMeans>): TurnMeans => ({
  turns: 1,
  value: null,
  advantage: null,
  clip: null,
  success: null,
  explained: null,
  recordedExplained: null,
  ...changes,
});

const mapOf = (columns: TurnMap["columns"]): TurnMap => ({
  algorithm: "grpo",
  columns,
  hasCritic: false,
  iterations: columns.length,
  recorded: columns.length,
});

const map = mapOf([
  { iteration: 1, turns: [meansOf({ advantage: 2, clip: 0.5 }), meansOf({ advantage: -2 })] },
  { iteration: 3, turns: [meansOf({ advantage: 0, clip: 0 })] },
]);

describe("tones", () => {
  it("are of one scale for all methods, around 0 where the sign counts, from 0 up for shares", () => {
    const weak = mapOf([{ iteration: 1, turns: [meansOf({ advantage: 1 })] }]);
    const { toneOf, signed } = heatScale([map, weak], "advantage");
    expect(signed).toBe(true);
    expect([2, 1, 0, -2, 99].map(toneOf)).toEqual([TONES, TONES / 2, 0, -TONES, TONES]);
    const share = heatScale([map], "clip");
    expect([share.signed, share.limit]).toEqual([false, 0.5]);
    expect([0, 0.25, 0.5].map(share.toneOf)).toEqual([0, TONES / 2, TONES]);
    expect(heatScale([map], "value").toneOf(3)).toBe(0);
  });

  it("of explained variance have its whole range, however bad the worst is", () => {
    const bad = mapOf([{ iteration: 1, turns: [meansOf({ explained: -40 })] }]);
    const { toneOf, limit } = heatScale([bad], "explained");
    expect([limit, toneOf(-40), toneOf(0.5)]).toEqual([1, -TONES, TONES / 2]);
  });

  it("say sign by blue and red, and shares by neither", () => {
    expect(toneColour(TONES, true)).toContain("--plus");
    expect(toneColour(-TONES, true)).toContain("--minus");
    expect(toneColour(TONES, false)).toContain("--ink");
  });

  it("write numbers as the field does, and what cancels out as 0", () => {
    const { format } = heatScale([map], "advantage");
    expect([format(1.5), format(-9e-9)]).toEqual(["+1.50", "0.00"]);
    expect(heatScale([map], "clip").format(0.125)).toBe("12.5\u00a0%");
  });
});

describe("cells", () => {
  const area = { x: linearScale([0, 3], [0, 30]), row: 10, top: 0, binned: 1 };
  const even = { ...area, columns: evenColumns(1, 3) };

  it("are where their iteration and turn are; what is not recorded has none", () => {
    const paths = cellPaths(map, "advantage", heatScale([map], "advantage"), even);
    expect(Object.fromEntries(paths)).toEqual({
      [TONES]: "M0,0H10v10H0z",
      [-TONES]: "M0,10H10v10H0z",
      0: "M20,0H30v10H20z",
    });
  });

  it("stand side by side where few iterations have numbers, and alone then", () => {
    const kept = { ...map, iterations: 50 };
    const columns = heatColumns([kept], "advantage", [1, 50]);
    expect([columns.count, columns.packed, columns.ticks]).toEqual([2, true, [1, 3]]);
    expect(columns.iterationAt(1.9)).toBe(3);
    expect([columns.span(3, 3), columns.span(2, 2), columns.span(2, 9)]).toEqual([
      [1, 2],
      [1, 1],
      [1, 2],
    ]);
    const x = linearScale([0, 2], [0, 20]);
    const paths = cellPaths(kept, "advantage", heatScale([kept], "advantage"), {
      ...area,
      x,
      columns,
    });
    expect(paths.get(0)).toBe("M10,0H20v10H10z");
  });

  it("stand on the axis of the whole run where all finished iterations have numbers, or many", () => {
    expect(heatColumns([map], "advantage", [1, 50]).count).toBe(50);
    const many = Array.from({ length: 100 }, (_, i) => ({
      iteration: 2 * i + 1,
      turns: [meansOf({ advantage: i })],
    }));
    const columns = heatColumns([{ ...mapOf(many), iterations: 200 }], "advantage", [1, 200]);
    expect([columns.count, columns.packed]).toEqual([200, false]);
  });

  it("are read by their place", () => {
    expect(heatAt(map, "advantage", 3, 0)).toEqual({ value: 0, turns: 1 });
    expect(heatAt(map, "value", 3, 0)).toEqual({ value: null, turns: 1 });
    expect(heatAt(map, "advantage", 2, 0)).toBeUndefined();
    expect(heatAt(map, "advantage", 3, 1)).toBeUndefined();
  });

  it("share columns where there are more iterations than room, and rows shrink with the turns", () => {
    expect(binWidth(336, 150)).toBe(1);
    expect(binWidth(336, 600)).toBe(4);
    expect([1, 5, 15, 100].map(rowHeight)).toEqual([24, 24, 10, 10]);
  });
});

describe("a click", () => {
  it("leads to the closest iteration with episodes, and to an episode that has the turn", () => {
    const log = curveLog();
    const kept = log.iterationsWithEpisodes("grpo");
    const place = nearestPlace(log, "grpo", { iteration: 2, turn: 1 });
    expect(place.iteration).toBe(kept[0]);
    expect(place.turn).toBe(1);
    const episode = log.episodes("grpo", place.iteration!)[place.episode ?? 0]!;
    expect(episode.turns.length).toBeGreaterThan(1);
    expect(nearestPlace(log, "unknown", { iteration: 2, turn: 1 })).toEqual({});
  });
});
