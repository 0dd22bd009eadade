import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { curveFrom } from "../../src/charts/curve.ts";
import { EndLabels } from "../../src/charts/EndLabels.tsx";
import { planLabels } from "../../src/charts/endLabels.ts";
import {
  formatBrief,
  formatNumber,
  formatPercent,
  formatSignedBrief,
  labelFormat,
} from "../../src/charts/format.ts";
import { scaleOf } from "../../src/charts/scale.ts";

const area = { x: 40, y: 10, width: 200, height: 100 };
const place = {
  x: scaleOf({ domain: [0, 50], log: false }, [area.x, area.x + area.width]),
  y: scaleOf({ domain: [0, 10], log: false }, [area.y + area.height, area.y]),
  area,
};
const line = (name: string, x: number[], y: number[]) =>
  curveFrom({ id: name, name, colour: "#123456", dash: "", marker: "square", x, y });

function drawn(...curves: ReturnType<typeof line>[]): string {
  const plan = planLabels(curves, formatBrief, { width: 400, height: 240 });
  return renderToStaticMarkup(createElement(EndLabels, { plan, curves, place }));
}

const textsAt = (html: string) =>
  [...html.matchAll(/<text x="([\d.]+)"/g)].map(([, x]) => Number(x));

describe("labels at the ends of lines", () => {
  it("stand at a line's only point, and no line runs from there to the edge", () => {
    const html = drawn(line("GRPO", [1], [5]));
    expect(html).not.toContain("leader");
    expect(textsAt(html)[0]).toBeLessThan(area.x + 30);
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
  it("have two decimals; in full they stand in tables", () => {
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

  it("are shortened at the ends of lines, shares excepted", () => {
    expect(labelFormat(formatNumber)(4.391)).toBe("4.39");
    expect(labelFormat(formatPercent)).toBe(formatPercent);
  });
});
