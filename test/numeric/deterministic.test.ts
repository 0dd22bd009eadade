import { describe, expect, it } from "vitest";
import * as d from "../../src/numeric/deterministic.ts";
import { uniforms } from "../../src/numeric/rng.ts";

/** Distance in units of the last place of the expected value. */
function ulps(actual: number, expected: number): number {
  if (Object.is(actual, expected)) return 0;
  if (!Number.isFinite(actual) || !Number.isFinite(expected)) return Infinity;
  const exponent = Math.max(-1022, Math.floor(Math.log2(Math.abs(expected))));
  return Math.abs(actual - expected) / Math.max(2 ** (exponent - 52), 2 ** -1074);
}

/** n numbers between low and high, and as many with random magnitude around them. */
function samples(low: number, high: number, n = 20_000): number[] {
  const key = { seed: 7, stream: "test", iteration: 0, trajectory: 0, step: 0 };
  const flat = uniforms(key, n);
  const tiny = uniforms({ ...key, stream: "tiny" }, n);
  return [...flat].flatMap((u, i) => [low + u * (high - low), (u - 0.5) * 2 ** (-1000 * tiny[i]!)]);
}

function worst(f: (x: number) => number, g: (x: number) => number, xs: number[]): number {
  return xs.reduce((most, x) => Math.max(most, ulps(f(x), g(x))), 0);
}

describe("against the platform's functions", () => {
  it("exp", () => expect(worst(d.exp, Math.exp, samples(-745, 709.7))).toBeLessThanOrEqual(1));
  it("expm1", () => expect(worst(d.expm1, Math.expm1, samples(-40, 709))).toBeLessThanOrEqual(1));
  it("log", () => {
    const xs = samples(0, 1e3).map(Math.abs);
    xs.push(...samples(0.9, 1.1).filter((x) => x > 0.8), 5e-324, 1e-310, 1.7e308);
    expect(worst(d.log, Math.log, xs)).toBeLessThanOrEqual(1);
  });
  it("tanh", () => expect(worst(d.tanh, Math.tanh, samples(-25, 25))).toBeLessThanOrEqual(2));
  it("sin", () => expect(worst(d.sin, Math.sin, samples(-1e4, 1e6))).toBeLessThanOrEqual(1));
  it("cos", () => expect(worst(d.cos, Math.cos, samples(-1e6, 1e4))).toBeLessThanOrEqual(1));
  it("sin and cos beside multiples of pi/2", () => {
    const xs = Array.from({ length: 5000 }, (_, n) => (n * 130 + 1) * (Math.PI / 2));
    expect(worst(d.sin, Math.sin, xs)).toBeLessThanOrEqual(1);
    expect(worst(d.cos, Math.cos, xs)).toBeLessThanOrEqual(1);
  });
  it("sigmoid", () => {
    const reference = (x: number) =>
      x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x));
    expect(worst(d.sigmoid, reference, samples(-700, 50))).toBeLessThanOrEqual(2);
  });
});

describe("special values", () => {
  const cases: [string, (x: number) => number, [number, number][]][] = [
    [
      "exp",
      d.exp,
      [
        [0, 1],
        [-0, 1],
        [Infinity, Infinity],
        [-Infinity, 0],
        [710, Infinity],
        [-746, 0],
      ],
    ],
    [
      "exp (subnormal result)",
      d.exp,
      [
        [-745.1, 5e-324],
        [-744, Math.exp(-744)],
        [-709, Math.exp(-709)],
      ],
    ],
    [
      "expm1",
      d.expm1,
      [
        [0, 0],
        [-0, -0],
        [5e-324, 5e-324],
        [Infinity, Infinity],
        [-Infinity, -1],
      ],
    ],
    [
      "log",
      d.log,
      [
        [0, -Infinity],
        [-0, -Infinity],
        [1, 0],
        [Infinity, Infinity],
        [-1, NaN],
      ],
    ],
    [
      "tanh",
      d.tanh,
      [
        [0, 0],
        [-0, -0],
        [Infinity, 1],
        [-Infinity, -1],
        [5e-324, 5e-324],
      ],
    ],
    [
      "sin",
      d.sin,
      [
        [0, 0],
        [-0, -0],
        [Infinity, NaN],
        [-Infinity, NaN],
        [-5e-324, -5e-324],
      ],
    ],
    [
      "cos",
      d.cos,
      [
        [0, 1],
        [-0, 1],
        [Infinity, NaN],
        [-Infinity, NaN],
        [5e-324, 1],
      ],
    ],
    [
      "sigmoid",
      d.sigmoid,
      [
        [0, 0.5],
        [Infinity, 1],
        [-Infinity, 0],
      ],
    ],
  ];
  it.each(cases)("%s", (_, f, pairs) => {
    for (const [x, y] of pairs) expect(f(x), `at ${x}`).toBe(y);
    expect(f(NaN)).toBeNaN();
  });
  it("refuses angles it cannot reduce", () => {
    expect(() => d.sin(1.1e6)).toThrow(RangeError);
    expect(() => d.cos(-1.1e6)).toThrow(RangeError);
  });
});

it("gives these very bits", () => {
  // Pinned so that a change of the arithmetic cannot pass unseen.
  const x = [-2.5, -0.3, 0.7, 1.9];
  const bits = (f: (x: number) => number) => [
    ...new BigUint64Array(Float64Array.from(x, f).buffer),
  ];
  expect([d.exp, d.expm1, d.tanh, d.sin, d.cos].map(bits)).toMatchSnapshot();
});

it("powInt multiplies", () => {
  expect(d.powInt(2, 10)).toBe(1024);
  expect(d.powInt(2, -3)).toBe(0.125);
  expect(d.powInt(-3, 3)).toBe(-27);
  expect(d.powInt(0.99, 0)).toBe(1);
  expect(d.powInt(1.5, 40)).toBeCloseTo(1.5 ** 40, 5);
  expect(() => d.powInt(2, 0.5)).toThrow(RangeError);
});

it("logSumExp and softmax shift before they exponentiate", () => {
  expect(d.logSumExp([1000, 1000])).toBeCloseTo(1000 + Math.LN2, 12);
  expect(d.logSumExp([])).toBe(-Infinity);
  expect(d.logSumExp([-Infinity, 0])).toBe(0);
  expect(d.logSumExp([NaN, 0])).toBeNaN();
  expect([...d.softmax([-1000, -1000, -Infinity])]).toEqual([0.5, 0.5, 0]);
});
