/** Limits on what the sources are made of, as `test/bench/sizes.mjs` counts it. */
import { expect, test } from "vitest";
import { longFunctions, namesOfMany, readSources } from "./bench/sizes.mjs";

/** One meaning, and many files by design: a lesson's two functions, a room's or panel's catalogue. */
const CONTRACTS = ["estimate", "criticLoss", "words"];

const sources = readSources();

test("an exported name is defined in one file", () => {
  const doubled = [...namesOfMany(sources)].filter(([name]) => !CONTRACTS.includes(name));
  expect(doubled.map(([name, paths]) => `${name}: ${paths.join(", ")}`)).toEqual([]);
});

test("a function has 60 lines at most", () => {
  expect(sources.flatMap(({ functions }) => functions).length).toBeGreaterThan(5000);
  const long = longFunctions(sources);
  expect(long.map(({ path, name, lines }) => `${path} ${name}: ${lines}`)).toEqual([]);
});
