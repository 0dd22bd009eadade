import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  crashHeightOf,
  describeCurve,
  readAt,
  type Curve,
} from "../../src/figures/curves/curve.ts";
import {
  belowLog,
  countOutside,
  heightsOf,
  pointsIn,
  trimmed,
} from "../../src/figures/curves/heights.ts";
import { bandPath, curvePath, lonelyPoints } from "../../src/charts/CurveLine.tsx";
import { drawnTable } from "../../src/figures/curves/table.ts";
import {
  downsample,
  firstAtLeast,
  keptIndices,
  MAX_BAND_POINTS,
  MAX_POINTS,
  nearestIndex,
} from "../../src/numeric/downsample.ts";
import { formatPercent, formatSignedLike } from "../../src/numeric/format.ts";
import { ticksWithin } from "../../src/numeric/axis.ts";
import { fitAxis, linearScale, logScale, logTicks } from "../../src/numeric/scale.ts";
import { smooth } from "../../src/numeric/smooth.ts";

const height = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) },
  { weight: 1, arbitrary: fc.constant(null) },
);

/** x as iterations have it, or as seconds and tokens do: uneven and fractional. */
const places = (length: number) =>
  fc.oneof(
    fc.constant(Array.from({ length }, (_, i) => i + 1)),
    fc
      .array(fc.double({ min: 1e-3, max: 50, noNaN: true }), {
        minLength: length,
        maxLength: length,
      })
      .map((steps) => {
        let sum = 0;
        return steps.map((step) => (sum += step));
      }),
  );

const growing = fc.integer({ min: 120, max: 900 }).chain((length) =>
  fc.record({
    x: places(length),
    y: fc.array(height, { minLength: length, maxLength: length }),
    max: fc.constantFrom(MAX_POINTS, MAX_BAND_POINTS),
  }),
);

/** Bucket widths double (and downsampling begins) at these lengths only: then everything may move. */
function moves(x: readonly number[], y: readonly (number | null)[], max: number) {
  const changes: number[] = [];
  let before = keptIndices(x.slice(0, 60), y.slice(0, 60), max);
  for (let n = 61; n <= x.length; n++) {
    const after = keptIndices(x.slice(0, n), y.slice(0, n), max);
    const [had, has] = [new Set(before), new Set(after)];
    const gone = before.filter((i) => !has.has(i)).length;
    const back = after.filter((i) => !had.has(i) && i !== n - 1).length;
    changes.push(gone + back);
    before = after;
  }
  return changes;
}

describe("downsampling a line that grows", () => {
  it("changes at most two kept points with each new one, but for a few doublings", () => {
    fc.assert(
      fc.property(growing, ({ x, y, max }) => {
        const jumps = moves(x, y, max).filter((changed) => changed > 2).length;
        // Once where it begins, then once for each doubling of what is covered.
        expect(jumps).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(x.at(-1)! / x[60]!)));
      }),
      { numRuns: 30 },
    );
  });

  it("uses its room also where x is in fractions", () => {
    const x = Array.from({ length: 3000 }, (_, i) => i * 0.01);
    const points = downsample(
      x,
      x.map((at) => Math.sin(at * 40)),
    );
    expect(points.length).toBeGreaterThan(80);
    expect(points.length).toBeLessThanOrEqual(MAX_POINTS);
  });

  it("shows more of a window, and one point beyond either end", () => {
    const x = Array.from({ length: 5000 }, (_, i) => i);
    const y = x.map((at) => Math.sin(at));
    const kept = keptIndices(x, y, MAX_POINTS, [1000, 1100]);
    expect(kept).toEqual(Array.from({ length: 103 }, (_, i) => 999 + i));
    expect(keptIndices([], [], 10, [0, 1])).toEqual([]);
    expect(keptIndices([5], [1], 10, [0, 1])).toEqual([0]);
  });

  it("finds places in ascending numbers", () => {
    expect(firstAtLeast([1, 3, 5], 3)).toBe(1);
    expect(firstAtLeast([1, 3, 5], 6)).toBe(3);
    expect([0, 1.9, 2.1, 9].map((at) => nearestIndex([1, 3, 5], at))).toEqual([0, 0, 1, 2]);
    expect(nearestIndex([], 3)).toBe(-1);
  });
});

describe("smoothing", () => {
  it("leaves numbers alone at 0, and has no bias at the start", () => {
    expect(smooth([3, null, 5], 0)).toEqual([3, null, 5]);
    expect(smooth([7, 7, 7], 0.9)!.every((value) => Math.abs(value! - 7) < 1e-12)).toBe(true);
    // Weights 0.5 and 0.25 over their sum.
    expect(smooth([0, 3], 0.5)[1]).toBeCloseTo((0.5 * 3) / 0.75, 12);
  });

  it("keeps gaps as gaps and lets nothing of them into later numbers", () => {
    const smoothed = smooth([1, null, 3], 0.5);
    expect(smoothed[1]).toBeNull();
    expect(smoothed[2]).toBeCloseTo(smooth([1, 3], 0.5)[1]!, 12);
  });

  it("stays within the numbers that it has seen", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (y, weight) => {
          smooth(y, weight).forEach((value, i) => {
            const seen = y.slice(0, i + 1);
            expect(value).toBeGreaterThanOrEqual(Math.min(...seen) - 1e-9);
            expect(value).toBeLessThanOrEqual(Math.max(...seen) + 1e-9);
          });
        },
      ),
    );
  });
});

describe("scales", () => {
  it("go there and back", () => {
    const linear = linearScale([10, 20], [100, 300]);
    expect([linear.at(10), linear.at(15), linear.back(300)]).toEqual([100, 200, 20]);
    const log = logScale([1, 100], [0, 200]);
    expect(log.at(10)).toBeCloseTo(100, 9);
    expect(log.back(100)).toBeCloseTo(10, 9);
    expect(log.at(0)).toBeNaN();
    expect(linearScale([3, 3], [0, 1]).at(3)).toBe(0);
  });

  it("have round ticks", () => {
    expect(ticksWithin([13, 27])).toEqual([15, 20, 25]);
    expect(logTicks(3, 40)).toEqual([2, 5, 10, 20, 50]);
    expect(logTicks(1e-4, 1e4)).toEqual([1e-4, 1e-2, 1, 100, 1e4]);
    expect(logTicks(1, 1).length).toBeGreaterThan(1);
  });

  it("hold all numbers, logarithmic ones those above 0", () => {
    const positive = fc.double({ min: 1e-12, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(fc.array(positive, { minLength: 1 }), (values) => {
        const { domain, ticks } = fitAxis([...values, 0, -3, NaN], true);
        expect(domain[0]).toBeLessThanOrEqual(Math.min(...values) * (1 + 1e-6));
        expect(domain[1]).toBeGreaterThanOrEqual(Math.max(...values) * (1 - 1e-6));
        expect(ticks.length).toBeLessThanOrEqual(9);
      }),
    );
    expect(fitAxis([], false).domain).toEqual([0, 1]);
    expect(fitAxis([-1, 0], true).domain).toEqual([1, 10]);
    expect(fitAxis([5], false, [0, 1]).domain).toEqual([0, 1]);
  });
});

const curve = (changes: Partial<Curve> & Pick<Curve, "x" | "y">): Curve => ({
  ...{ id: "a", name: "A", method: "a", weight: "main", mark: "", note: "" },
  iteration: changes.x,
  n: changes.x.map(() => 1),
  kept: changes.x.map((_, i) => i),
  points: changes.x.map((x, i) => ({ x, y: changes.y[i] ?? null })),
  ...{ raw: null, rawY: changes.y, band: null, crashes: [] },
  ...changes,
});
const one = linearScale([0, 10], [0, 10]);

describe("a curve", () => {
  it("is drawn with gaps, and single points between gaps are not lost", () => {
    const { points } = curve({ x: [1, 2, 3, 4, 5], y: [1, null, 3, null, 5] });
    expect(curvePath(points, one, one)).toBe("M1,1M3,3M5,5");
    expect(lonelyPoints(points)).toHaveLength(3);
    expect(lonelyPoints([])).toEqual([]);
  });

  it("has no place for 0 on a logarithmic scale, and says how many", () => {
    const { points } = curve({ x: [1, 2, 3], y: [1, 0, 10] });
    expect(curvePath(points, one, logScale([1, 10], [0, 10]))).toBe("M1,0M3,10");
    expect(belowLog([curve({ x: [1, 2, 3], y: [1, 0, -4] })])).toBe(2);
  });

  it("has a band in pieces, down to the floor where a scale ends", () => {
    const gap = { x: 3, low: NaN, high: NaN };
    const band = [{ x: 1, low: 1, high: 2 }, { x: 2, low: 1, high: 3 }, gap];
    expect(bandPath(band, one, one, 0)).toBe("M1,2L2,3L2,1L1,1Z");
    expect(bandPath([gap], one, one, 0)).toBe("");
    const log = logScale([1, 10], [0, 10]);
    expect(bandPath([{ x: 1, low: -5, high: 10 }], one, log, 99)).toBe("M1,10L1,99Z");
  });

  it("is read at its closest point, and crashes at its last height", () => {
    const line = curve({ x: [10, 20, 30], y: [1, null, 3], iteration: [1, 2, 3] });
    expect(readAt(line, 24)).toEqual({ x: 20, y: null, iteration: 2, n: 1 });
    expect(readAt(curve({ x: [], y: [] }), 3)).toBeUndefined();
    expect(crashHeightOf(line, 25)).toBe(1);
    expect(crashHeightOf(curve({ x: [], y: [] }), 25)).toBe(0);
  });

  it("keeps its height on the axis beside a huge interval, and says that it is cut", () => {
    const band = [
      { x: 1, low: -100, high: 100 },
      { x: 2, low: 0, high: 1 },
    ];
    const line = curve({ x: [1, 2], y: [0, 4], band });
    const { values, cut } = heightsOf([line], [0, 10]);
    expect([Math.min(...values), Math.max(...values), cut]).toEqual([-2, 6, true]);
    expect(heightsOf([line], [1.5, 10]).cut).toBe(false);
    expect(heightsOf([], [0, 1])).toEqual({ values: [], cut: false });
  });

  it("may have a scale without its outliers, found among all points and told", () => {
    const x = Array.from({ length: 100 }, (_, i) => i + 1);
    const y = x.map((i) => (i === 40 ? 1e6 : i === 70 ? -1e4 : i % 10));
    // Of thinned-out points nearly all are extremes.
    const line = curve({ x, y, points: [{ x: 40, y: 1e6 }] });
    expect(trimmed([line], [1, 100], { log: false })).toEqual([0, 9]);
    const { values } = heightsOf([line], [1, 100], { log: false });
    expect([Math.min(...values), Math.max(...values)]).toEqual([0, 9]);
    const axis = { domain: [0, 10], log: false } as const;
    expect(countOutside([line], [1, 100], axis)).toBe(2);
    expect(countOutside([line], [1, 60], axis)).toBe(1);
    expect(trimmed([curve({ x: [1], y: [1] })], [0, 9], { log: false })).toEqual([1, 1]);
    expect(trimmed([curve({ x: [1], y: [null] })], [0, 9], { log: false })).toEqual([]);
  });

  it("leaves no point outside that is merely the farthest", () => {
    const keeps = (y: number[], log = false) =>
      trimmed([curve({ x: y.map((_, i) => i), y })], [0, 1e4], { log });
    expect(keeps([1, 5])).toEqual([1, 5]);
    expect(keeps([1, 2, 3, 4, 5])).toEqual([1, 5]);
    // The middle half of these is 2 wide: 3 times that from the middle is where far begins.
    expect(keeps([1, 2, 3, 4, 9])).toEqual([1, 9]);
    expect(keeps([1, 2, 3, 4, 9.1])).toEqual([1, 4]);
    expect(keeps([-50, 2, 3, 4, 5])).toEqual([2, 5]);
    // A step is not an outlier, nor are two clouds.
    expect(keeps(Array.from({ length: 100 }, (_, i) => (i < 50 ? i / 100 : 10)))).toEqual([0, 10]);
    // Never more than the share of them, rounded up.
    const wild = Array.from({ length: 60 }, (_, i) => (i < 4 ? 1000 + i : i % 7));
    expect(keeps(wild)).toEqual([0, 1001]);
    // Of numbers nearly all of which are one: only what the share has room for.
    expect(keeps([0, 0, 0, 0, 1])).toEqual([0, 1]);
    expect(keeps(Array.from({ length: 60 }, (_, i) => Number(i === 9)))).toEqual([0, 0]);
    expect(keeps([1, 10, 100, 1000, 1e4], true)).toEqual([1, 1e4]);
    expect(keeps([1, 2, 4, 8, 1e9], true)).toEqual([1, 8]);
  });

  it("trims by factors on a logarithmic scale, and by what is behind a smoothed line", () => {
    const line = curve({ x: [1, 2, 3, 4, 5], y: [1e-9, 10, 20, 100, -3] });
    expect(trimmed([line], [0, 9], { log: true })).toEqual([10, 100]);
    expect(trimmed([line], [0, 9], { log: false })).toEqual([-3, 20]);
    expect(countOutside([line], [0, 9], { domain: [10, 100], log: true })).toBe(1);
    const smooth = curve({ x: [1, 2], y: [4, 5], raw: [], rawY: [4, 90] });
    expect([...pointsIn([smooth], [0, 9])]).toEqual([4, 4, 5, 90]);
    expect(countOutside([smooth], [0, 9], { domain: [0, 10], log: false })).toBe(1);
  });

  it("is told in words", () => {
    const say = (line: Curve) => describeCurve(line, "iteration", String, String);
    const line = { x: [1, 2, 3], y: [2, 9, null], note: "3 seeds", crashes: [{ x: 3, cause: "" }] };
    expect(say(curve(line))).toBe(
      "A (3 seeds): from 2 at iteration 1 to 9 at iteration 2, highest 9 at 2. A run crashed at iteration 3.",
    );
    expect(say(curve({ x: [], y: [] }))).toBe("A: no numbers yet.");
    expect(say(curve({ x: [4], y: [2] }))).toBe("A: 2 at iteration 4.");
  });

  it("is in a table by iteration, with seeds, interval and the difference to the baseline", () => {
    const base = curve({ id: "b", name: "B", weight: "baseline", x: [1, 2], y: [1, null] });
    const band = [{ x: 1, low: 2, high: 4 }];
    const line = curve({ x: [1, 2, 3], y: [3, 5, null], n: [2, 2, 1], band });
    const format = (value: number) => value.toFixed(1);
    const table = { curves: [base, line], format, formatX: String, byIteration: true };
    const drawn = drawnTable(table);
    expect(drawn.columns).toEqual([
      { key: "b", name: "B" },
      { key: "a", name: "A" },
      { key: "a|difference", name: "difference" },
    ]);
    expect(drawn.rows).toEqual([
      ["1", "1.0", "3.0 [2.0, 4.0] (n = 2)", "+2.0"],
      ["2", "not a number", "5.0 (n = 2)", ""],
      ["3", "", "not a number (n = 1)", ""],
    ]);
    expect(drawnTable({ ...table, byIteration: false }).rows[0]![1]).toBe("1.0 at 1");
  });
});

describe("differences", () => {
  it("have a sign, and those of shares are in points", () => {
    expect(formatSignedLike(formatPercent, 0.05)).toBe("+5.0\u00a0points");
    expect(formatSignedLike(formatPercent, -0.05)).toBe("−5.0\u00a0points");
    expect(formatSignedLike((value) => value.toFixed(1), 0)).toBe("0.0");
    for (const almost of [1e-5, -1e-5])
      expect(formatSignedLike(formatPercent, almost)).toBe("0.0\u00a0points");
  });
});
