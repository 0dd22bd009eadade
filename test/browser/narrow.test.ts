/** Every view at 320 px, with the page's own colours and with the reader's: nothing that makes the page scroll sideways. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { overflow } from "./storyChecks.ts";
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

const NARROW = { width: 320, height: 640 };

/** By its address, and what is there once it is. */
const VIEWS: readonly [hash: string, there: string][] = [
  ["#v1/nano", "[data-testid=opening-turn]"],
  ["#notebooks", ".gallery-card"],
  ["#v1/nano?view=lens&at=grpo,26,20,1", "[data-testid=ribbon-panel]"],
  ["#algorithms", "main .formula-box, main table"],
  ["#glossary", ".glossary .katex"],
  ["#shop", "[data-testid=shop]"],
  ["#machine", "[data-testid=machine]"],
];

/** Formulas and lists come after what they stand in. */
async function expectNoneWider(page: Page, hash: string, there: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.locator(there).first().waitFor({ state: "attached" });
  for (const forcedColors of ["none", "active"] as const) {
    await page.emulateMedia({ forcedColors });
    await expect
      .poll(() => overflow(page), { message: `${hash}, colours ${forcedColors}` })
      .toBeLessThanOrEqual(0);
  }
}

it("no view scrolls sideways, nor does the help", async () => {
  const { page, errors, close } = await openPage(browser, site.url, {
    viewport: NARROW,
    own: true,
  });
  await by(page, "opening-turn").first().waitFor();
  for (const [hash, there] of VIEWS) await expectNoneWider(page, hash, there);
  await page.keyboard.press("?");
  await by(page, "help-dialog").waitFor();
  // Behind a dialog the page keeps the scroll bar's room free.
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);
  await close();
});
