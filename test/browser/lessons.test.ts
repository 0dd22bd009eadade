/**
 * Walks lessons as a student does: every step, every question answered wrong and right, by keys alone, every code cell run, every
 * experiment trained for an iteration; axe looks at every step. Two lessons, with numbers made up; `npm run test:lessons` walks all that the course has, and trains.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COURSE } from "../../src/app/course/course.ts";
import { readFields, type FieldsOf } from "../../src/notebook/cellFields.ts";
import type { TypedCell } from "../../src/notebook/cell.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { words } from "../../src/app/book/words.ts";
import { axeFaults } from "./axe.ts";
import { by, launch, openPage, servePage, type ServedPage } from "./support.ts";

const ASKED = process.env["TURNBOOK_LESSONS"];
const TRAINS = ASKED !== undefined;
const FEW = ASKED?.split(",") ?? ["grpo", "critic"];
const folder = join(import.meta.dirname, "../../public/notebooks");
const fileOf = (name: string) => join(folder, `${name}.md`);
const lessons = COURSE.filter((name) => ASKED === "all" || FEW.includes(name));

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: TRAINS ? "real" : "fake" }), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const cellsOf = (name: string) =>
  parseNotebook(readFileSync(fileOf(name), "utf8")).notebook.cells.filter(
    (cell): cell is TypedCell => cell.type !== "prose",
  );

type Question = FieldsOf<"quiz">;

/** A wrong answer and the right one, of the kinds that are answered by a number. */
function numbersOf({ kind, answer, options, tolerance }: Question): [number, number] {
  if (kind === "number") return [answer + 10 * tolerance + 1, answer];
  return [answer === 1 ? (kind === "choice" ? options.length : 2) : 1, answer];
}

/** By keys alone, as all answers here: the pointer is not everybody's. */
async function answerNumber(quiz: Locator, given: number): Promise<void> {
  const field = quiz.locator("input");
  await field.fill(String(given));
  await field.press("Enter");
}

async function answerChoice(quiz: Locator, given: number): Promise<void> {
  await quiz
    .locator("input[type=radio]")
    .nth(given - 1)
    .press("Space");
  await quiz.page().keyboard.press("Tab");
  await quiz.page().keyboard.press("Enter");
}

/** Moves an item one place by its button. @param item its place in the right order, from 1 */
async function moveItem(quiz: Locator, item: number, key: "ArrowUp" | "ArrowDown"): Promise<void> {
  const before = (await orderIn(quiz)).join();
  await quiz.locator(`[data-item="${item}"] [data-move=up]`).press(key);
  await expect.poll(async () => (await orderIn(quiz)).join()).not.toBe(before);
}

const orderIn = (quiz: Locator) =>
  quiz
    .locator("[data-item]")
    .evaluateAll((items) => items.map((one) => Number(one.getAttribute("data-item"))));

/** In the right order, or with its first two the wrong way round. */
async function answerOrder(quiz: Locator, { options }: Question, isRight: boolean): Promise<void> {
  for (let place = 1; place <= options.length; place++)
    while ((await orderIn(quiz)).indexOf(place) >= place) await moveItem(quiz, place, "ArrowUp");
  if (!isRight) await moveItem(quiz, 1, "ArrowDown");
  await quiz.getByRole("button", { name: "Check" }).press("Enter");
}

async function answer(quiz: Locator, question: Question, isRight: boolean): Promise<void> {
  const given = numbersOf(question)[isRight ? 1 : 0];
  switch (question.kind) {
    case "number":
      return answerNumber(quiz, given);
    case "order":
      return answerOrder(quiz, question, isRight);
    case "turn":
      // Its turns are there once the run is read.
      await quiz.getByTestId("quiz-turns").waitFor();
      return answerChoice(quiz, given);
    case "choice":
      return answerChoice(quiz, given);
  }
}

/** Wrong first, then right. */
async function answerBoth(page: Page, cell: TypedCell): Promise<void> {
  const question = readFields("quiz", cell.body).value!;
  const quiz = page.locator(`[data-cell="${cell.id}"] [data-testid=quiz]`);
  await quiz.waitFor();
  for (const isRight of [false, true]) {
    await answer(quiz, question, isRight);
    const verdict = isRight ? "right" : "wrong";
    await expect.poll(() => quiz.getAttribute("data-verdict")).toBe(verdict);
  }
}

/** What it computes is shown, and no problem. Code that defines something runs in the experiments that train with it. */
async function runCode(page: Page, { id }: TypedCell): Promise<void> {
  const cell = page.locator(`[data-cell="${id}"]`);
  await cell.getByTestId("code-run").press("Enter");
  await cell.getByTestId("code-output").waitFor();
  expect(await cell.locator("[role=alert]").allTextContents()).toEqual([]);
}

/** @param cells those to be answered or run @returns ids of those that were, in their order */
async function walkSteps(page: Page, cells: readonly TypedCell[]): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const step = await by(page, "lesson").getAttribute("data-step");
    for (const cell of cells) {
      if ((await page.locator(`[data-cell="${cell.id}"]`).count()) === 0) continue;
      await (cell.type === "quiz" ? answerBoth : runCode)(page, cell);
      seen.push(cell.id);
    }
    expect(await axeFaults(page)).toEqual([]);
    if ((await by(page, "lesson-next").count()) === 0) return seen;
    await by(page, "lesson-next").click();
    await expect.poll(() => by(page, "lesson").getAttribute("data-step")).not.toBe(step);
  }
}

/** Questions, and code that computes something; of folded code nothing can be pressed. */
const isWalked = ({ type, defines, flags }: TypedCell) =>
  !flags.includes("hide") &&
  (type === "quiz" || (type === "code" && !defines && !flags.includes("fold")));

/** One iteration of an experiment, in the page that its address opens; of one that is folded away, by its sweep or class. */
async function train(name: string, { id, flags }: TypedCell): Promise<void> {
  const address = `${site.url}#lesson/${name}/${id}?optimisation.iterations=1`;
  const { page, errors, close } = await openPage(browser, address);
  await by(page, "lesson").waitFor();
  if (flags.includes("fold")) await trainOf(page, name);
  else {
    await page.locator("[data-run-state]").waitFor();
    await by(page, "run").first().click();
    await page.locator("[data-run-state=finished]").waitFor({ timeout: 300_000 });
  }
  expect(errors).toEqual([]);
  await close();
}

/** Goes to the step with the lesson's sweep or class, and trains there. */
async function trainOf(page: Page, name: string): Promise<void> {
  const { id, type } = cellsOf(name).find(({ type }) => type === "sweep" || type === "class")!;
  const cell = page.locator(`[data-cell="${id}"]`);
  while ((await cell.count()) === 0) await by(page, "lesson-next").click();
  if (type === "class") return trainAtDesk(page);
  await by(page, "run-sweep").click();
  await page.getByText(words.sweep.done, { exact: true }).waitFor({ timeout: 600_000 });
}

async function trainAtDesk(page: Page): Promise<void> {
  await by(page, "class-seat").fill("1");
  await by(page, "class").getByRole("radio").first().check();
  await by(page, "class-train").click();
  await by(page, "class-code").waitFor({ timeout: 600_000 });
}

it.each(lessons)("the lesson %s is walked to its end", async (name) => {
  const cells = cellsOf(name);
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/${name}`);
  await by(page, "lesson").waitFor();
  const walked = cells.filter(isWalked);
  expect((await walkSteps(page, walked)).toSorted()).toEqual(walked.map(({ id }) => id).toSorted());
  expect(errors).toEqual([]);
  await close();
  const live = cells.filter(
    ({ type, body }) => type === "experiment" && !/^recording:/m.test(body),
  );
  for (const one of live) await train(name, one);
});

it("has glossary cards that open by focus and close by Escape", async () => {
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/grpo`);
  const term = by(page, "lesson").locator(".lesson-words [data-term-id]").first();
  await term.focus();
  await by(page, "term-card").waitFor();
  await page.keyboard.press("Escape");
  await by(page, "term-card").waitFor({ state: "detached" });
  expect(errors).toEqual([]);
  await close();
});

const WIDE = `# Wide

\`\`\`explore id=temperature
figure: temperature
data: { logits: [2, 1, 1, 0, 0, 0], tokens: [Right, end, Left, Down, Up, other] }
\`\`\`
`;

it("lets a figure too wide for a phone scroll in its own box, with a shade at its edges", async () => {
  const address = `${site.url}#text/${notebookToWord(WIDE)}`;
  const { page, errors, close } = await openPage(browser, address, {
    viewport: { width: 390, height: 844 },
  });
  const box = by(page, "explore").locator(".table-scroll");
  await box.waitFor();
  const found = await box.evaluate((element) => {
    element.scrollLeft = 10_000;
    const last = element.querySelector("tr > :last-child")!.getBoundingClientRect();
    return {
      page: document.documentElement.scrollWidth,
      isCut: element.scrollWidth > element.clientWidth,
      isReached: last.right <= element.getBoundingClientRect().right + 1,
      shade: getComputedStyle(element).backgroundAttachment,
    };
  });
  expect(found).toEqual({
    ...{ page: 390, isCut: true, isReached: true },
    shade: "local, local, scroll, scroll",
  });
  expect(errors).toEqual([]);
  await close();
});

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const boxOf = async (locator: Locator) => (await locator.boundingBox())!;

it("has steps and handles for fingers on a phone, and handles that keys move by a step", async () => {
  // The lesson with the most steps.
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/shop`, PHONE);
  const steps = by(page, "lesson").locator(".lesson-head li > button");
  await steps.first().waitFor();
  for (const step of await steps.all()) {
    const { width, height } = await boxOf(step);
    expect(height).toBeGreaterThanOrEqual(44);
    expect(width).toBeGreaterThanOrEqual(44);
  }
  await steps.nth(3).tap();
  const handle = by(page, "handle-chosen");
  const { width, height } = await boxOf(handle);
  expect(height).toBeGreaterThanOrEqual(44);
  const says = () => by(page, "explore-says").textContent();
  const before = await says();
  await handle.tap({ position: { x: 2, y: height / 2 } });
  await expect.poll(() => handle.inputValue()).toBe("0");
  expect(await says()).not.toBe(before);
  await handle.press("ArrowRight");
  await expect.poll(() => handle.inputValue()).toBe("1");
  await expect.poll(says).toBe(before);
  expect(width).toBeGreaterThan(80);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(errors).toEqual([]);
  await close();
});

/** In the page, before its first script: at a step with a figure, what has been asked for when the figure is there. */
function watchFigure(title: string): void {
  sessionStorage.setItem(`turnbook-lesson:${title}`, "1");
  const look = () => {
    if (!document.querySelector(".lesson-figures [data-panel] table")) requestAnimationFrame(look);
    else {
      const names = performance.getEntriesByType("resource").map(({ name }) => name);
      Object.assign(window, { askedFor: names.map((name) => name.replace(/^.*\//, "")) });
    }
  };
  requestAnimationFrame(look);
}

it("asks for nothing that may come later before the first figure of a step", async () => {
  const { page, errors, close } = await openPage(browser, "about:blank", { preloads: true });
  await page.addInitScript(watchFigure, "What a critic knows");
  await page.goto(`${site.url}#lesson/critic`);
  await page.waitForFunction(() => "askedFor" in window);
  const asked = await page.evaluate(() => (window as unknown as { askedFor: string[] }).askedFor);
  expect(asked.filter((name) => /^RibbonTable/.test(name)).length).toBeGreaterThan(0);
  const LATER =
    /^(EditView|LensView|CurvePlot|Present|TeacherWindow|Handout|Class|CourseQuiz|Gallery|CodeContent|Explore|ExperimentCell|GlossaryView|trainingWorker)|\.wasm$/;
  expect(asked.filter((name) => LATER.test(name))).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
