import { describe, expect, it } from "vitest";
import { countSketch } from "../../../src/numeric/countSketch.ts";
import { normals } from "../../../src/numeric/rng.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import type { BlockRow } from "../../../src/train/gradient/block.ts";
import { dot } from "../../../src/train/gradient/flat.ts";
import { gram } from "../../../src/train/gradient/reference.ts";
import { summariseReference, summariseRows } from "../../../src/train/gradient/summary.ts";

const P = 200;
const draw = (stream: string, trajectory: number) =>
  normals({ seed: 1, stream, iteration: 0, trajectory, step: 0 }, P);
const scaled = (x: Float64Array, factor: number) => x.map((y) => y * factor);
const sum = (...parts: Float64Array[]) =>
  parts[0]!.map((_, i) => parts.reduce((total, part) => total + part[i]!, 0));
const unit = (x: Float64Array) => scaled(x, 1 / Math.sqrt(dot(x, x)));

const G = unit(draw("truth", 0)); // |G| = 1
/** The mean gradient of a row that is off by half a right angle. */
const off = unit(sum(draw("off", 0), scaled(G, -dot(draw("off", 0), G))));
const biased = scaled(sum(G, off), 2 * Math.SQRT1_2); // |E g| = 2

const NOISE = 3;
const gradient = (i: number) => sum(biased, scaled(draw("noise", i), NOISE / Math.sqrt(P)));
const references = Array.from({ length: 8 }, (_, r) =>
  sum(G, scaled(draw("reference", r), 1 / Math.sqrt(P))),
);

function blockOf(vectors: Float64Array[]): BlockRow {
  const n = vectors.length;
  const norms = vectors.map((g) => Math.sqrt(dot(g, g)));
  return {
    ...{ row: "biased", size: 8, batches: n, silent: 0 },
    squared: mean(norms.map((x) => x * x)),
    dots: references.map((R) => mean(vectors.map((g) => dot(g, R)))),
    unitDots: references.map((R) => mean(vectors.map((g, i) => dot(g, R) / norms[i]!))),
    mean: Float32Array.from(scaled(sum(...vectors), 1 / n)),
  };
}

const blocks = Array.from({ length: 60 }, (_, k) => [
  blockOf([0, 1, 2, 3].map((i) => gradient(4 * k + i))),
]);

describe("cosine and signal-to-noise ratio", () => {
  const [row] = summariseRows(blocks, gram(references), { resamples: 200 });

  it("are those that the gradients were made with", () => {
    // |E g|^2 = 4 against noise of 9; |g| is nearly sqrt(13) each time.
    expect(row!.snr.value).toBeCloseTo(4 / 9, 1);
    expect(row!.limit.value).toBeCloseTo(Math.SQRT1_2, 1);
    expect(row!.cosine.value).toBeCloseTo((2 * Math.SQRT1_2) / Math.sqrt(13), 1);
    expect(row!.batches).toBe(240);
  });

  it("lie in their intervals, which hold what is true about as often as they should", () => {
    const truths = { snr: 4 / 9, limit: Math.SQRT1_2 };
    const held = { snr: 0, limit: 0 };
    const repeats = 40;
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const again = Array.from({ length: 24 }, (_, k) => [
        blockOf([0, 1, 2, 3].map((i) => gradient(10_000 * repeat + 4 * k + i))),
      ]);
      const [own] = summariseRows(again, gram(references), { resamples: 200 });
      for (const name of ["snr", "limit"] as const) {
        const { value, low, high } = own![name];
        expect(low).toBeLessThan(value);
        expect(high).toBeGreaterThan(value);
        if (low < truths[name] && truths[name] < high) held[name] += 1;
      }
    }
    // Of 40, 38 on average.
    expect(held.snr).toBeGreaterThanOrEqual(32);
    expect(held.limit).toBeGreaterThanOrEqual(32);
  });

  it("do not take the noise of the true gradient for length", () => {
    const { squared, noiseShare } = summariseReference(gram(references), 200);
    // The mean of the squares would say 2.
    expect(squared.value).toBeGreaterThan(0.85);
    expect(squared.value).toBeLessThan(1.15);
    expect(noiseShare.value).toBeCloseTo(1 / 8, 1);
  });

  it("of two rows on the same blocks their difference is surer than either", () => {
    const worse = blocks.map(([block]) => {
      const { unitDots, ...rest } = block!;
      return [block!, { ...rest, row: "worse", unitDots: unitDots.map((x) => 0.9 * x) }];
    });
    const [base, other] = summariseRows(worse, gram(references), { resamples: 200 });
    expect(base!.against).toBeNull();
    const { row: name, cosine } = other!.against!;
    expect(name).toBe("biased");
    expect(cosine.value).toBeCloseTo(-0.1 * base!.cosine.value, 12);
    expect(cosine.high).toBeLessThan(0);
    const width = ({ low, high }: { low: number; high: number }) => high - low;
    expect(width(cosine)).toBeLessThan(0.2 * width(other!.cosine));
    const turned = summariseRows(worse, gram(references), { resamples: 20, against: "worse" });
    expect(turned[1]!.against).toBeNull();
    expect(turned[0]!.against!.cosine.value).toBeCloseTo(0.1 * base!.cosine.value, 12);
  });

  it("find no signal where there is none", () => {
    const silent = Array.from({ length: 60 }, (_, k) => [
      blockOf([0, 1, 2, 3].map((i) => draw("nothing", 4 * k + i))),
    ]);
    const [nothing] = summariseRows(silent, gram(references), { resamples: 200 });
    expect(nothing!.snr.low).toBeLessThan(0);
    expect(Math.abs(nothing!.snr.value)).toBeLessThan(0.02);
    expect(Math.abs(nothing!.cosine.value)).toBeLessThan(0.05);
  });
});

describe("the count sketch", () => {
  const x = Float32Array.from(draw("x", 0));
  const y = Float32Array.from(draw("y", 0));
  const of = (v: Float32Array, d: number, seed: number) => {
    const out = new Float64Array(d);
    countSketch(P, d, seed).add(v, out);
    return out;
  };

  it("keeps products in the mean over sketches, with the spread that its size allows", () => {
    const d = 32;
    const products = Array.from({ length: 400 }, (_, seed) => dot(of(x, d, seed), of(y, d, seed)));
    const truth = dot(x, y);
    const bound = Math.sqrt((dot(x, x) * dot(y, y) + truth * truth) / d);
    expect(Math.abs(mean(products) - truth)).toBeLessThan((4 * bound) / Math.sqrt(400));
    const spread = Math.sqrt(mean(products.map((p) => (p - truth) ** 2)));
    expect(spread).toBeLessThan(1.1 * bound);
    expect(spread).toBeGreaterThan(0.5 * bound);
  });

  it("loses nothing where there is a bucket for each number", () => {
    expect(
      dot(
        of(x, P, 0).map((v, i) => v - x[i]!),
        new Float64Array(P).fill(1),
      ),
    ).toBe(0);
  });
});
