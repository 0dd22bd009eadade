/** Limits on what the sources are made of, as `test/bench/sizes.mjs` counts it. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  deadExports,
  deadFiles,
  linesOf,
  longFunctions,
  namesOfMany,
  PACKED,
  readSources,
  readUsers,
  shortFiles,
  typesOfMany,
} from "./bench/sizes.mjs";

/** One meaning, and many files by design: a lesson's two functions, those of an algorithm to read, a room's or panel's catalogue. */
const CONTRACTS = ["estimate", "criticLoss", "credit", "objective", "words"];

const sources = readSources();
const users = readUsers();

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

/** What no entry reaches, and why it stays. */
const UNREACHED = {
  // Read beside the table's rows, which tests hold them to.
  "it is read, never run": ["grpo", "tokenPpo", "turnPpo"].map(
    (name) => `src/algorithm/reading/${name}.ts`,
  ),
};

test("an entry reaches every file", () => {
  expect(deadFiles(sources, users).toSorted()).toEqual(Object.values(UNREACHED).flat().toSorted());
});

test("a source imports every stylesheet", () => {
  const imported = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^import "(\..+\.css)";/gm)].map(([, at]) => join(dirname(path), at!)),
  );
  const sheets = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".css"))
    .map((name) => join("src", name));
  expect(sheets.filter((sheet) => !imported.includes(sheet))).toEqual([]);
});

const FOR_TESTS = new Set([
  // Operations are compared one by one, by the engines' self-check and by tests, each of which makes some of these.
  "src/engine/check/opMakers.ts",
  // Tables of README and of lesson 13 were made with all of it, by test/bench/recipes/contrasts.ts.
  "src/numeric/significance.ts",
]);

/** Left from when tests counted as users; the list may only get shorter. */
const TESTED_ONLY = [
  "src/notebook/quiz.ts isRightAnswer",
  "src/env/sokoban/solver.ts deadSquares",
  "src/numeric/statistics.ts studentTail",
  "src/record/runEvent.ts UnchainedEvent",
  "src/store/codeConsent.ts forgetConsent",
  "src/store/lens.ts isOpen",
  "src/env/sokoban/xsb.ts parseXsb",
  "src/numeric/deterministic.ts tanh",
  "src/spec/gallery.ts exhibits",
  "src/method/formula/vocabulary.ts bindingNames",
  "src/text/domainVocabulary.ts SOKOBAN_TOKENS",
  "src/reading/log/recording.ts logOf",
  "src/notebook/edit.ts experimentsIn",
  "src/spec/studies/study.ts sweepOf",
  "src/reading/classroom/classResults.ts differenceOf",
  // A model folder of Qwen waits for it (issue 33).
  "src/text/chatTemplate.ts chatTemplateSource",
];

test("an export is imported by a file that an entry reaches", () => {
  const dead = deadExports(sources, users);
  const names = dead
    .filter(({ path }) => !FOR_TESTS.has(path))
    .map(({ path, name }) => `${path} ${name}`);
  expect(names.filter((one) => !TESTED_ONLY.includes(one))).toEqual([]);
});

test("a function has 60 lines at most", () => {
  expect(sources.flatMap(({ functions }) => functions).length).toBeGreaterThan(5000);
  const long = longFunctions(sources);
  expect(long.map(({ path, name, lines }) => `${path} ${name}: ${lines}`)).toEqual([]);
});

test("each field of an object has its own line or name, packed into no spread", () => {
  expect(linesOf(sources, PACKED)).toEqual([]);
  expect(linesOf([{ path: "a", text: "x = { ...{ a, b }, c };" }], PACKED)).toHaveLength(1);
  expect(linesOf([{ path: "a", text: "<Row {...{ a, b }} />" }], PACKED)).toEqual([]);
});
