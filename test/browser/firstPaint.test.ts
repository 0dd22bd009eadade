/** What is painted first, before any large script is asked for; that it answers; and that the page takes its place without moving it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstPaint } from "../bench/firstPaint.mjs";
import { readOpening } from "../../src/reading/opening.ts";
import { builtPage, by, launch, openPage, type ServedPage, servePage } from "./support.ts";

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

const START = /assets\/start-.*\.js/;

/** Main scripts that are held back, by page. */
const held = new WeakMap<Page, Route[]>();

/** A page whose main script does not come before it may. */
async function openFrame(rest = "", options: Parameters<typeof openPage>[2] = {}) {
  const opened = await openPage(browser, "about:blank", options);
  const routes: Route[] = [];
  held.set(opened.page, routes);
  await opened.page.route(START, (route) => void routes.push(route));
  await opened.page.goto(site.url + rest, { waitUntil: "commit" });
  await opened.page.locator("#frame .brand").waitFor();
  // Until the styles are there nothing is painted, and nothing is hidden.
  await opened.page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
  return opened;
}

/** Lets the main script come. */
async function come(page: Page): Promise<void> {
  await expect.poll(() => held.get(page)!.length).toBeGreaterThan(0);
  for (const route of held.get(page)!) await route.continue();
}

const boxesOf = (page: Page, within: string) =>
  page.evaluate(async (root) => {
    await document.fonts.ready;
    const parts = [
      ...[".brand", "nav a:nth-child(3)", ".prose h1", ".prose h1 + p"],
      ...[".opening-board:nth-of-type(2)", ".opening-cell:nth-child(9)", ".opening-say"],
      ...[".opening-run", ".opening-start", ".bar-buttons .primary"],
    ];
    return parts.map((part) => {
      const { x, y, width, height } = document
        .querySelector(`${root} ${part}`)!
        .getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    });
  }, within);

const lessonBoxes = (page: Page, within: string) =>
  page.evaluate(async (root) => {
    await document.fonts.ready;
    const parts = ["h2", ".prose :is(strong, em, button.term)", ".prose p:last-child"];
    return [...parts, ".lesson-cover svg", "figcaption", ".lesson-foot"].map((part) => {
      const found = document.querySelector(`${root} .lesson :is(${part})`)!;
      const { x, y, width, height } = found.getBoundingClientRect();
      return [part, ...[x, y, width, height].map(Math.round)];
    });
  }, within);

/** Of files of the page. */
async function textOf(names: string[]): Promise<string> {
  const folder = await builtPage("fake");
  return names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

describe("the first paint", () => {
  it("has the strip after 10 kB of script, answers after 99, and is the page after 330", async () => {
    const widths = [{ width: 1440, height: 900 }];
    const turns = readOpening(readFileSync("public/figures/opening.json", "utf8")).turns.length;
    const [seen] = await firstPaint(await builtPage("fake"), { runs: 1, widths });
    expect(seen!.paint).toBeGreaterThan(0);
    expect(seen!.painted).toEqual({ boards: turns + 1, credits: 3 * turns });
    expect(seen!.scriptBytes).toBeGreaterThan(1000);
    expect(seen!.scriptBytes).toBeLessThan(10_000);
    expect(seen!.live).toBeGreaterThan(0);
    expect(seen!.liveBytes).toBeLessThan(99_000);
    expect(seen!.shift).toBeLessThan(0.1);
    expect(Object.keys(seen!.liveScripts).join()).toContain("liveFrame-");
    expect(Object.keys(seen!.liveScripts).join()).not.toMatch(/start-|zod|CurvePlot/);
    expect(Object.keys(seen!.pageScripts).join()).toContain("start-");
    // The form, present mode and charts are below it or come on demand; estimators are not part of a figure.
    const later =
      /katex|tfjs|codemirror|LensView|CurvePlot|ExperimentCell|Present-|FigurePanelView|credit-/;
    expect(Object.keys(seen!.pageScripts).filter((name) => later.test(name))).toEqual([]);
    expect(seen!.pageBytes).toBeLessThan(330_000);
    // A step's modules share a file: what they are is seen in its text.
    expect(await textOf(Object.keys(seen!.liveScripts))).not.toMatch(/ZodError|recharts-/);
    const page = await textOf(Object.keys(seen!.pageScripts));
    expect(page).toContain("ZodError");
    expect(page).not.toMatch(/recharts-|cm-editor/);
    expect(Object.keys(seen!.pageScripts).length).toBeLessThan(20);
  });

  it("asks for its three fonts with the page, that of programs as a small subset", async () => {
    const html = readFileSync(join(await builtPage("fake"), "index.html"), "utf8");
    const fonts = [...html.matchAll(/rel="preload" as="font"[^>]*href="\.\/(assets\/[^"]*)"/g)];
    const names = fonts.map(([, name]) => name!.replace(/.*\/|-[^-]*$/g, ""));
    expect(names.toSorted()).toEqual([
      "inter-latin-wght-normal",
      "jetbrains-mono-ascii",
      "source-serif-4-latin-wght-normal",
    ]);
    const [mono] = fonts.filter(([, name]) => name!.includes("mono"));
    expect(readFileSync(join(await builtPage("fake"), mono![1]!)).length).toBeLessThan(10_000);
  });

  it.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])("is where the page will have it, %j", async (viewport) => {
    const frame = await openFrame("", { viewport });
    const before = await boxesOf(frame.page, "#frame");
    await frame.close();
    const whole = await openPage(browser, site.url, { viewport });
    await whole.page.locator("#root .prose h1").waitFor();
    await expect.poll(() => whole.page.locator("#frame").count()).toBe(0);
    expect(before).toEqual(await boxesOf(whole.page, "#root"));
    const bars = await whole.page
      .locator("#root .opening-cell i")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.min(...bars)).toBeGreaterThanOrEqual(3);
    expect(whole.errors).toEqual([]);
    await whole.close();
  });

  it.each([
    ["desk", "#v1/nano?seed=3", { width: 1440, height: 900 }],
    ["projector", "", { width: 1024, height: 768 }],
    ["phone", "", { width: 390, height: 844 }],
  ])("has its question and Play above the run bar, %s", async (_, hash, viewport) => {
    const { page, close } = await openPage(browser, site.url + hash, { viewport });
    await page.locator("#root .opening-ways").waitFor();
    if (hash !== "") await by(page, "another-run").waitFor();
    const below = () =>
      page.evaluate(() => {
        const at = (what: string) => document.querySelector(what)!.getBoundingClientRect();
        const play = at("#root .opening-ways button").bottom;
        return Math.max(play, at("#root .opening-say").bottom) - at(".run-bar").top;
      });
    await expect.poll(below).toBeLessThanOrEqual(0);
    await close();
  });

  it("takes guesses before the page is there, which the page then knows", async () => {
    const { page, errors, close } = await openFrame();
    await page.locator("#frame[data-live]").waitFor();
    await page.locator("#frame .opening-board").nth(1).press("Enter");
    await expect.poll(() => page.locator("#frame .opening-say").textContent()).toMatch(/turn 2/i);
    const said = await page.locator("#frame .opening-say").textContent();
    await come(page);
    await expect.poll(() => page.locator("#frame").count()).toBe(0);
    await expect.poll(() => by(page, "opening-verdict").textContent()).toBe(said);
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    await expect.poll(focused).toMatch(/^Turn 2/);
    expect(errors).toEqual([]);
    await close();
  });

  it.each(["click", "key"])(
    "Run by %s is kept until the page is there, which then runs",
    async (how) => {
      const { page, close } = await openFrame("#v1/nano?iterations=200");
      await page.locator("#frame[data-live]").waitFor();
      const run = page.locator("#frame [data-as=run]");
      if (how === "key") await run.press("Enter");
      else await run.click();
      await page.locator("#frame [data-as=run][aria-busy=true]").waitFor();
      await come(page);
      await page.locator("[data-run-state=running]").waitFor();
      await close();
    },
  );

  it("leads to another view when the page is there", async () => {
    const { page, close } = await openFrame();
    await page.locator("#frame[data-live]").waitFor();
    await page.locator("#frame [data-as=to-machine]").click();
    await come(page);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe("#machine");
    await close();
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

  it.each([
    ["desk, light", "critic", { viewport: { width: 1440, height: 900 } }],
    [
      "phone, dark",
      "clip",
      { viewport: { width: 390, height: 844 }, colorScheme: "dark" as const },
    ],
  ])(
    "has a lesson's first step and figure where the page will have them, %s",
    async (...[, name, options]) => {
      const { page, errors, close } = await openFrame(`#lesson/${name}`, options);
      await page.locator("#frame .lesson-cover svg").waitFor();
      // Of the page nothing has been asked for, and nothing of the frame is the page's by name.
      expect(await page.locator("#frame [data-testid]").count()).toBe(0);
      const before = await lessonBoxes(page, "#frame");
      await come(page);
      await expect.poll(() => page.locator("#frame").count()).toBe(0);
      await expect.poll(() => by(page, "lesson").isVisible()).toBe(true);
      expect(await lessonBoxes(page, "#root")).toEqual(before);
      expect(errors).toEqual([]);
      await close();
    },
  );

  it("has no lesson's words where the reader was at a later step, and where an experiment is asked for", async () => {
    const later = () => sessionStorage.setItem("turnbook-lesson:What a critic knows", "2");
    for (const [hash, before] of [
      ["#lesson/critic", later],
      ["#lesson/critic/run?seed=2", () => {}],
    ] as const) {
      const { page, close } = await openPage(browser, "about:blank");
      await page.addInitScript(before);
      await page.goto(`${site.url}${hash}`);
      await by(page, "lesson").waitFor();
      const frame = () => page.evaluate(() => document.documentElement.dataset["frame"]);
      await expect.poll(() => frame()).toBe("bare");
      await expect
        .poll(() => by(page, "lesson").getAttribute("data-step"))
        .toBe(hash.includes("?") ? "1" : "3");
      await close();
    }
  });

  it("gives way to a sentence where the page does not come", async () => {
    const { page, close } = await openPage(browser, "about:blank");
    await page.route(START, (route) => route.abort());
    await page.goto(site.url);
    await page.locator("#needs").getByText("did not load").waitFor();
    await expect.poll(() => page.locator("#frame").count()).toBe(0);
    await close();
  });
});
