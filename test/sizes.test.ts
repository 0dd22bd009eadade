/** Limits on what the sources are made of, as `test/bench/sizes.mjs` counts it. */
import { expect, test } from "vitest";
import { longFunctions, namesOfMany, readSources } from "./bench/sizes.mjs";

/** One meaning, and many files by design: a lesson's two functions, a room's or panel's catalogue. */
const CONTRACTS = ["estimate", "criticLoss", "words"];

/** Still to be given one meaning each. This list only shrinks. */
const PENDING = (
  "Action ByTurn Cell Checkpoint Choices Column Difference Experiment Found Game Go KINDS Kind Line MOST MOST_TURNS Page " +
  "Part Place Point Press Settings ShopView Source Told TurnLog TurnRow Wanted cell cellsOf " +
  "chosen describeBand exp formulaOf iterationsOf nameOf pageFiles pathOf placeOf placesOf readChoice stepOf strings " +
  "Standing Training webshop tableRows useMark usePart visible writeChoice"
).split(" ");

/** Still to be taken apart. This list only shrinks, too. */
const LONG_PENDING = ["Drawing", "CurveControls", "createShopSession", "Drawing", "KeptForks"];

const sources = readSources();

test("an exported name is defined in one file", () => {
  const doubled = [...namesOfMany(sources)].filter(([name]) => !CONTRACTS.includes(name));
  const news = doubled.filter(([name]) => !PENDING.includes(name));
  expect(news.map(([name, paths]) => `${name}: ${paths.join(", ")}`)).toEqual([]);
});

test("a pending name that is defined once leaves the list", () => {
  const doubled = namesOfMany(sources);
  expect(PENDING.filter((name) => !doubled.has(name))).toEqual([]);
});

test("a function has 60 lines at most", () => {
  expect(sources.flatMap(({ functions }) => functions).length).toBeGreaterThan(5000);
  const news = longFunctions(sources).filter(({ name }) => !LONG_PENDING.includes(name));
  expect(news.map(({ path, name, lines }) => `${path} ${name}: ${lines}`)).toEqual([]);
});
