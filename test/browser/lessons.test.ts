/**
 * Walks lessons as a student does: every step, every question answered wrong and right, every experiment trained for an iteration.
 * Two lessons, with numbers made up; `npm run test:lessons` walks all that the course has, and trains.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COURSE } from "../../src/app/course/course.ts";
import { readFields, type FieldsOf } from "../../src/notebook/cellFields.ts";
import { parseNotebook, type TypedCell } from "../../src/notebook/document.ts";
import { by, launch, openPage, servePage, type ServedPage } from "./support.ts";

const ALL = process.env["TURNBOOK_LESSONS"] === "all";
const FEW = ["grpo", "critic"];
const folder = join(import.meta.dirname, "../../public/notebooks");
const fileOf = (name: string) => join(folder, `${name}.md`);
const lessons = COURSE.filter((name) => existsSync(fileOf(name)) && (ALL || FEW.includes(name)));

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: ALL ? "real" : "fake" }), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const cellsOf = (name: string) =>
  parseNotebook(readFileSync(fileOf(name), "utf8")).notebook.cells.filter(
    (cell): cell is TypedCell => cell.type !== "prose",
  );

/** A wrong answer and the right one, for the kinds of questions that are answered by one text. */
function answersOf({
  kind,
  answer,
  options,
  tolerance,
}: FieldsOf<"quiz">): [number, number] | null {
  if (kind === "choice") return [answer === 1 ? options.length : 1, answer];
  return kind === "number" ? [answer + 10 * tolerance + 1, answer] : null;
}

async function answer(quiz: Locator, kind: string, given: number): Promise<void> {
  if (kind === "choice")
    await quiz
      .locator("input[type=radio]")
      .nth(given - 1)
      .check();
  else await quiz.locator("input").fill(String(given));
  await quiz.getByRole("button", { name: "Check" }).click();
}

/** Wrong first, then right. @returns whether it can be answered here */
async function answerBoth(page: Page, cell: TypedCell): Promise<boolean> {
  const fields = readFields("quiz", cell.body).value!;
  const texts = answersOf(fields);
  const quiz = page.locator(`[data-cell="${cell.id}"] [data-testid=quiz]`);
  await quiz.waitFor();
  if (!texts) return false;
  for (const [i, verdict] of ["wrong", "right"].entries()) {
    await answer(quiz, fields.kind, texts[i]!);
    await expect.poll(() => quiz.getAttribute("data-verdict")).toBe(verdict);
  }
  return true;
}

async function walkSteps(page: Page, quizzes: readonly TypedCell[]): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const step = await by(page, "lesson").getAttribute("data-step");
    for (const cell of quizzes) {
      if ((await page.locator(`[data-cell="${cell.id}"]`).count()) === 0) continue;
      await answerBoth(page, cell);
      seen.push(cell.id);
    }
    if ((await by(page, "lesson-next").count()) === 0) return seen;
    await by(page, "lesson-next").click();
    await expect.poll(() => by(page, "lesson").getAttribute("data-step")).not.toBe(step);
  }
}

/** One iteration of an experiment, in the page that its address opens. */
async function train(name: string, id: string): Promise<void> {
  const address = `${site.url}#lesson/${name}/${id}?optimisation.iterations=1`;
  const { page, errors, close } = await openPage(browser, address);
  await by(page, "lesson").waitFor();
  await page.locator("[data-run-state]").waitFor();
  await by(page, "run").first().click();
  await page.locator("[data-run-state=finished]").waitFor({ timeout: 300_000 });
  expect(errors).toEqual([]);
  await close();
}

it.each(lessons)("the lesson %s is walked to its end", async (name) => {
  const cells = cellsOf(name);
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/${name}`);
  await by(page, "lesson").waitFor();
  const quizzes = cells.filter(({ type }) => type === "quiz");
  expect(await walkSteps(page, quizzes)).toEqual(quizzes.map(({ id }) => id));
  expect(errors).toEqual([]);
  await close();
  const live = cells.filter(
    ({ type, body }) => type === "experiment" && !/^recording:/m.test(body),
  );
  for (const { id } of live) await train(name, id);
});
