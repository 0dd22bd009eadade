/** The outlines for teachers: their sums are right, their experiments are read, and the guide leads to every lesson and to them. */
import { expect, it } from "vitest";
import { COURSE } from "../../../src/app/course/course.ts";
import { definitionsIn, isTyped } from "../../../src/notebook/cell.ts";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { parseNotebook } from "../../../src/notebook/document.ts";
import { lessonText } from "../../fixtures/lesson.ts";

const text = lessonText("outlines");

it("each has all that a lesson needs, and trains something", () => {
  const [, ...outlines] = text.split(/^## /m);
  expect(outlines.map((one) => one.split("\n")[0])).toEqual([
    ...["Dense and sparse", "Imitate or practise", "Stale batches"],
  ]);
  for (const outline of outlines)
    for (const part of "Idea Predict Figure Compute Train Sources".split(" "))
      expect(outline).toContain(`**${part}.**`);
  const { cells } = parseNotebook(text).notebook;
  const own = definitionsIn(cells);
  const read = cells
    .filter(isTyped)
    .filter(({ type }) => type === "experiment")
    .map(({ body }) => readExperiment(body, own));
  expect(read).toHaveLength(6);
  expect(read.flatMap(({ remarks }) => remarks)).toEqual([]);
});

it("compute what they say", () => {
  expect(text).toContain(`10 · 0.891⁴ = ${(10 * 0.891 ** 4).toFixed(2)}`);
  expect(text).toContain(`0.9⁵ = ${(100 * 0.9 ** 5).toFixed(0)} %`);
  expect(text).toContain(`that is ${0.1 * 5 ** 2}, and with a way back εH = ${0.1 * 5}`);
  expect(text).toContain(`0.05 · √60 = ${(0.05 * Math.sqrt(60)).toFixed(2)}`);
  expect(text).toContain(`log 1.2 = ${Math.log(1.2).toFixed(2)}`);
});

it("the guide's plans have every lesson", () => {
  const guide = lessonText("guide");
  const seminar = guide.slice(guide.indexOf("A seminar of 14 weeks"), guide.indexOf("## Present"));
  expect(seminar.match(/^\| \d+ \|/gm)).toHaveLength(14);
  COURSE.forEach((name, number) => expect(seminar).toContain(`[${number}](#lesson/${name})`));
  expect(seminar).toContain("#lesson/outlines");
});
