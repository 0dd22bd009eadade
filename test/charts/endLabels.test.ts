import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ticksWithin } from "../../src/numeric/axis.ts";
import { curveFrom, meanWithin, type Curve } from "../../src/figures/curves/curve.ts";
import { csvOf, jsonlOf, tsvOf } from "../../src/ui/csv.ts";
import { tableOfCurves } from "../../src/figures/curves/table.ts";
import { LABEL_HEIGHT, planLabels, spreadOut } from "../../src/charts/endLabels.ts";
import { fitAxis } from "../../src/numeric/scale.ts";

const line = (name: string, y: (number | null)[], more: Partial<Curve> = {}) =>
  curveFrom({ id: name, name, x: y.map((_, i) => i + 1), y, ...more });

describe("labels at the ends of lines", () => {
  it("stay where they are wanted when they are apart", () => {
    expect(spreadOut([10, 60, 35], 20, [0, 100])).toEqual([10, 60, 35]);
  });

  it("part evenly around where they collide, in their order", () => {
    // Two wanted at 50, 20 apart: the middle stays.
    expect(spreadOut([50, 50], 20, [0, 100])).toEqual([40, 60]);
    expect(spreadOut([50, 47, 20], 20, [0, 100])).toEqual([59, 39, 19]);
  });

  it("stay within the plot", () => {
    expect(spreadOut([99, 98], 20, [0, 100])).toEqual([100, 80]);
    expect(spreadOut([-5, 0], 20, [0, 100])).toEqual([0, 20]);
    expect(spreadOut([], 20, [0, 100])).toEqual([]);
  });

  it("never overlap, keep the order of the lines, and leave the plot only where it is too small", () => {
    const wanted = fc.array(fc.double({ min: -50, max: 350, noNaN: true }), { maxLength: 8 });
    fc.assert(
      fc.property(wanted, (places) => {
        const spread = spreadOut(places, 20, [0, 300]);
        const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]! || a - b);
        const sorted = order.map((i) => spread[i]!);
        for (let k = 1; k < sorted.length; k++)
          expect(sorted[k]! - sorted[k - 1]!).toBeGreaterThanOrEqual(20 - 1e-9);
        for (const place of spread) {
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThanOrEqual(300 + 1e-9);
        }
      }),
    );
  });

  const size = { width: 400, height: 240 };
  const plan = (curves: Curve[], at = size) => planLabels(curves, String, at);

  it("name each line with its last number, and then no legend is needed", () => {
    const { kind, labels, complete } = plan([line("GRPO", [1, 2, null]), line("PPO", [3, 4])]);
    expect([kind, complete]).toEqual(["named", true]);
    expect(labels).toEqual([
      { id: "GRPO", name: "GRPO", value: "2", y: 2, x: 2 },
      { id: "PPO", name: "PPO", value: "4", y: 4, x: 2 },
    ]);
  });

  it("leave the legend what they do not say: a crash, a baseline, a line of another name", () => {
    const grpo = line("GRPO", [1]);
    const complete = (...more: Curve[]) => plan([grpo, ...more]).complete;
    expect(complete(line("GRPO", [1], { id: "band", weight: "ghost" }))).toBe(true);
    expect(complete(line("other", [1], { weight: "ghost" }))).toBe(false);
    expect(complete(line("B", [1], { weight: "baseline" }))).toBe(false);
    expect(complete(line("C", [1], { crashes: [{ x: 1, cause: "" }] }))).toBe(false);
    // It draws no line that would need a name.
    expect(complete(line("empty", []))).toBe(true);
  });

  it("have their room before their lines begin: nothing jumps while a run starts", () => {
    const names = ["GRPO", "token-PPO", "Turn-PPO"];
    const at = (...points: number[][]) => plan(names.map((name, i) => line(name, points[i]!)));
    const { room } = at([0.1], [0.25], [123.4]);
    for (const begun of [at([], [], []), at([0.5], [], []), at([0.5, 1], [0.25], [])])
      expect([begun.kind, begun.complete, begun.room]).toEqual(["named", true, room]);
    expect(at([], [], []).labels).toEqual([]);
  });

  it("are numbers alone where room is short, and none where there is none or are too many", () => {
    const lines = ["a", "b", "c"].map((name) => line(name.repeat(9), [1]));
    expect(plan(lines, { width: 220, height: 240 }).kind).toBe("short");
    const low = { width: 400, height: 3 * LABEL_HEIGHT.short + 31 };
    expect(plan(lines, low).kind).toBe("short");
    expect(plan(lines, { width: 60, height: 240 }).kind).toBe("none");
    expect(plan(lines, { width: 400, height: 40 }).kind).toBe("none");
    const many = Array.from({ length: 7 }, (_, i) => line(`m${i}`, [1]));
    expect(plan(many, { width: 900, height: 900 }).kind).toBe("none");
    expect(plan([]).kind).toBe("none");
  });
});

describe("ticks along x", () => {
  it.each([
    [[0, 50], false, [0, 25, 50]],
    [[0, 20], true, [0, 5, 10, 15, 20]],
    [[5, 10], true, [6, 8, 10]],
    [[0, 5], true, [0, 2, 4]],
    [[499, 504], true, [500, 502, 504]],
    [[0, 1], true, [0, 1]],
    [[3, 3], true, [3]],
  ] as const)("of %j, whole %s", (ends, whole, ticks) =>
    expect(ticksWithin(ends, whole)).toEqual(ticks),
  );

  it("are three to five, within the ends", () => {
    const end = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(end, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (low, width) => {
        const ticks = ticksWithin([low, low + width]);
        expect(ticks.length).toBeGreaterThanOrEqual(3);
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect(ticks[0]!).toBeGreaterThanOrEqual(low - width * 1e-6);
        expect(ticks.at(-1)!).toBeLessThanOrEqual(low + width * (1 + 1e-6));
      }),
    );
  });
});

it("an axis of shares begins at 0 and ends above what there is, never above 100 %", () => {
  expect(fitAxis([0.1, 0.45], false, [0, 1]).domain).toEqual([0, 0.6]);
  expect(fitAxis([0.99], false, [0, 1]).domain).toEqual([0, 1]);
  expect(fitAxis([0], false, [0, 1]).domain).toEqual([0, 0.1]);
});

describe("a selected stretch", () => {
  it("has the mean of what was measured in it, before smoothing; of a gap none", () => {
    const smooth = line("a", [9, 9, 9, 9], { rawY: [1, 2, 4, null] });
    expect(meanWithin(smooth, [2, 3])).toBe(3);
    expect(meanWithin(smooth, [3, 4])).toBeNull();
    expect(meanWithin(smooth, [7, 9])).toBeUndefined();
  });
});

describe("a chart's numbers as text", () => {
  const asJsonl = (...from: Parameters<typeof tableOfCurves>) => {
    const { head, rows } = tableOfCurves(...from);
    return jsonlOf(head, rows);
  };
  const PPO = "=PPO\t2, 2 seeds";
  const curves = [
    line("GRPO", [1, null]),
    line("=PPO\t2", [5, 6], {
      x: [2, 3],
      note: "2 seeds",
      band: [{ x: 2, low: 4, high: NaN }],
    }),
  ];

  it("is one row a place, with intervals, for a file or for the clipboard", () => {
    const { head, rows } = tableOfCurves(curves, "iteration");
    expect(csvOf(head, rows).split("\r\n")).toEqual([
      `iteration,GRPO,"'=PPO\t2, 2 seeds","'=PPO\t2, 2 seeds, low","'=PPO\t2, 2 seeds, high"`,
      "1,1,,,",
      "2,,5,4,",
      "3,,6,,",
      "",
    ]);
    expect(tsvOf(head, rows).split("\n")).toEqual([
      "iteration\tGRPO\t'=PPO 2, 2 seeds\t'=PPO 2, 2 seeds, low\t'=PPO 2, 2 seeds, high",
      "1\t1\t\t\t",
      "2\t\t5\t4\t",
      "3\t\t6\t\t",
      "",
    ]);
  });

  it("is the same rows as objects, one a line", () => {
    const rows = asJsonl(curves, "iteration").trim().split("\n");
    expect(rows.map((row) => JSON.parse(row) as object)).toEqual([
      { iteration: 1, GRPO: 1, [PPO]: null, [`${PPO}, low`]: null, [`${PPO}, high`]: null },
      { iteration: 2, GRPO: null, [PPO]: 5, [`${PPO}, low`]: 4, [`${PPO}, high`]: null },
      { iteration: 3, GRPO: null, [PPO]: 6, [`${PPO}, low`]: null, [`${PPO}, high`]: null },
    ]);
  });

  const parsed = (row: string) => JSON.parse(row) as Record<string, number | null>;

  it("says every number of every curve, whatever they are called", () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const anyLine = fc
      .record({ name: fc.string(), y: fc.array(fc.option(number), { maxLength: 4 }) })
      .map(({ name, y }) => line(name, y));
    fc.assert(
      fc.property(
        fc.uniqueArray(anyLine, { maxLength: 4, selector: ({ name }) => name }),
        (lines) => {
          const rows = asJsonl(lines, "at x").split("\n").slice(0, -1).map(parsed);
          for (const { name, x, rawY } of lines)
            x.forEach((at, k) => {
              const row = rows.find((one) => one["at x"] === at)!;
              expect(Object.keys(row)).toHaveLength(lines.length + 1);
              expect(row[name]).toBe(JSON.parse(JSON.stringify(rawY[k])));
            });
        },
      ),
    );
  });
});
