/** One symbol and one word a thing: the ratio is rho everywhere, and what is played is a rollout. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bindingNames, termOf } from "../../../src/method/formula/vocabulary.ts";
import { algorithmDoc } from "../../../src/spec/algorithmDocs/docs.ts";
import { algorithmNames } from "../../../src/spec/algorithms.ts";
import { glossary } from "../../../src/spec/glossary.ts";
import { lessonText } from "../../fixtures/lesson.ts";

const notebooks = join(import.meta.dirname, "../../../public/notebooks");
const texts = ["", "teacher/"].flatMap((folder) =>
  readdirSync(join(notebooks, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}${name.replace(/\.md$/, "")}`),
);

/** A lone letter w; as a subscript it is the winner of a pair. */
const LONE_W = /(?<![A-Za-z_\\])w(?![A-Za-z])/;
const formulasIn = (text: string) => text.match(/\$\$[^$]+\$\$|\$[^$\n]+\$/g) ?? [];

it("no formula calls the ratio w: of lessons, algorithms, terms, glossary", () => {
  const lessons = texts.flatMap((name) => formulasIn(lessonText(name)));
  const docs = algorithmNames.flatMap((name) => algorithmDoc(name).formulas.map(({ tex }) => tex));
  const terms = bindingNames.map((name) => termOf(name).symbol);
  const words = glossary.flatMap(({ terms: all }) => all.map(({ equation }) => equation ?? ""));
  for (const tex of [...lessons, ...docs, ...terms, ...words]) expect(tex).not.toMatch(LONE_W);
  for (const some of [lessons, docs, terms, words])
    expect(some.some((tex) => tex.includes("\\rho"))).toBe(true);
});

it.each(texts)("%s says rollout or sample, not attempt or try", (name) => {
  const prose = lessonText(name).replace(/^(```.*|set: .*)$/gm, "");
  expect(prose).not.toMatch(/\b(attempts?|tries|tasks? of one board)\b|\*w\*/i);
});

/** A level is the puzzle, a board its state: what one counts, repeats, holds out and solves are levels. */
const BOARD_AS_LEVEL =
  /\b(?:\d+|same|solved|easy|hard|more|test|training|validation|equal|which) boards?\b|\brollouts? of (?:a|one|the same) board\b|\bsolv\w+ (?:a|the|its|this) board\b/i;

it.each(texts)("%s counts and solves levels, not boards", (name) => {
  const prose = lessonText(name).replace(/^(```.*|set: .*)$/gm, "");
  expect(prose.match(BOARD_AS_LEVEL)?.[0]).toBeUndefined();
});

it("the rule of levels and boards sees both", () => {
  expect("Eight rollouts of one board.").toMatch(BOARD_AS_LEVEL);
  expect("It solved the board on 16 boards.").toMatch(BOARD_AS_LEVEL);
  expect("It reads the board as it is now.").not.toMatch(BOARD_AS_LEVEL);
});
