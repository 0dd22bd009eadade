/** The course: each lesson has the number of its place, and no lesson is left out. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COURSE, neighboursOf } from "../../../src/app/course/course.ts";
import { readLesson } from "../../../src/app/course/lessonFile.ts";

const folder = join(import.meta.dirname, "../../../public/notebooks");
const lessons = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({
    name: name.replace(/\.md$/, ""),
    ...readLesson(readFileSync(join(folder, name), "utf8")),
  }))
  .filter(({ lesson }) => lesson !== null);

it("has every lesson of its list, and no other", () => {
  expect(lessons.map(({ name }) => name).sort()).toEqual([...COURSE].sort());
});

it.each(lessons)("$name has its place", ({ name, lesson, about }) => {
  expect(COURSE.indexOf(name)).toBe(lesson!.number);
  expect(lesson!.minutes).toBeGreaterThan(0);
  expect(about.length).toBeGreaterThan(20);
});

it("keeps what waits for an answer off the card", () => {
  const quiz = "```quiz id=q\nquestion: Which?\noptions: [a, b]\nanswer: 1\n```";
  const text = `# A\n\n${quiz}\n\n<!-- cell after=q -->\nIt is a.\n\n<!-- cell -->\nYou will see.\n`;
  expect(readLesson(text).about).toBe("You will see.");
});

it("gives the lessons before and after a lesson", () => {
  expect(neighboursOf("model")).toEqual({ before: null, after: "credit" });
  expect(neighboursOf("grpo")).toEqual({ before: "credit", after: "weights" });
  expect(neighboursOf("critic")).toEqual({ before: "weights", after: "turns" });
  expect(neighboursOf("estimator")).toEqual({ before: "table", after: "sees" });
  expect(neighboursOf("close")).toEqual({ before: "thinking", after: "class" });
  expect(neighboursOf("class")).toEqual({ before: "close", after: null });
  for (const name of ["first", null])
    expect(neighboursOf(name)).toEqual({ before: null, after: null });
});
