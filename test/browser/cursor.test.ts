/** One cursor: on every page with a run the slider, keys and curves move it, wherever the focus is but in a text. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { by, launch, openPage, servePage, type ServedPage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function open(hash: string) {
  const viewport = { width: 1440, height: 900 };
  const opened = await openPage(browser, site.url + hash, { viewport, own: true });
  return opened;
}

/** The cursor as the address has it: method, iteration, episode and turn. */
const at = (page: Page) =>
  page.evaluate(() => /[?&]at=([^&]*)/.exec(location.hash)?.[1]?.split(",") ?? []);
const iteration = async (page: Page) => Number((await at(page))[1]);

/** A press in the first quarter of a chart. */
async function pressCurve(page: Page, chart: string): Promise<void> {
  const area = by(page, chart).getByTestId("plot-area");
  await area.scrollIntoViewIfNeeded();
  const { width, height } = (await area.boundingBox())!;
  await area.click({ position: { x: width / 4, y: height / 2 } });
}

const slider = (page: Page) => page.getByRole("slider", { name: "Iteration", exact: true });

describe("the cursor", () => {
  it("is moved by the curves of the opening page, and by keys from anywhere on it", async () => {
    const { page, errors, close } = await open("");
    await pressCurve(page, "openingchart-heldout");
    await expect.poll(() => iteration(page)).toBeGreaterThan(0);
    const before = await iteration(page);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("[");
    await expect.poll(() => iteration(page)).toBeLessThan(before);
    const [method] = await at(page);
    await page.getByRole("banner").getByRole("link").first().focus();
    await page.keyboard.press("a");
    await expect.poll(async () => (await at(page))[0]).not.toBe(method);
    expect(errors).toEqual([]);
    await close();
  });

  it("is moved in the lens by slider, curve and keys, whatever has the focus", async () => {
    const { page, errors, close } = await open("#v1/nano?view=lens&at=turn-ppo,50,9,1");
    await by(page, "story-verdicts").waitFor();
    await slider(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => iteration(page)).toBeLessThan(50);
    const slid = await iteration(page);
    // The slider has its arrows and no letters.
    await page.keyboard.press("]");
    await expect.poll(() => iteration(page)).toBeGreaterThan(slid);
    await page.keyboard.press("a");
    await expect.poll(async () => (await at(page))[0]).not.toBe("turn-ppo");
    await pressCurve(page, "chart-heldout");
    await expect.poll(() => iteration(page)).toBeLessThan(50);
    const pressed = await iteration(page);
    await by(page, "chart-heldout").locator("[data-scope=curves]").focus();
    await page.keyboard.press("[");
    await expect.poll(() => iteration(page)).toBeLessThan(pressed);
    expect(errors).toEqual([]);
    await close();
  });

  it("is moved through the shop's trip by keys, with the focus in the header too", async () => {
    const { page, errors, close } = await open("#shop");
    const trip = by(page, "trip");
    await trip.waitFor();
    const before = await trip.innerHTML();
    await page.getByRole("banner").getByRole("link").first().focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => trip.innerHTML()).not.toBe(before);
    expect(errors).toEqual([]);
    await close();
  });
});
