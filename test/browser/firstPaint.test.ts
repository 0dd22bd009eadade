/** What is painted first, before any large script is asked for; and that the page takes its place without moving it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstPaint } from "../bench/firstPaint.mjs";
import { builtPage, launch, openPage, type ServedPage, servePage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake" });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

/** A page whose main script never comes. */
async function openFrame(rest = "", options: Parameters<typeof openPage>[2] = {}) {
  const opened = await openPage(browser, "about:blank", options);
  await opened.page.route(/assets\/start-.*\.js/, () => undefined);
  await opened.page.goto(site.url + rest, { waitUntil: "commit" });
  await opened.page.locator("#frame .brand").waitFor();
  // Until the styles are there nothing is painted, and nothing is hidden.
  await opened.page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
  return opened;
}

const boxesOf = (page: Page, within: string) =>
  page.evaluate(async (root) => {
    await document.fonts.ready;
    const parts = [".brand", "nav a:nth-child(3)", ".prose h1", ".prose h1 + p"];
    return parts.map((part) => {
      const { x, y, width, height } = document
        .querySelector(`${root} ${part}`)!
        .getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    });
  }, within);

describe("the first paint", () => {
  it("asks for little script; formulas, engines and other views do not come with the page", async () => {
    const widths = [{ width: 1440, height: 900 }];
    const [seen] = await firstPaint(await builtPage("fake"), { runs: 1, widths });
    expect(seen!.paint).toBeGreaterThan(0);
    expect(seen!.scriptBytes).toBeGreaterThan(1000);
    expect(seen!.scriptBytes).toBeLessThan(150_000);
    expect(Object.keys(seen!.pageScripts).join()).toContain("start-");
    expect(Object.keys(seen!.pageScripts).join()).not.toMatch(/katex|tfjs|LensView/);
  });

  it.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])("stands where the page will have it, %j", async (viewport) => {
    const frame = await openFrame("", { viewport });
    const before = await boxesOf(frame.page, "#frame");
    await frame.close();
    const whole = await openPage(browser, site.url, { viewport });
    await whole.page.locator("#root .prose h1").waitFor();
    await expect.poll(() => whole.page.locator("#frame").count()).toBe(0);
    expect(before).toEqual(await boxesOf(whole.page, "#root"));
    expect(whole.errors).toEqual([]);
    await whole.close();
  });

  it("has the reader's theme, and of other views no words", async () => {
    const dark = await openFrame("", { colorScheme: "dark" });
    await expect.poll(() => dark.page.locator("html").getAttribute("data-theme")).toBe("dark");
    await dark.close();
    for (const hash of ["#machine", "#shop", "#algorithms-grpo", "#v1/nano?view=lens"]) {
      const { page, close } = await openFrame(hash);
      await expect.poll(() => page.locator("#frame h1").isVisible()).toBe(false);
      await close();
    }
    const link = await openFrame("#v1/nano?seed=3");
    await expect.poll(() => link.page.locator("#frame h1").isVisible()).toBe(true);
    await link.close();
  });

  it("gives way to a sentence where the page does not come", async () => {
    const { page, close } = await openPage(browser, "about:blank");
    await page.route(/assets\/start-.*\.js/, (route) => route.abort());
    await page.goto(site.url);
    await page.locator("#needs").getByText("did not load").waitFor();
    await expect.poll(() => page.locator("#frame").count()).toBe(0);
    await close();
  });
});
