/** Sentences of the notebooks, of the teacher's notes and of the algorithms' pages are short. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFields } from "../../src/notebook/cellFields.ts";
import type { Cell } from "../../src/notebook/cell.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { outsideTexts } from "../../src/spec/algorithmDocs/texts/outside.ts";
import { rowTexts } from "../../src/spec/algorithmDocs/docs.ts";
import { sentencesOf, wordsIn } from "../fixtures/sentences.ts";

/** Words of the longest sentence that is allowed. */
const LIMIT = 20;

const folder = join(import.meta.dirname, "../../public/notebooks");
const files = [folder, join(folder, "teacher")].flatMap((at) =>
  readdirSync(at)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(at, name)),
);

const tooLong = (markdown: string) =>
  sentencesOf(markdown).filter((sentence) => wordsIn(sentence) > LIMIT);

/** Of prose, questions and what is said of mistakes, and figures. */
function textsOf(cell: Cell): string[] {
  if (cell.type === "prose") return [cell.markdown];
  if (cell.type !== "quiz") return linesOf(cell, "source");
  const { question, options, hint, explanation, feedback } = readFields("quiz", cell.body).value!;
  return [question, ...options, hint ?? "", explanation ?? "", ...Object.values(feedback)];
}

/** What a figure says, by its field's name, as it stands in a body. */
function linesOf(cell: Cell, name: "caption" | "source"): string[] {
  if (cell.type === "prose") return [];
  const lines = cell.body.matchAll(new RegExp(`^${name}: "?(.*?)"?$`, "gm"));
  return [...lines].map(([, text]) => text!);
}

/** Words of the longest caption. */
const CAPTION = 12;

describe(`prose in sentences of at most ${LIMIT} words`, () => {
  it.each(files.map((file) => [file.slice(folder.length + 1), file]))("%s", (_, file) => {
    const { cells } = parseNotebook(readFileSync(file, "utf8")).notebook;
    expect(cells.flatMap(textsOf).flatMap(tooLong)).toEqual([]);
  });

  it.each(files.map((file) => [file.slice(folder.length + 1), file]))(
    "captions of %s",
    (_, file) => {
      const { cells } = parseNotebook(readFileSync(file, "utf8")).notebook;
      const captions = cells.flatMap((cell) => linesOf(cell, "caption"));
      expect(captions.filter((text) => wordsIn(text) > CAPTION)).toEqual([]);
    },
  );

  it.each(Object.entries({ ...rowTexts, ...outsideTexts }))(
    "the page of %s",
    (_, { source: __, ...text }) => {
      expect(Object.values(text).flatMap(tooLong)).toEqual([]);
    },
  );
});

it("finds sentences and counts their words", () => {
  const text = [
    "# Title\n\nOne two. Is it $a + b$? Yes: 0.5 of *it*, [a link](https://example.org/a.b).[^n]",
    "[^n]: **Note.** Three words here.\n\n| a | table |\n|---|---|\n\n```text\ncode\n```\n\n$$x$$",
    "- first\n- second, e.g. this\n  goes on",
  ].join("\n\n");
  expect(sentencesOf(text).map(wordsIn)).toEqual([2, 3, 6, 1, 3, 1, 5]);
});
