import { describe, expect, it } from "vitest";
import * as rng from "../../src/numeric/rng.ts";
import { mean, std } from "../../src/numeric/statistics.ts";

const key: rng.RandomKey = { seed: 1, stream: "test", iteration: 2, trajectory: 3, step: 4 };
const hex = (words: Uint32Array) =>
  [...words].map((w) => w.toString(16).padStart(8, "0")).join(" ");

// Random123's kat_vectors, lines "philox4x32 10".
const knownAnswers: [number[], number[], string][] = [
  [[0, 0, 0, 0], [0, 0], "6627e8d5 e169c58d bc57ac4c 9b00dbd8"],
  [Array(4).fill(0xffffffff), Array(2).fill(0xffffffff), "408f276d 41c83b0e a20bc7c6 6d5451fd"],
  [
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    [0xa4093822, 0x299f31d0],
    "d16cfe09 94fdcceb 5001e420 24126ea1",
  ],
];

describe("Philox4x32-10", () => {
  it.each(knownAnswers)("of %j under %j", (counter, k, expected) => {
    expect(hex(rng.philox4x32(counter, k))).toBe(expected);
  });
  it("places the fields as documented", () => {
    const seed = 5 * 2 ** 32 + 9;
    const words = rng.randomWords({ ...key, seed });
    expect(words).toEqual(rng.philox4x32([4, 3, 2, rng.streamHash("test")], [9, 5]));
    const u = rng.uniform({ ...key, seed });
    expect(Math.floor(u * 2 ** 24)).toBe(words[0]! >>> 8);
  });
});

it("hashes names with FNV-1a", () => {
  expect(rng.streamHash("")).toBe(0x811c9dc5);
  expect(rng.streamHash("a")).toBe(0xe40c292c);
  expect(rng.streamHash("foobar")).toBe(0xbf9cf968);
  expect(() => rng.streamHash("é")).toThrow(RangeError);
});

it("every field of the key matters", () => {
  const others = [
    { seed: 2 },
    { seed: 1 + 2 ** 32 },
    { stream: "x" },
    { iteration: 9 },
    { trajectory: 9 },
    { step: 9 },
  ];
  const draws = [key, ...others.map((change) => ({ ...key, ...change }))].map(rng.uniform);
  expect(new Set(draws).size).toBe(draws.length);
});

it("refuses keys out of range", () => {
  expect(() => rng.uniform({ ...key, seed: -1 })).toThrow("seed -1");
  expect(() => rng.uniform({ ...key, seed: 2 ** 53 })).toThrow("seed");
  expect(() => rng.uniform({ ...key, step: 2 ** 32 })).toThrow("counter 4294967296");
  expect(() => rng.uniform({ ...key, trajectory: 0.5 })).toThrow("counter 0.5");
  expect(rng.uniform({ ...key, seed: Number.MAX_SAFE_INTEGER })).toBeLessThan(1);
});

it("uniforms are uniform, and begin with uniform", () => {
  const u = rng.uniforms(key, 20_001);
  expect(u[0]).toBe(rng.uniform(key));
  expect(u[2]).toBe(rng.uniform({ ...key, step: key.step + 1 }));
  expect(mean(u)).toBeCloseTo(0.5, 2);
  expect(std(u)).toBeCloseTo(Math.sqrt(1 / 12), 2);
  const counts = Array(10).fill(0);
  for (const x of u) counts[Math.floor(x * 10)]++;
  const chiSquare = counts.reduce((sum, c) => sum + (c - 2000.1) ** 2 / 2000.1, 0);
  expect(chiSquare).toBeLessThan(27.9); // 0.1 % quantile at 9 degrees of freedom
});

it("normals are normal", () => {
  const x = rng.normals(key, 20_000);
  expect(x[0]).toBe(rng.normal(key));
  expect(mean(x)).toBeCloseTo(0, 1);
  expect(std(x)).toBeCloseTo(1, 1);
  expect([...x].filter((v) => Math.abs(v) < 1.96).length / x.length).toBeCloseTo(0.95, 2);
});

it("permutation reaches every order, equally often", () => {
  const counts = new Map<string, number>();
  for (let step = 0; step < 6000; step += 10) {
    const order = rng.permutation(3, { ...key, step }).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const n of counts.values()) expect(n).toBeGreaterThan(70);
  expect([...rng.permutation(50, key)].sort((a, b) => a - b)).toEqual([...Array(50).keys()]);
});

it("categorical inverts the CDF", () => {
  const draw = (u: number) => rng.categorical([0, 1, 0, 2, 1, 0], u);
  expect([0, 0.2499, 0.25, 0.7499, 0.75, 1 - 2 ** -53].map(draw)).toEqual([1, 1, 3, 3, 4, 4]);
  expect(() => rng.categorical([0, 0], 0.5)).toThrow(RangeError);
});
