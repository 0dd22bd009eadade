/** Limits on what the sources are made of, as `test/bench/sizes.mjs` counts it. */
import { expect, test } from "vitest";
import {
  deadExports,
  linesOf,
  longFunctions,
  namesOfMany,
  PACKED,
  readReadmes,
  readSources,
  readUsers,
  shortFiles,
  TOLD,
  typesOfMany,
} from "./bench/sizes.mjs";

/** One meaning, and many files by design: a lesson's two functions, those of an algorithm to read, a room's or panel's catalogue. */
const CONTRACTS = ["estimate", "criticLoss", "credit", "objective", "words"];

const sources = readSources();

test("an exported name is defined in one file", () => {
  const doubled = [...namesOfMany(sources)].filter(([name]) => !CONTRACTS.includes(name));
  expect(doubled.map(([name, paths]) => `${name}: ${paths.join(", ")}`)).toEqual([]);
});

/** Rooms of the screen: there a component may have a file of its own, and the type of its properties is its own affair. */
const SCREEN = ["app", "panels", "store", "ui", "notebook"];
const below = sources.filter(({ room }) => !SCREEN.includes(room));

test("a type's name is declared in one file, exported or not, but for the properties of components", () => {
  const ofAll = [...typesOfMany(sources)].filter(([name]) => !name.endsWith("Props"));
  const doubled = [...ofAll, ...typesOfMany(below)];
  expect(doubled.map(([name, paths]) => `${name}: ${paths.join(", ")}`)).toEqual([]);
});

test("below the screen a short file with one importer is part of that one", () => {
  const short = shortFiles(sources).filter(({ path }) => below.some((file) => file.path === path));
  expect(short.map(({ path, importer }) => `${path} <- ${importer}`)).toEqual([]);
});

test("an export is imported by another file", () => {
  const dead = deadExports(sources, readUsers());
  expect(dead.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
});

test("a function has 60 lines at most", () => {
  expect(sources.flatMap(({ functions }) => functions).length).toBeGreaterThan(5000);
  const long = longFunctions(sources);
  expect(long.map(({ path, name, lines }) => `${path} ${name}: ${lines}`)).toEqual([]);
});

test("nothing tells or is told, in code and READMEs", () => {
  expect(linesOf([...sources, ...readReadmes()], TOLD)).toEqual([]);
  const forms = ["He told", "Tells it", "isToldApart", "tellsNumbers", "toldTurn", "telling"];
  for (const text of forms) expect(linesOf([{ path: "a", text }], TOLD)).toHaveLength(1);
  for (const text of ["metellus", "untold", "intellect", "stellar"])
    expect(linesOf([{ path: "a", text }], TOLD)).toEqual([]);
});

test("each field of an object has its own line or name, packed into no spread", () => {
  expect(linesOf(sources, PACKED)).toEqual([]);
  expect(linesOf([{ path: "a", text: "x = { ...{ a, b }, c };" }], PACKED)).toHaveLength(1);
  expect(linesOf([{ path: "a", text: "<Row {...{ a, b }} />" }], PACKED)).toEqual([]);
});
