/** A live run under a long recorded one, in a real Chromium: how long redraws take, and what is redrawn. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeLink } from "../../src/spec/link.ts";
import { curveRecording, curveSpec } from "../fixtures/curveRun.ts";
import { timed, traceDuring } from "./mainThread.ts";
import { showing } from "../fixtures/lensAddress.ts";
import { by, launch, openPage, type ServedPage, servePage, shownRecording } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake", recording: curveRecording({ iterations: 500 }) });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

/** Counts what is redrawn from now on of the charts that are on screen now, or of those that are not. */
async function watchCharts(page: Page, onScreen: boolean) {
  const counted = await page.evaluateHandle((wanted) => {
    const isOnScreen = (chart: Element) => {
      const { top, bottom } = chart.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    };
    const charts = [...document.querySelectorAll(".curve-chart svg")];
    const watched = charts.filter((chart) => isOnScreen(chart) === wanted);
    const count = { charts: watched.length, changes: 0 };
    const observer = new MutationObserver((changes) => (count.changes += changes.length));
    for (const chart of watched)
      observer.observe(chart, { attributes: true, childList: true, subtree: true });
    return count;
  }, onScreen);
  return {
    charts: await counted.evaluate(({ charts }) => charts),
    changes: () => counted.evaluate(({ changes }) => changes),
  };
}

/** How many points the lines have, smoothed or not, that have a band; all charts together. */
function bandedPoints(page: Page): Promise<number[]> {
  const lines = page.locator("g[data-curve]:has(> [data-testid=band])").getByTestId(/^(line|raw)$/);
  return lines.evaluateAll((all) =>
    all.map((line) => line.getAttribute("d")!.match(/[ML]/g)?.length ?? 0),
  );
}

describe("a live run", () => {
  /** Under the recorded run of 500 iterations, of which it is another seed; watched for that many seconds. */
  async function watched(panels: readonly string[], seconds: number) {
    const run = { seed: 25, iterations: 500 }; // The seed means a run that reports all that a real one does.
    const rest =
      `&${encodeLink(curveSpec(run)).split("?")[1]}${layoutOf(panels)}` +
      "&curves:smoothing=0.6&curves:metrics=reward,success,heldout,train:actor/entropy," +
      "train:actor/pg_clipfrac,train:critic/vf_explained_var";
    const opened = await openPage(browser, `${site.url}#v1/nano?view=lens${rest}`, {
      viewport: { width: 1400, height: 6000 },
      deviceScaleFactor: 0.5, // many pixels, and no graphics card
    });
    const { page } = opened;
    await shownRecording(page).waitFor();
    for (const panel of ["turns", ...panels]) await by(page, `${panel}-panel`).waitFor();
    await expect.poll(() => page.locator("[data-panel=curves] .curve-chart").count()).toBe(6);
    await expect
      .poll(() => page.locator(".lens-section[open] > section").count())
      .toBeGreaterThan(panels.length + 2);
    await by(page, "pace").selectOption("1000");
    await page.waitForTimeout(1000);
    const live = await traceDuring(browser, page, async () => {
      await by(page, "run").click();
      await page.waitForTimeout(seconds * 1000);
    });
    await page.locator("[data-testid=origin][data-origin=live]").first().waitFor();
    // A busy machine draws less often, never more.
    expect(live.stamps["store commit"]).toBeGreaterThan(0);
    expect(live.stamps["store commit"]).toBeLessThanOrEqual(4 * (seconds + 1));
    expect(live.tasks.length).toBeGreaterThan(100);
    return { ...opened, longest: live.tasks[0]!.processor };
  }

  /** Charts have the most room: all of them are in sight. */
  const layoutOf = (panels: readonly string[]) =>
    showing("run", "curves", "turns", ...panels).replace(/\d+-curves/, "60-curves");

  /** As watched, and the page was never busy for long. */
  async function free(panels: readonly string[], seconds: number) {
    let seen: Awaited<ReturnType<typeof watched>> | undefined;
    await timed("longest task of a live lens", { limit: 50, unit: "ms" }, async () => {
      await seen?.close();
      seen = await watched(panels, seconds);
      return seen.longest;
    });
    return seen!;
  }

  it("with six panels open over a recorded run of 500 iterations leaves the page free", async () => {
    const { page, errors, close } = await free(["ribbon", "credits", "tokens", "clip"], 8);
    // Two seeds of one experiment: bands, and lines that are thinned out for them.
    const points = await bandedPoints(page);
    expect(points.length).toBeGreaterThan(0);
    expect(Math.max(...points)).toBeLessThanOrEqual(120);
    expect(Math.max(...points)).toBeGreaterThan(20);
    // Charts are redrawn while they are on screen, and only then.
    await expect.poll((await watchCharts(page, true)).changes).toBeGreaterThan(6);
    await page.setViewportSize({ width: 1400, height: 800 });
    await by(page, "clip-panel").scrollIntoViewIfNeeded();
    await page.waitForTimeout(1000);
    const away = await traceDuring(browser, page, async () => {
      const { charts, changes } = await watchCharts(page, false);
      expect(charts).toBeGreaterThan(3);
      await page.waitForTimeout(1500);
      expect(await changes()).toBe(0);
    });
    expect(away.stamps["store commit"]).toBeGreaterThan(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("leaves it free with the other panels, too", async () => {
    const others = ["formula", "critic", "group", "clip", "doctor", "speed"];
    const { errors, close } = await free(others, 3);
    expect(errors).toEqual([]);
    await close();
  });
});
