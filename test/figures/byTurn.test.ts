/** The maps of turns by iteration: tones, cells, and where a click leads. */
import { describe, expect, it } from "vitest";
import { linearScale } from "../../src/numeric/scale.ts";
import { briefText } from "../../src/draw/cellText.ts";
import {
  binWidth,
  cellAt,
  cellPaths,
  placesOf,
  rowHeight,
  TONES,
  toneColour,
  toneScale,
} from "../../src/draw/cells.ts";
import { axisOf, nearestPlace } from "../../src/figures/byTurn/byTurn.ts";
import type { CellMap } from "../../src/figures/figure.ts";
import type { RunLog } from "../../src/reading/log/runLog.ts";
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

const cells = (...columns: [x: number, ...values: (number | null)[]][]) =>
  ({
    ...{ id: "grpo", name: "GRPO", missing: null, label: "" },
    columns: columns.map(([x, ...values]) => ({ x, values })),
  }) satisfies CellMap;

const map = cells([1, 2, -2], [3, 0]);

describe("tones", () => {
  it("are of one scale for all methods, around 0 where the sign counts, from 0 up for shares", () => {
    const { toneOf, signed } = toneScale({ maps: [map, cells([1, 1])], signed: true });
    expect(signed).toBe(true);
    expect([2, 1, 0, -2, 99].map(toneOf)).toEqual([TONES, TONES / 2, 0, -TONES, TONES]);
    const share = toneScale({ maps: [cells([1, 0.5], [3, 0])], signed: false });
    expect([share.signed, share.limit]).toEqual([false, 0.5]);
    expect([0, 0.25, 0.5].map(share.toneOf)).toEqual([0, TONES / 2, TONES]);
    expect(toneScale({ maps: [cells([1, null])], signed: true }).toneOf(3)).toBe(0);
  });

  it("of explained variance have its whole range, however bad the worst is", () => {
    const { toneOf, limit } = toneScale({ maps: [cells([1, -40])], signed: true, limit: 1 });
    expect([limit, toneOf(-40), toneOf(0.5)]).toEqual([1, -TONES, TONES / 2]);
  });

  it("say sign by blue and red, and shares by neither", () => {
    expect(toneColour(TONES, true)).toContain("--plus");
    expect(toneColour(-TONES, true)).toContain("--minus");
    expect(toneColour(TONES, false)).toContain("--ink");
  });

  it("write numbers as the field does, and what cancels out as 0", () => {
    expect([1.5, -9e-9].map((value) => briefText(value, "signed", 2))).toEqual(["+1.50", "0.00"]);
    expect(briefText(0.125, "share", 1)).toBe("12.5\u00a0%");
    expect(briefText(null, "share", 1)).toBe("–");
  });
});

describe("cells", () => {
  const area = { x: linearScale([0, 3], [0, 30]), row: 10, top: 0, binned: 1 };
  const even = { ...area, places: placesOf({ first: 1, last: 3 }) };

  it("are where their iteration and turn are; what is not recorded has none", () => {
    const paths = cellPaths(map, toneScale({ maps: [map], signed: true }), even);
    expect(Object.fromEntries(paths)).toEqual({
      [TONES]: "M0,0H10v10H0z",
      [-TONES]: "M0,10H10v10H0z",
      0: "M20,0H30v10H20z",
    });
  });

  it("are side by side where few iterations have numbers, and alone then", () => {
    const places = placesOf({ only: [1, 3] });
    expect([places.count, places.packed, places.ticks]).toEqual([2, true, [1, 3]]);
    expect(places.numberAt(1.9)).toBe(3);
    expect([places.span(3, 3), places.span(2, 2), places.span(2, 9)]).toEqual([
      [1, 2],
      [1, 1],
      [1, 2],
    ]);
    const x = linearScale([0, 2], [0, 20]);
    const scale = toneScale({ maps: [map], signed: true });
    expect(cellPaths(map, scale, { ...area, x, places }).get(0)).toBe("M10,0H20v10H10z");
  });

  it("are read by their place", () => {
    expect([cellAt(map, 3, 0), cellAt(map, 2, 0), cellAt(map, 3, 1)]).toEqual([
      0,
      undefined,
      undefined,
    ]);
    expect(cellAt(cells([1, null]), 1, 0)).toBeNull();
  });

  it("that share a column are their mean, weighted alike, over those that are known", () => {
    const shared = cells([1, 1, 5], [2, 3], [3, null]);
    const scale = { signed: true, limit: 10, toneOf: (value: number) => value };
    const places = placesOf({ first: 1, last: 4 });
    const paths = cellPaths(shared, scale, { ...area, places, binned: 2 });
    expect(Object.fromEntries(paths)).toEqual({ 2: "M0,0H20v10H0z", 5: "M0,10H20v10H0z" });
  });

  it("share columns where there are more iterations than room, and rows shrink with the turns", () => {
    expect(binWidth(300, 150)).toBe(1);
    expect(binWidth(300, 600)).toBe(4);
    expect([1, 5, 15, 100].map(rowHeight)).toEqual([24, 24, 10, 10]);
  });
});

describe("the axis", () => {
  const log = { iterations: () => [1], algorithms: ["grpo"], crashes: [], end: {} };
  const axis = (maps: TurnMap[]) => axisOf(log as unknown as RunLog, maps, "advantage");
  const some = (iterations: number[]) =>
    mapOf(
      iterations.map((iteration) => ({ iteration, turns: [meansOf({ advantage: iteration })] })),
    );

  it("is the whole run's where all finished iterations have numbers, or many", () => {
    expect(axis([some([1, 2])])).toEqual({ first: 1, last: 5 });
    const many = some(Array.from({ length: 100 }, (_, i) => 2 * i + 1));
    expect(axis([{ ...many, iterations: 200 }])).toEqual({ first: 1, last: 5 });
  });

  it("has only the iterations with numbers where they are few", () => {
    expect(axis([{ ...some([3, 1]), iterations: 50 }])).toEqual({ only: [1, 3] });
  });
});

describe("a click", () => {
  it("leads to the closest iteration with episodes, and to an episode that has the turn", () => {
    const log = curveLog();
    const kept = log.iterationsWithEpisodes("grpo");
    const place = nearestPlace(log, "grpo", 2, 1);
    expect(place.iteration).toBe(kept[0]);
    expect(place.turn).toBe(1);
    const episode = log.episodes("grpo", place.iteration!)[place.episode ?? 0]!;
    expect(episode.turns.length).toBeGreaterThan(1);
    expect(nearestPlace(log, "unknown", 2, 1)).toEqual({});
  });
});
