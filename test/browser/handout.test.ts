/** A lesson on paper: A4, large enough to read, with its questions and their boards, and without their answers. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COURSE } from "../../src/app/course/course.ts";
import { questionsIn } from "../../src/notebook/cells/quiz/questions.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { lessonText } from "../fixtures/lesson.ts";
import { handoutPages } from "./handoutPages.ts";
import { by, launch, openPage, servePage, type ServedPage } from "./support.ts";

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

it.each(["grpo", "critic"])("the lesson %s prints on a few pages", async (name) => {
  const { page, errors, close } = await openPage(browser, `${site.url}?handout#lesson/${name}`);
  expect(await handoutPages(page)).toBeLessThanOrEqual(4);
  const text = await by(page, "handout").textContent();
  expect(text).toContain(
    name === "grpo" ? "What is the advantage of the solved rollout?" : "TD error",
  );
  await expect.poll(() => by(page, "handout-question").count()).toBeGreaterThan(2);
  for (const answer of [
    "All four turns get +2.47",
    "from 4.46 down to 2.23",
    "8.674, a large",
    "Press Run",
  ])
    expect(text).not.toContain(answer);
  expect(errors).toEqual([]);
  await close();
});

it.each(COURSE)("the lesson %s has every figure on paper, and no explanation", async (name) => {
  const { page, errors, close } = await openPage(browser, `${site.url}?handout#lesson/${name}`);
  expect(await handoutPages(page)).toBeLessThanOrEqual(5);
  const text = await by(page, "handout").innerText();
  expect(text).not.toMatch(/[Pp]ress (\*\*)?Run/);
  const { cells } = parseNotebook(lessonText(name)).notebook;
  // Some begin with the option that is right.
  const told = questionsIn(cells).flatMap(({ explanation, options }) => {
    const first = explanation?.split(". ")[0] ?? "";
    return options.includes(first) || first.length < 20 ? [] : [first];
  });
  expect(told.filter((one) => text.includes(one))).toEqual([]);
  await page.emulateMedia({ media: "print" });
  const figures = await page.locator(".handout-figure").evaluateAll((all) =>
    all.map((one) => ({
      name: one.querySelector<HTMLElement>("[data-cell]")?.dataset["cell"],
      isThere: one.getBoundingClientRect().height > 60,
      masks: [...one.querySelectorAll("*")].filter(
        (part) => getComputedStyle(part).maskImage !== "none",
      ).length,
    })),
  );
  expect(figures.filter(({ isThere, masks }) => !isThere || masks > 0)).toEqual([]);
  expect(await page.evaluate(headingsAlone)).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

/** In the page: headings in figures below which nothing is left on paper. A curve is below its title, not beside. */
function headingsAlone(): string[] {
  const all = document.querySelectorAll<HTMLElement>(
    ".handout-figure :is(h3, h4):not(header *, .curve-title *)",
  );
  const isAlone = (heading: HTMLElement) => {
    for (let next = heading.nextElementSibling; next; next = next.nextElementSibling) {
      if (/^H\d$/.test(next.tagName)) break;
      if ((next as HTMLElement).innerText?.trim() !== "" && next.checkVisibility()) return false;
    }
    return heading.checkVisibility();
  };
  return [...all].filter(isAlone).map(({ textContent }) => textContent);
}

/** Lesson 1: no true credit, no credit that is asked for, room for one's own, all four turns, the boards of the question. */
async function paperOfCredit(page: Page): Promise<void> {
  const seen = page.locator(".handout-figure td").filter({ visible: true });
  const numbers = await seen.evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const isShown = [cell, ...cell.querySelectorAll("*")].some(
        (one) =>
          one.textContent.trim() !== "" &&
          getComputedStyle(one).visibility === "visible" &&
          getComputedStyle(one).color !== "rgba(0, 0, 0, 0)",
      );
      return isShown ? [cell.textContent] : [];
    }),
  );
  for (const answer of ["+10.3", "10.32", "+2.47"])
    expect(numbers.filter((text) => text.includes(answer))).toEqual([]);
  // Nobody's credit is filled in.
  expect(numbers).not.toContain("0.00");
  await expect.poll(() => page.locator(".handout-turns .quiz-turn-name").count()).toBe(4);
  const cut = await page
    .locator(".handout .tokens-box")
    .first()
    .evaluate((box) => box.scrollHeight - box.clientHeight);
  expect(cut).toBeLessThanOrEqual(2);
}

it.each(["credit", "clinic"])(
  "the lesson %s is read on paper, terms and figures too",
  async (name) => {
    const { page, close } = await openPage(browser, `${site.url}?handout#lesson/${name}`);
    expect(await handoutPages(page)).toBeLessThanOrEqual(4);
    await page.emulateMedia({ media: "print" });
    const terms = page.locator(".handout .prose .term");
    await expect.poll(() => terms.count()).toBeGreaterThan(5);
    expect(await terms.filter({ visible: false }).count()).toBe(0);
    // What only a screen can use is not there.
    expect(
      await page.locator(".handout :is(select, .curve-latest)").filter({ visible: true }).count(),
    ).toBe(0);
    const scale = await by(page, "handout").evaluate((all) => Number(getComputedStyle(all).zoom));
    expect(scale).toBeGreaterThanOrEqual(0.72);
    if (name === "credit") await paperOfCredit(page);
    await close();
  },
);

it("is white paper by night, too: all on it can be read", async () => {
  const { page, close } = await openPage(browser, `${site.url}?handout#lesson/grpo`, {
    colorScheme: "dark",
  });
  await page.locator(".handout .panel td").first().waitFor();
  const colours = (theme: string) =>
    page.evaluate(async (now) => {
      document.documentElement.dataset["theme"] = now;
      await new Promise((resolve) => setTimeout(resolve, 500));
      const all = [...document.querySelectorAll(".handout .margin-note, .handout th, .handout td")];
      return all.map((one) => {
        const { color, backgroundColor } = getComputedStyle(one);
        return `${color} on ${backgroundColor}`;
      });
    }, theme);
  const night = await colours("dark");
  expect(night.length).toBeGreaterThan(20);
  expect(night).toEqual(await colours("light"));
  await close();
});
