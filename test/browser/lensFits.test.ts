/** The lens in a real Chromium, over the run that the page ships: what is in sight of it in each window. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
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

async function open(options: BrowserContextOptions, rest = "") {
  const opened = await openPage(
    browser,
    `${site.url}#v1/nano-fair?view=lens&at=grpo,100,14,1${rest}`,
    options,
  );
  await shownRecording(opened.page).waitFor();
  return opened;
}

/** By how many pixels what is there reaches out of its pane, at most; nothing that is there: null. */
const outOf = (page: Page, pane: string, parts: string) =>
  page.locator(`[data-pane=${pane}]`).evaluate((element, selector) => {
    const { right, bottom } = element.getBoundingClientRect();
    const boxes = [...element.querySelectorAll(selector)]
      .map((part) => part.getBoundingClientRect())
      .filter(({ height }) => height > 0);
    if (boxes.length === 0) return null;
    return Math.max(...boxes.flatMap((box) => [box.right - right, box.bottom - bottom]));
  }, parts);

const WINDOWS = {
  desk: { viewport: { width: 1440, height: 900 } },
  // Of 1920 by 1080, its type larger by a third.
  projector: { viewport: { width: 1440, height: 810 }, deviceScaleFactor: 4 / 3 },
  laptop: { viewport: { width: 1280, height: 720 } },
  small: { viewport: { width: 1024, height: 768 } },
} as const;

/** By how many pixels a pane scrolls. */
const scrolls = (page: Page, pane: string) =>
  page
    .locator(`[data-pane=${pane}]`)
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);

/** What the layout "Why" gives each area at least, in pixels: a sixth under what was drawn for two windows. */
const AREAS = {
  desk: {
    story: [340, 706],
    curves: [408, 204],
    group: [668, 204],
    ribbon: [1082, 272],
    credits: [1082, 156],
    formula: [1082, 56],
  },
  laptop: {
    story: [308, 526],
    curves: [328, 156],
    group: [620, 156],
    ribbon: [954, 164],
    credits: [954, 140],
    formula: [954, 48],
  },
} as const;

/** What is in sight of each without scrolling. */
const IN_SIGHT = {
  curves: ".curve-lead :is(h4, .chart-drawing)",
  group:
    "[data-testid=group-numbers-title], [data-testid=group-numbers], tr:first-child > :nth-child(-n + 4)",
  ribbon: ".ribbon tr > *",
  credits: ".bar-table tr > *",
  formula: ".formula-results *",
};

describe.each(["desk", "laptop", "projector"] as const)("the layout Why on a %s", (name) => {
  it("shows its pictures in the areas drawn for them, unscrolled, and options on demand", async () => {
    const { page, errors, close } = await open(WINDOWS[name]);
    await by(page, "credits-table").locator("tr[data-row=truth]").waitFor();
    await page.locator(".curve-lead .chart-drawing svg").first().waitFor();
    await by(page, "story-missing").waitFor();
    const areas = name === "projector" ? [] : Object.entries(AREAS[name]);
    for (const [pane, [width, height]] of areas) {
      const group = page.locator(`.pane-group:has([data-pane=${pane}])`);
      const box = (await group.boundingBox())!;
      expect(box.width, `width of ${pane}`).toBeGreaterThanOrEqual((5 / 6) * width);
      expect(box.height, `height of ${pane}`).toBeGreaterThanOrEqual((5 / 6) * height);
    }
    for (const [pane, parts] of Object.entries(IN_SIGHT))
      await expect.poll(() => outOf(page, pane, parts), { message: pane }).toBeLessThanOrEqual(1);
    await expect.poll(() => scrolls(page, "story")).toBe(0);
    const methods = page.locator("[data-pane=curves] .curve-bar");
    await expect.poll(() => methods.isVisible()).toBe(false);
    await by(page, "options-curves").click();
    await methods.waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});

const BOARDS = { desk: 64, projector: 56, laptop: 56, small: 56 };

/** What a low pane never folds: with room for it the chart, else numbers. */
const KEPT = {
  desk: ["seen", "written", "chart"],
  projector: ["seen", "written", "reward", "value"],
  laptop: ["seen", "written", "reward", "value"],
  small: ["seen", "written", "reward", "value"],
};

describe.each(Object.keys(WINDOWS) as (keyof typeof WINDOWS)[])("in the window %s", (name) => {
  it("has the ribbon in its pane without scrolling, and the first columns of the episodes whole", async () => {
    const { page, errors, close } = await open(WINDOWS[name]);
    const table = by(page, "ribbon-table");
    await by(page, "credits-table").locator("tr[data-row=truth]").waitFor();
    await expect.poll(() => outOf(page, "ribbon", ".ribbon tr > *")).toBeLessThanOrEqual(1);
    // Every row of the credits, too.
    await expect.poll(() => outOf(page, "credits", ".bar-table tr > *")).toBeLessThanOrEqual(1);
    for (const row of KEPT[name])
      await expect
        .poll(() => table.locator(`tr[data-row=${row}]`).isVisible(), { message: row })
        .toBe(true);
    const board = (await page.locator("[data-row=seen] .moved-board").first().boundingBox())!;
    expect(Math.max(board.width, board.height)).toBeGreaterThanOrEqual(BOARDS[name] - 2);
    // Folded rows come by the options of its head.
    expect(await by(page, "ribbon-rest").isVisible()).toBe(false);
    await by(page, "options-ribbon").click();
    await by(page, "ribbon-rest").click();
    for (const row of ["chart", "reward", "advantage", "truth", "delta", "ratio"])
      await table.locator(`tr[data-row=${row}]`).waitFor();
    await page.locator("[data-tab=episodes]").click();
    const turns = page.locator(".grid-filled th:has([data-sort=turns])");
    const box = (await page.locator(".grid-filled").boundingBox())!;
    const { x, width } = (await turns.boundingBox())!;
    expect(x + width - (box.x + box.width)).toBeLessThanOrEqual(3);
    // No name of a tab is cut.
    const cut = await page
      .locator(".pane-tabs")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    expect(cut).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });
});

it("has the ribbon's jumps in sight of the layout for logs of one's own", async () => {
  const { page, errors, close } = await open(WINDOWS.desk, "&layout=logs");
  await by(page, "ribbon-table").waitFor();
  await expect
    .poll(() => outOf(page, "ribbon", ".ribbon tr > *, .figure-go button"))
    .toBeLessThanOrEqual(1);
  await expect
    .poll(() => page.locator("[data-pane=ribbon] .figure-go button:visible").count())
    .toBe(6);
  expect(errors).toEqual([]);
  await close();
});

it("draws boards of 64 px with their moves, and bars that are seen from a zero line", async () => {
  const { page, errors, close } = await open(WINDOWS.desk);
  const board = page.locator("[data-row=seen] .moved-board").first();
  const box = (await board.boundingBox())!;
  expect(Math.max(box.width, box.height)).toBeCloseTo(64, -0.5);
  const arrows = (await board.locator(".move-arrows").boundingBox())!;
  expect(arrows.width).toBeCloseTo(box.width, 0);
  await by(page, "credits-table").locator("tr[data-row=truth]").waitFor();
  const bars = await by(page, "credits-table")
    .locator("td[data-sign]")
    .evaluateAll((cells) =>
      cells
        .filter((cell) => cell.checkVisibility())
        .map((cell) => {
          const [zero, bar] = [
            getComputedStyle(cell, "::before"),
            getComputedStyle(cell, "::after"),
          ];
          return { width: parseFloat(bar.width), zero: parseFloat(zero.width), line: zero.height };
        }),
    );
  expect(bars.length).toBeGreaterThan(8);
  for (const { width, zero, line } of bars) {
    expect(width).toBeGreaterThanOrEqual(3);
    expect(zero).toBe(1);
    expect(parseFloat(line)).toBeGreaterThanOrEqual(16);
  }
  expect(errors).toEqual([]);
  await close();
});

describe.each([
  ["a phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ["a window at 200 %", { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }],
] as const)("in %s", (_, options) => {
  it("shows one panel under one bar, and the others by keyboard", async () => {
    const { page, errors, close } = await open(options);
    const panes = page.locator(".pane:visible");
    await by(page, "ribbon-table").waitFor();
    await expect.poll(() => panes.count()).toBe(1);
    expect((await panes.first().boundingBox())!.y).toBeLessThanOrEqual(150);
    // What stays, above and below, each takes under 15 % of the height.
    const height = options.viewport.height;
    for (const bar of [".narrow-bar", ".run-bar"])
      expect((await page.locator(bar).boundingBox())!.height).toBeLessThan(0.15 * height);
    // One press to another of the layout, each of which is whole in sight.
    const strip = page.locator(".narrow-tabs");
    expect(await strip.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.getByRole("tab", { name: "Formula" }).click();
    await by(page, "formula-panel").waitFor();
    await expect.poll(() => panes.count()).toBe(1);
    await by(page, "go-panel").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
    await page.keyboard.type("cr");
    await page.getByRole("menuitem", { name: "Credits" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await by(page, "credits-panel").waitFor();
    await expect.poll(() => page.locator(".pane:visible").count()).toBe(1);
    await expect.poll(() => by(page, "go-panel").getAttribute("data-shown")).toBe("credits");
    // Turns are beside each other: no part of the table is out of sight to the right.
    await by(page, "credits-table").locator("tr[data-row=truth]").waitFor();
    await expect
      .poll(() =>
        by(page, "credits-table").evaluate((table) => table.getBoundingClientRect().right),
      )
      .toBeLessThanOrEqual(options.viewport.width);
    expect(errors).toEqual([]);
    await close();
  });
});

it("finds a panel in the menu by its first letter, which elsewhere is the key of a page", async () => {
  const { page, errors, close } = await open(WINDOWS.desk);
  await by(page, "ribbon-table").waitFor();
  await by(page, "go-panel").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
  await page.keyboard.press("h");
  await page.getByRole("menuitem", { name: "Health" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await by(page, "doctor-panel").waitFor();
  expect(page.url()).toContain("view=lens");
  expect(errors).toEqual([]);
  await close();
});

it("scrolls the steps of a formula in their pane, and leaves in sight what leads through them", async () => {
  const { page, errors, close } = await open(WINDOWS.projector, "&layout=c(50-ribbon~50-formula)");
  const pane = page.locator("[data-pane=formula]");
  await pane.locator(".formula-step").first().waitFor();
  await pane.evaluate((element) => (element.scrollTop = element.scrollHeight));
  const bar = pane.locator(".step-line");
  const top = async () => (await bar.boundingBox())!.y - (await pane.boundingBox())!.y;
  await expect.poll(async () => Math.abs(await top())).toBeLessThan(2);
  await expect.poll(() => pane.evaluate((element) => element.scrollTop)).toBeGreaterThan(300);
  // Nothing of a formula is out of reach to the right.
  const cut = await pane
    .locator(".formula-box")
    .evaluateAll((all) =>
      all.filter(
        (one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== "auto",
      ),
    );
  expect(cut).toEqual([]);
  // A step that is gone to is in sight of the pane, wherever it was scrolled to.
  await by(page, "formula-step-clip").click();
  const step = pane.locator(".formula-step[data-step=clip]");
  await expect
    .poll(async () => (await step.boundingBox())!.y - (await pane.boundingBox())!.y)
    .toBeGreaterThanOrEqual(0);
  expect(errors).toEqual([]);
  await close();
});
