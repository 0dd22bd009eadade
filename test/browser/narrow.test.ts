/** Every view at 320 px and at 200 %, with the page's own colours and with the reader's: nothing makes the page scroll sideways. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
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

const WINDOWS: Record<string, BrowserContextOptions> = {
  "320 px": { viewport: { width: 320, height: 640 } },
  // Of 1440 by 900.
  "200 %": { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
};

/** By its address, and what is there once it is. */
const VIEWS: readonly [hash: string, there: string][] = [
  ["#v1/nano", "[data-testid=opening-turn]"],
  ["#notebooks", ".gallery-card"],
  ["#v1/nano?view=lens&at=grpo,26,20,1", "[data-testid=ribbon-panel]"],
  ["#algorithms", "main .formula-box, main table"],
  ["#referee", "[data-testid=referee-rows]"],
  ["#glossary", ".glossary .katex"],
  ["#shop", "[data-testid=shop]"],
  ["#machine", "[data-testid=machine]"],
];

/** Formulas and lists come after the elements that contain them. */
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

it.each(Object.keys(WINDOWS))("at %s no view scrolls sideways, nor does the help", async (name) => {
  const { page, errors, close } = await openPage(browser, site.url, {
    ...WINDOWS[name],
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

it("nothing moves by itself where motion is reduced", async () => {
  const { page, errors, close } = await openPage(browser, site.url, { own: true });
  await by(page, "opening-turn").first().waitFor();
  const moving = () =>
    page.evaluate(() => {
      const parts = [...document.querySelectorAll("*")].flatMap((element) =>
        [null, "::before", "::after"].map((part) => getComputedStyle(element, part)),
      );
      return parts.filter(({ transitionDuration, animationName, scrollBehavior }) => {
        const seconds = transitionDuration.split(", ").map(parseFloat);
        return animationName !== "none" || scrollBehavior === "smooth" || Math.max(...seconds) > 0;
      }).length;
    });
  // The check can fail: without the setting the edge of a wide table fades.
  await page.evaluate((to) => (location.hash = to), VIEWS[2]![0]);
  await by(page, "credits-table").waitFor();
  await expect.poll(moving).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const [hash, there] of VIEWS) {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator(there).first().waitFor({ state: "attached" });
    expect(await moving(), hash).toBe(0);
  }
  await page.keyboard.press("?");
  await by(page, "help-dialog").waitFor();
  expect(await moving(), "help").toBe(0);
  expect(errors).toEqual([]);
  await close();
});

it("signs are seen in the reader's own colours, too: bars keep theirs, minus its stripes", async () => {
  const { page, errors, close } = await openPage(browser, site.url, { own: true });
  await by(page, "opening-turn").first().waitFor();
  await page.emulateMedia({ forcedColors: "active" });
  const bars = page.locator(".signed-bars i");
  const seen = (sign: string) =>
    bars.and(page.locator(`[data-sign=${sign}]`)).evaluateAll((all) =>
      all.map((bar) => {
        const { backgroundColor, backgroundImage } = getComputedStyle(bar);
        return { backgroundColor, striped: backgroundImage.includes("gradient") };
      }),
    );
  const page0 = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [plus, minus] = [await seen("positive"), await seen("negative")];
  expect(plus.length).toBeGreaterThan(5);
  for (const one of plus) expect(one.backgroundColor).not.toBe(page0);
  expect(minus.length).toBeGreaterThan(0);
  for (const one of minus) expect(one.striped).toBe(true);
  // Where the focus is, is seen.
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
  expect(outline).not.toBe("none");
  expect(errors).toEqual([]);
  await close();
});
