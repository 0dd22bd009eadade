/** A lesson on paper: A4, large enough to read, with its questions and their boards, and without their answers. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
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
  expect(await by(page, "handout-question").count()).toBeGreaterThan(2);
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
  expect(await page.locator(".handout-turns .quiz-turn-name").count()).toBe(4);
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
