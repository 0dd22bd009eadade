// @vitest-environment happy-dom
/** The course's questions before and after: no verdict before both are in, and then the two compared. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { nextRound, readRounds } from "../../src/app/course/quizRounds.ts";
import { readFields } from "../../src/notebook/cellFields.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();
afterEach(() => localStorage.clear());

const text = readFileSync(join(import.meta.dirname, "../../public/notebooks/quiz.md"), "utf8");
const questions = parseNotebook(text).notebook.cells.flatMap((cell) =>
  cell.type === "quiz" ? [{ id: cell.id, ...readFields("quiz", cell.body).value! }] : [],
);

it("has eight questions, each with an answer and a reason", () => {
  expect(questions).toHaveLength(8);
  for (const { kind, explanation } of questions) {
    expect(kind).toBe("choice");
    expect(explanation).toMatch(/Lessons? \d/);
  }
});

it("asks before and after, keeps the answers apart, and compares them at the end", async () => {
  const { page, errors, close } = await openApp("#lesson/quiz");
  const answer = async (of: (i: number) => number) => {
    await by(page, "course-question").first().waitFor();
    for (let i = 0; i < questions.length; i++) {
      const options = by(page, "course-question").nth(i).locator("input");
      await options.nth(of(i) - 1).click();
    }
    await by(page, "hand-in").click();
  };
  await by(page, "course-question").first().waitFor();
  expect(await by(page, "hand-in").isDisabled()).toBe(true);
  // One right, the others not.
  await answer((i) => (i === 0 ? questions[0]!.answer : (questions[i]!.answer % 4) + 1));
  await expect.poll(() => by(page, "course-quiz").getAttribute("data-round")).toBe("after");
  expect(await by(page, "course-quiz").textContent()).not.toContain(questions[0]!.explanation!);
  expect(Object.keys(readRounds().before!)).toEqual(questions.map(({ id }) => id));
  await answer((i) => questions[i]!.answer);
  await expect
    .poll(() => by(page, "quiz-change").textContent())
    .toBe("1 of 8 right before, 8 after.");
  await expect.poll(() => by(page, "quiz-compared").textContent()).toContain("Lesson 2.");
  expect(await page.locator("[data-testid=quiz-compared] tbody tr").count()).toBe(8);
  await by(page, "quiz-again").click();
  await expect.poll(() => by(page, "course-quiz").getAttribute("data-round")).toBe("before");
  expect(errors).toEqual([]);
  await close();
});

it("takes nothing strange from the storage", () => {
  expect(nextRound({ before: {}, after: {} })).toBeNull();
  for (const text of ["{", "[]", '{"before":{"a":"x"}}', '{"before":{"a":99}}']) {
    localStorage.setItem("turnbook-course-quiz", text);
    expect(readRounds()).toEqual({});
  }
});
