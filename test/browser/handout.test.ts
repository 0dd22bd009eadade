/** A lesson on paper: two pages A4, with its questions and without their answers. */
import type { Browser } from "playwright-core";
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

it.each(["grpo", "critic"])("the lesson %s prints on two pages", async (name) => {
  const { page, errors, close } = await openPage(browser, `${site.url}?handout#lesson/${name}`);
  expect(await handoutPages(page)).toBe(2);
  const text = await by(page, "handout").textContent();
  expect(text).toContain(
    name === "grpo" ? "What is the advantage of the solved attempt?" : "TD error",
  );
  expect(await by(page, "handout-question").count()).toBeGreaterThan(2);
  for (const answer of ["All four turns get +2.47", "from 4.46 down to 2.23", "8.674, a large"])
    expect(text).not.toContain(answer);
  expect(errors).toEqual([]);
  await close();
});

it.each(["credit", "clinic"])(
  "the lesson %s is read on paper, terms and figures too",
  async (name) => {
    const { page, close } = await openPage(browser, `${site.url}?handout#lesson/${name}`);
    expect(await handoutPages(page)).toBe(2);
    await page.emulateMedia({ media: "print" });
    const terms = page.locator(".handout .prose .term");
    await expect.poll(() => terms.count()).toBeGreaterThan(5);
    expect(await terms.filter({ visible: false }).count()).toBe(0);
    // What only a screen can use is not there.
    expect(
      await page.locator(".handout :is(select, .curve-latest)").filter({ visible: true }).count(),
    ).toBe(0);
    const scale = await by(page, "handout").evaluate((all) => Number(getComputedStyle(all).zoom));
    expect(scale).toBeGreaterThan(0.5);
    await close();
  },
);
