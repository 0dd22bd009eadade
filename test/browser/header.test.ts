/** The top bar: it stays where the window is high enough for it, and covers nothing that is scrolled to. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { by, launch, openPage, type ServedPage, servePage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const HIGH = { width: 1440, height: 900 };
/** The same window at 200 %. */
const ZOOMED = { width: 720, height: 450 };

const boxOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return { top, bottom, height };
  });

async function openScrolled(viewport: typeof HIGH) {
  const opened = await openPage(browser, site.url, { viewport });
  await by(opened.page, "experiment").waitFor();
  await opened.page.evaluate(() => window.scrollTo(0, 700));
  await expect.poll(() => opened.page.evaluate(() => scrollY)).toBeGreaterThan(600);
  return opened;
}

it("stays while the page scrolls, and leads on", async () => {
  const { page, close } = await openScrolled(HIGH);
  const bar = await boxOf(page, ".page-header");
  expect(bar.top).toBe(0);
  expect((bar.height + (await boxOf(page, ".run-bar")).height) / HIGH.height).toBeLessThan(0.15);
  await by(page, "to-glossary").click();
  await by(page, "glossary").waitFor();
  await close();
});

it("covers no term that a link leads to", async () => {
  const { page, close } = await openPage(browser, `${site.url}#glossary-gae`, { viewport: HIGH });
  await by(page, "glossary").waitFor();
  const term = "[data-term=gae]";
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  const { bottom } = await boxOf(page, ".page-header");
  await expect.poll(async () => (await boxOf(page, term)).top).toBeGreaterThanOrEqual(bottom);
  await close();
});

it("scrolls away at 200 %, where the bars would take over 15 % of the height", async () => {
  const { page, close } = await openScrolled(ZOOMED);
  expect((await boxOf(page, ".page-header")).bottom).toBeLessThanOrEqual(0);
  expect((await boxOf(page, ".run-bar")).height / ZOOMED.height).toBeLessThan(0.15);
  await close();
});

it("shows on a phone which view it is", async () => {
  const viewport = { width: 390, height: 844 };
  const { page, close } = await openPage(browser, `${site.url}#machine`, { viewport });
  await by(page, "to-machine").waitFor();
  const inSight = () =>
    page.evaluate(() => {
      const nav = document.querySelector(".page-header nav")!.getBoundingClientRect();
      const here = document.querySelector(".page-header [aria-current]")!.getBoundingClientRect();
      return here.left >= nav.left && here.right <= nav.right;
    });
  await expect.poll(inSight).toBe(true);
  await close();
});
