/** One cursor: on every page with a run the slider, keys and curves move it, wherever the focus is but in a text. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { by, launch, openPage, servePage, shownRecording, type ServedPage } from "./support.ts";

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

/** The iterations at which the charts draw the cursor. */
const marks = (page: Page) =>
  page
    .getByTestId("cursor-mark")
    .evaluateAll((all) => all.map((one) => (one as unknown as SVGElement).dataset["x"]));

/** To a lesson's step, answered or not. */
async function goToStep(page: Page, title: string): Promise<void> {
  const heading = page.locator("main h1, main h2").filter({ hasText: title });
  while (!(await heading.isVisible())) await by(page, "lesson-next").click();
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

  it("is moved in a lesson's step by its curves, and by keys whatever has the focus", async () => {
    const { page, errors, close } = await open("#lesson/clinic");
    await goToStep(page, "Patient A");
    const charts = page.locator(".curve-chart");
    await expect.poll(() => charts.count()).toBe(3);
    await pressCurve(page, "chart-heldout");
    await expect.poll(() => marks(page)).toEqual(["1", "1", "1"]);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("]");
    await expect.poll(() => marks(page)).toEqual(["11", "11", "11"]);
    await page.getByRole("banner").getByRole("link").first().focus();
    await page.keyboard.press("]");
    await expect.poll(() => marks(page)).toEqual(["20", "20", "20"]);
    await page.locator("main [type=radio]").first().focus();
    await page.keyboard.press("[");
    await expect.poll(() => marks(page)).toEqual(["11", "11", "11"]);
    // In a text they are letters.
    const text = page.locator("main input[type=text], main input:not([type])").first();
    await text.focus();
    await page.keyboard.press("[");
    await expect.poll(() => text.inputValue()).toBe("[");
    expect(await marks(page)).toEqual(["11", "11", "11"]);
    expect(errors).toEqual([]);
    await close();
  });

  it("is moved in a lesson's figure with a place of its own, by arrows there and letters anywhere", async () => {
    const { page, errors, close } = await open("#lesson/turns");
    await goToStep(page, "How much arrives?");
    const ribbon = by(page, "ribbon-panel");
    const here = ribbon.locator("[aria-current=step]");
    await expect.poll(() => here.textContent()).toBe("Turn 1");
    await page.keyboard.press("j");
    await expect.poll(() => here.textContent()).toBe("Turn 2");
    await here.focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => here.textContent()).toBe("Turn 3");
    expect(errors).toEqual([]);
    await close();
  });

  it("is moved in a notebook below its first figures, by slider, curve and keys", async () => {
    const { page, errors, close } = await open("#v1/nano?at=turn-ppo,50,9,1");
    await shownRecording(page).waitFor();
    await pressCurve(page, "chart-heldout");
    await expect.poll(() => iteration(page)).toBeLessThan(50);
    const pressed = await iteration(page);
    await expect.poll(() => marks(page)).toContain(String(pressed));
    expect(new Set(await marks(page)).size).toBe(1);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("]");
    await expect.poll(() => iteration(page)).toBeGreaterThan(pressed);
    await slider(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => iteration(page)).toBe(pressed);
    await expect.poll(() => marks(page)).toContain(String(pressed));
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
