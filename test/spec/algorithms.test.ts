import { expect, it } from "vitest";
import { algorithmNames, resolveAlgorithm, settingNames } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { numberAxes } from "../../src/method/numbers.ts";
import { rowAxes } from "../../src/method/rowAxes.ts";
import { InputError } from "../../src/numeric/inputError.ts";

it("lists every row once, and every setting", () => {
  expect(new Set(algorithmNames).size).toBe(algorithmNames.length);
  expect(algorithmNames.length).toBeGreaterThanOrEqual(26);
  expect([...settingNames].sort()).toEqual(
    [...Object.keys(wordAxes), ...Object.keys(numberAxes)].sort(),
  );
});

it("puts every row on every axis, with values that the axis has", () => {
  for (const name of algorithmNames) {
    const row = resolveAlgorithm(name) as unknown as Record<string, string | number | null>;
    for (const [axis, { values }] of Object.entries({ ...rowAxes, ...wordAxes }))
      expect(Object.keys(values), `${name}.${axis}`).toContain(row[axis]);
    for (const axis of Object.keys(numberAxes)) expect(row, name).toHaveProperty(axis);
    // What a row says of itself can be set again.
    const settings = Object.fromEntries(settingNames.map((key) => [key, row[key]]));
    expect(resolveAlgorithm(name, settings)).toEqual(row);
  }
});

it("gives each row its published defaults", () => {
  expect(resolveAlgorithm("turn-ppo")).toMatchObject({
    gamma: 0.99,
    lambda: 0.9,
    epsLow: 0.2,
    epsHigh: 0.2,
    dualClip: 3,
    whiten: "turns",
    ratio: "turn-product",
    aggregation: "turnsum-over-tokens",
    betaKl: 0,
    valueClip: null,
    critic: "turn",
  });
  expect(resolveAlgorithm("token-ppo")).toMatchObject({
    gamma: 1,
    lambda: 1,
    epsLow: 0.2,
    epsHigh: 0.2,
    dualClip: 3,
    whiten: "tokens",
    ratio: "token",
    aggregation: "token-mean",
    critic: "token",
  });
  expect(resolveAlgorithm("grpo")).toMatchObject({
    epsLow: 0.2,
    epsHigh: 0.2,
    dualClip: null,
    std: "sample",
    whiten: "none",
    ratio: "token",
    aggregation: "seq-mean-token-mean",
    critic: "none",
  });
});

it("is plain JSON data", () => {
  for (const name of algorithmNames) {
    const config = resolveAlgorithm(name, { dualClip: "none" });
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
  }
});

it("takes numbers, their text, none and null", () => {
  const config = resolveAlgorithm("turn-ppo", {
    gamma: "0.5",
    lambda: 0,
    dualClip: "none",
    valueClip: null,
    ratio: null,
  });
  expect(config).toMatchObject({
    gamma: 0.5,
    lambda: 0,
    dualClip: null,
    valueClip: null,
    ratio: "none",
  });
});

it.each([
  ["gamma", "1.5", 'gamma is "1.5"; it must be a number from 0 to 1'],
  ["gamma", "none", 'gamma is "none"; it must be a number from 0 to 1'],
  ["gamma", "", 'gamma is ""; it must be a number from 0 to 1'],
  ["gamma", NaN, "gamma is NaN; it must be a number from 0 to 1"],
  ["gamma", true, "gamma is true; it must be a number from 0 to 1"],
  ["dualClip", "0.5", 'dualClip is "0.5"; it must be a number from 1 to 1000000 or none'],
  ["betaKl", "Infinity", 'betaKl is "Infinity"; it must be a number from 0 to 1000000'],
  [
    "ratio",
    "word",
    'ratio is "word"; allowed: token, turn-product, turn-geomean, sequence-geomean, none',
  ],
  ["whiten", "toString", 'whiten is "toString"; allowed: none, tokens, turns'],
  ["aggregation", "none", 'aggregation is "none"; allowed: token-mean'],
  ["estimator", "turn-gae", '"estimator" is not a setting; allowed: whiten'],
  ["__proto__", "1", '"__proto__" is not a setting'],
])("refuses %s = %s", (key, value, message) => {
  const overrides = Object.fromEntries([[key, value]]);
  expect(() => resolveAlgorithm("turn-ppo", overrides)).toThrow(InputError);
  expect(() => resolveAlgorithm("turn-ppo", overrides)).toThrow(message);
});

it("names an unknown algorithm and the known ones", () => {
  expect(() => resolveAlgorithm("ppo")).toThrow('algorithm is "ppo"; allowed: reinforce, ');
  expect(() => resolveAlgorithm("constructor")).toThrow(InputError);
});
