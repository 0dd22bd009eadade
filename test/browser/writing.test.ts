/** What fingers do: typing in a new notebook is text and nothing else, and lessons can be done by keyboard alone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COURSE } from "../../src/app/course/course.ts";
import { readFields, type FieldsOf } from "../../src/notebook/cellFields.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { by, launch, openPage, type ServedPage, servePage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake" });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** All that a stray key could have changed. */
const standOf = (page: Page) =>
  page.evaluate(() => ({
    hash: location.hash,
    theme: document.documentElement.dataset["theme"],
    dialogs: document.querySelectorAll("[role=dialog]").length,
    runs: [...document.querySelectorAll("[data-run-state]")].map(
      (bar) => (bar as HTMLElement).dataset["runState"],
    ),
    cells: document.querySelectorAll("[data-testid=edit-cell]").length,
  }));

const firstCell = (page: Page) => page.getByTestId("edit-cell").first().locator(".prose");

async function newNotebook(viewport = { width: 1280, height: 720 }) {
  const opened = await openPage(browser, `${site.url}#notebooks`, { own: true, viewport });
  await by(opened.page, "new-notebook").click();
  await opened.page.locator(".cm-focused").waitFor();
  return opened;
}

describe("a new notebook", () => {
  it("takes what is typed at once, and nothing else changes", async () => {
    const { page, errors, close } = await newNotebook();
    const before = await standOf(page);
    await page.keyboard.type("hello my notes");
    await expect.poll(() => firstCell(page).textContent()).toContain("hello my notes");
    expect(await standOf(page)).toEqual(before);
    await page.locator("[data-testid=keeping][data-state=saved]").waitFor();
    await page.reload();
    await page.getByText("hello my notes").waitFor();
    // Reading it, too.
    await by(page, "mode-read").click();
    const read = await standOf(page);
    await page.getByText("hello my notes").click();
    await page.keyboard.type("hello my drafts?");
    expect(await standOf(page)).toEqual(read);
    expect(errors).toEqual([]);
    await close();
  });

  it("is left by Escape right after a letter, but for an open menu, which closes first", async () => {
    const { page, errors, close } = await newNotebook();
    const field = page.locator(".cm-focused");
    await page.keyboard.type("a");
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await field.waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("/");
    const menu = page.locator(".cm-tooltip-autocomplete");
    await menu.waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    expect(await field.count()).toBe(1);
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  it("is written where one clicks its text, and where its cell has the focus", async () => {
    const { page, errors, close } = await newNotebook();
    await page
      .getByTestId("edit-cell")
      .last()
      .click({ position: { x: 4, y: 4 } });
    await page.locator(".cm-focused").waitFor({ state: "detached" });
    await firstCell(page)
      .getByText("Write here.")
      .click({ position: { x: 1, y: 8 } });
    await page.keyboard.type("drafts ");
    await expect.poll(() => firstCell(page).textContent()).toContain("drafts Write here.");
    await page.keyboard.press("Escape");
    await page.keyboard.type(" more");
    await expect.poll(() => firstCell(page).textContent()).toContain("more");
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#book/);
    expect(errors).toEqual([]);
    await close();
  });
});

it("a text with a formula stays where it is while it is written", async () => {
  const { page, errors, close } = await newNotebook();
  await page.keyboard.insertText(`# Mean\n\n${"A line.\n\n".repeat(6)}It is $\\bar r$.`);
  await page.locator(".edit-cell .katex").waitFor();
  const moves = () =>
    page.evaluate(
      () =>
        new Promise<number>((done) => {
          let moved = 0;
          const height = document.documentElement.scrollHeight;
          const watch = new ResizeObserver(() => {
            moved = Math.max(moved, Math.abs(document.documentElement.scrollHeight - height));
          });
          watch.observe(document.body);
          setTimeout(() => done(moved), 1500);
        }),
    );
  const [moved] = await Promise.all([moves(), page.keyboard.type(" more", { delay: 100 })]);
  // At most a line that wraps.
  expect(moved).toBeLessThan(40);
  expect(errors).toEqual([]);
  await close();
});

const topAndBottom = (part: Locator) =>
  part.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });

it.each([
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
])("code that is added is in view with the caret in it, above what it prints, %j", async (size) => {
  const { page, errors, close } = await newNotebook(size);
  await page.getByTestId("edit").getByTestId("add-code").last().click();
  const cell = page.getByTestId("edit-cell").last();
  await cell.locator(".cm-focused").waitFor();
  const [header, bar] = [page.locator(".page-header"), page.locator(".run-bar")];
  await expect
    .poll(async () => (await topAndBottom(cell)).bottom)
    .toBeLessThanOrEqual((await topAndBottom(bar)).top);
  const { bottom: free } = await topAndBottom(header);
  expect((await topAndBottom(cell)).top).toBeGreaterThanOrEqual(free);
  await page.keyboard.type("\n6 * 7");
  await page.keyboard.press("Control+Enter");
  const value = cell.locator(".code-value");
  await value.getByText("42").waitFor();
  const source = await topAndBottom(cell.getByTestId("source"));
  expect(source.bottom).toBeLessThanOrEqual((await topAndBottom(value)).top);
  expect(errors).toEqual([]);
  await close();
});

/** Presses Tab until something that matches has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 150; i++) {
    const isThere = (s: string) => document.activeElement?.matches(s) ?? false;
    if (await page.evaluate(isThere, selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

type Question = FieldsOf<"quiz">;

async function answerByKeys(page: Page, id: string, question: Question): Promise<void> {
  const cell = `[data-cell="${id}"] [data-testid=quiz]`;
  if (question.kind === "order") return orderByKeys(page, cell, question.options.length);
  if (question.kind === "number") {
    await tabTo(page, `${cell} input`);
    await page.keyboard.type(String(question.answer));
  } else {
    await tabTo(page, `${cell} input[type=radio]`);
    await page.keyboard.press("Space");
    for (let i = 1; i < question.answer; i++) await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}

async function orderByKeys(page: Page, cell: string, count: number): Promise<void> {
  const order = () =>
    page
      .locator(`${cell} [data-item]`)
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-item"))));
  for (let place = 1; place <= count; place++)
    while ((await order()).indexOf(place) >= place) {
      const before = (await order()).join();
      await tabTo(page, `${cell} [data-item="${place}"] [data-move=up]`);
      await page.keyboard.press("Enter");
      await expect.poll(async () => (await order()).join()).not.toBe(before);
    }
  await tabTo(page, `${cell} button[type=submit]`);
  await page.keyboard.press("Enter");
}

const quizzesOf = (name: string) => {
  const file = join(import.meta.dirname, `../../public/notebooks/${name}.md`);
  return parseNotebook(readFileSync(file, "utf8")).notebook.cells.flatMap((cell) =>
    cell.type === "quiz" && !cell.flags.includes("hide")
      ? [{ id: cell.id, question: readFields("quiz", cell.body).value! }]
      : [],
  );
};

const nothingTrains = (page: Page) =>
  page.locator("[data-run-state=running], [data-run-state=loading]").count();

/** Each question of the step that is there, until all are passed. */
async function passStep(page: Page, name: string): Promise<string[]> {
  const passed: string[] = [];
  for (const { id, question } of quizzesOf(name)) {
    const quiz = page.locator(`[data-cell="${id}"] [data-testid=quiz]`);
    if ((await quiz.count()) === 0) continue;
    if (question.kind === "turn") await quiz.getByTestId("quiz-turns").waitFor();
    await answerByKeys(page, id, question);
    await expect.poll(() => quiz.getAttribute("data-verdict")).toBe("right");
    passed.push(id);
  }
  return passed;
}

/** The step's own experiment is begun and held by the bar, which names it. */
async function runByKeys(page: Page): Promise<void> {
  const id = await page
    .locator(".lesson-figures [data-experiment]")
    .first()
    .getAttribute("data-cell");
  await expect.poll(() => by(page, "bar-name").textContent()).toBe(id);
  await tabTo(page, "[data-testid=run]");
  await page.keyboard.press("Enter");
  await page.locator("[data-run-state=running], [data-run-state=finished]").waitFor();
}

it.each(COURSE.slice(0, 3))("the lesson %s is done by keyboard alone", async (name) => {
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/${name}`);
  await by(page, "lesson").waitFor();
  const passed: string[] = [];
  for (;;) {
    await page.keyboard.press("Space");
    expect(await nothingTrains(page)).toBe(0);
    passed.push(...(await passStep(page, name)));
    const isLive = await page.locator(".lesson-figures [data-testid=experiment]").count();
    if (isLive > 0) await runByKeys(page);
    if ((await by(page, "lesson-next").count()) === 0) break;
    const step = await by(page, "lesson").getAttribute("data-step");
    await tabTo(page, "[data-testid=lesson-next]");
    await page.keyboard.press("Enter");
    await expect.poll(() => by(page, "lesson").getAttribute("data-step")).not.toBe(step);
    if (isLive > 0) break;
  }
  expect(passed.length).toBeGreaterThan(2);
  expect(errors).toEqual([]);
  await close();
});
