import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { curveFrom } from "../../src/figures/curves/curve.ts";
import { EndLabels } from "../../src/charts/EndLabels.tsx";
import { planLabels } from "../../src/charts/endLabels.ts";
import type { DrawnCurve } from "../../src/charts/palette.ts";
import {
  formatBrief,
  formatNumber,
  formatPercent,
  formatSigned,
  formatSignedBrief,
  formatSignedFixed,
  formatSignedLike,
  labelFormat,
} from "../../src/numeric/format.ts";
import { scaleOf } from "../../src/numeric/scale.ts";

const area = { x: 40, y: 10, width: 200, height: 100 };
const place = {
  x: scaleOf({ domain: [0, 50], log: false }, [area.x, area.x + area.width]),
  y: scaleOf({ domain: [0, 10], log: false }, [area.y + area.height, area.y]),
  area,
};
const line = (name: string, x: number[], y: number[]): DrawnCurve => ({
  ...curveFrom({ id: name, name, x, y }),
  colour: "#123456",
  dash: "",
  marker: "square",
});

function drawn(...curves: DrawnCurve[]): string {
  const plan = planLabels(curves, formatBrief, { width: 400, height: 240 });
  return renderToStaticMarkup(createElement(EndLabels, { plan, curves, place }));
}

const textsAt = (html: string) =>
  [...html.matchAll(/<text x="([\d.]+)"/g)].map(([, x]) => Number(x));

describe("labels at the ends of lines", () => {
  it("are right of the plot, over no line, and none runs to them from a line that has just begun", () => {
    const html = drawn(line("GRPO", [1], [5]), line("PPO", [1, 30], [5, 5]));
    expect(html).not.toContain("leader");
    for (const x of textsAt(html)) expect(x).toBeGreaterThanOrEqual(area.x + area.width);
  });

  it("have a short grey line where they had to give way", () => {
    const html = drawn(line("A", [50], [5]), line("B", [50], [5.1]));
    const leader = /<path d="M([\d.]+),[\d.]+L([\d.]+)[^>]*stroke="([^"]*)"[^>]*leader/.exec(html)!;
    expect(Number(leader[2]) - Number(leader[1])).toBeLessThan(15);
    expect(leader[3]).toBe("var(--line-2)");
  });

  it("mark the point itself, and nothing where the line ends outside of the plot", () => {
    const inside = drawn(line("A", [1, 50], [5, 5]));
    expect(inside.match(/translate\(([^)]*)\)/)?.[1]).toBe("240 60");
    expect(drawn(line("A", [1, 60], [5, 5]))).not.toContain("translate");
  });
});

describe("numbers that are looked over", () => {
  it("have two decimals; tables have them in full", () => {
    expect([4.391, -0.1, 10.6, 0, 123.456].map(formatBrief)).toEqual([
      "4.39",
      "−0.10",
      "10.60",
      "0.00",
      "123.46",
    ]);
    expect([2.4751, -1.7462].map(formatSignedBrief)).toEqual(["+2.48", "−1.75"]);
    expect(formatBrief(0.0004)).toBe("0.0004");
    expect(formatBrief(1234.5)).toBe(formatNumber(1234.5));
    expect(formatBrief(NaN)).toBe("not a number");
  });

  it("are 0 where they round to nothing beside the largest of them, without a sign", () => {
    const besideTen = [3e-15, -4e-16, 0.0004, -0.004, 0.006, 10.9];
    expect(besideTen.map((x) => formatSignedBrief(x, 10.9))).toEqual([
      ...["0.00", "0.00", "0.00", "0.00", "+0.01", "+10.90"],
    ]);
    // Where all are small, two digits of the largest say something.
    const beside = [0.0004, -0.00012, 0.000003, 1e-12].map((x) => formatSignedBrief(x, 0.0004));
    expect(beside).toEqual(["+0.00040", "−0.00012", "0.00", "0.00"]);
    // Where nothing is known of the others: what only rounding left is nothing, in full as well.
    expect([3e-15, 0.0004].map((x) => formatSignedBrief(x))).toEqual(["0.00", "+0.0004"]);
    expect([3e-15, -2e-10, 0.0004].map((x) => formatSigned(x))).toEqual([
      ...["0.000", "0.000", "+4.00e−4"],
    ]);
    expect([3e-15, -0.04].map((x) => formatSignedFixed(x, 1))).toEqual(["0.0", "0.0"]);
    expect([formatBrief(4e-16), formatBrief(-4e-16)]).toEqual(["0.00", "0.00"]);
    expect(formatSignedLike(formatNumber, 1e-17)).toBe("0.000");
  });

  it("are shortened at the ends of lines, shares excepted", () => {
    expect(labelFormat(formatNumber)(4.391)).toBe("4.39");
    expect(labelFormat(formatPercent)).toBe(formatPercent);
  });
});
