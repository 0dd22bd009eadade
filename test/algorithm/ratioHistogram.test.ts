import { describe, expect, it } from "vitest";
import { bandOf } from "../../src/method/clip/band.ts";
import { binAt, binEdge, ratioHistogram } from "../../src/algorithm/ratioHistogram.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";

const band = bandOf(resolveAlgorithm("turn-ppo"));
const sum = (x: readonly number[]) => x.reduce((a, b) => a + b, 0);

describe("a histogram of log-ratios", () => {
  it("counts exactly what lies beyond the band, however far one of them is out", () => {
    const x = [-7.9, -1, -0.3, band.low! - 1e-6, band.low! + 1e-6, 0, 0.1];
    const above = [band.high! + 1e-6, 0.2, 0.9, 5];
    const histogram = ratioHistogram([...x, ...above, band.high! - 1e-6], 7.92, band);
    const at = (edge: number) =>
      histogram.counts.findIndex((_, i) => Math.abs(binEdge(histogram, i) - edge) < 1e-9);
    const [low, high] = [at(band.low!), at(band.high!)];
    expect(low).toBeGreaterThan(0);
    expect(sum(histogram.counts.slice(0, low))).toBe(4);
    expect(sum(histogram.counts.slice(low, high))).toBe(4);
    expect(sum(histogram.counts.slice(high))).toBe(above.length);
    expect([histogram.counts[0], histogram.counts.at(-1)]).toEqual([2, 2]);
    expect([0, histogram.counts.length].map((i) => binEdge(histogram, i))).toEqual([-7.92, 7.92]);
  });

  it("has equal bins where all is within the band, or there is none", () => {
    for (const one of [ratioHistogram([0, 0.1], 0.1, band), ratioHistogram([0, 3], 3, null)]) {
      expect(one).not.toHaveProperty("inner");
      expect(one.counts[(one.counts.length - 1) / 2]).toBe(1);
      expect(sum(one.counts)).toBe(2);
    }
  });

  it("is made of every row's band, also of one that is open on a side, and has 0 well within a bin", () => {
    const bands = algorithmNames.map((name) => bandOf(resolveAlgorithm(name)));
    for (const one of [...bands, { low: null, high: 0.2 }, { low: -0.2, high: null }]) {
      if (one.low === null && one.high === null) continue;
      const histogram = ratioHistogram([0], 9, one);
      const bin = binAt(histogram, 0);
      expect(histogram.counts[bin]).toBe(1);
      const [from, to] = [binEdge(histogram, bin), binEdge(histogram, bin + 1)];
      const width = to - from;
      expect(Math.min(-from, to)).toBeGreaterThan(0.2 * width);
      const edges = histogram.counts.map((_, i) => binEdge(histogram, i));
      for (const edge of [one.low, one.high])
        if (edge !== null) expect(edges.some((x) => Math.abs(x - edge) < 1e-9)).toBe(true);
    }
  });
});
