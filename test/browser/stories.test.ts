/**
 * Every panel of the lens over every kind of run, in real Chromium: in order for axe, in plain words, told without
 * pictures, by keyboard, no wider than the window. TURNBOOK_PICTURES=1 takes a picture of each, in test/screenshots/stories.
 */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lensPanels } from "../../src/panels/panelTable.ts";
import { stories, type StoryName } from "../stories/recordings.ts";
import { axeFaults } from "./axe.ts";
import { LOOKS, type Look } from "./lensPanel.ts";
import {
  badText,
  missedByTab,
  namelessStops,
  overflow,
  unreachable,
  untoldPictures,
} from "./storyChecks.ts";
import {
  atRest,
  launch,
  openPage,
  servePage,
  STORIES,
  takePicture,
  TAKES_PICTURES,
  type ServedPage,
  unstick,
} from "./support.ts";
import { EVERY, some } from "../every.ts";

/** Sentences that a panel owes who sees such a run. */
const SAYS: Partial<Record<StoryName, Record<string, RegExp>>> = {
  "no-run": {
    clip: /No updates yet/,
    critic: /No values yet/,
    curves: /No data yet/,
    doctor: /No run yet/,
    episodes: /No episodes yet/,
    formula: /No episodes yet/,
    ribbon: /No episodes yet/,
    speed: /No iterations yet/,
    tokens: /No episodes yet/,
  },
  empty: {
    clip: /no finished iteration of this method/,
    doctor: /no finished iteration to check/,
    episodes: /no finished iteration of this method/,
    speed: /No iterations yet/,
  },
  "one-point": {
    clip: /Nothing was cut/,
    credits: /one episode alone cannot be normalised/,
    critic: /A single turn has no variance.*needs at least ten turns/,
    doctor: /The run is short/,
  },
  huge: {
    clip: /64 of 96 are shown, those around the cursor/,
    critic: /400 of 3200 turns are shown/,
    episodes: /Rows 1 to 50 of 64/,
  },
  "not-finite": {
    clip: /2 steps of the log could not be read/,
    critic: /without a finite value are not shown/,
    doctor: /Numbers not finite in GRPO/,
  },
  "missing-fields": {
    clip: /has no data on optimiser steps/,
    critic: /no values/i,
    doctor: /\d+ of \d+ checks could be made/,
    episodes: /Not known for any of these episodes: largest TD\serror/,
    speed: /This log has no clock readings/,
  },
};

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

/** All panels at once are a very high window: in headless runs, in a quarter of the pixels. */
const COARSE = TAKES_PICTURES ? {} : { deviceScaleFactor: 0.5 };

async function open(story: StoryName) {
  const address = `${site.url}${STORIES}?story=${story}`;
  const opened = await openPage(browser, address, { ...LOOKS.light, ...COARSE });
  const { page } = opened;
  await page.getByTestId("story").waitFor();
  // Each panel is a file of its own.
  for (const { id } of lensPanels)
    await page.locator(`[data-panel=${id}] .panel`).first().waitFor();
  // The cursor bar would stick over the pictures.
  await unstick(page);
  return opened;
}

/** A window that is high already stays so: a page is laid out once for each look. */
async function lookIn(page: Page, look: Look): Promise<void> {
  const { viewport, colorScheme } = LOOKS[look];
  const height = Math.max(viewport.height, page.viewportSize()!.height);
  await page.setViewportSize({ ...viewport, ...(!TAKES_PICTURES && { height }) });
  await page.emulateMedia({ colorScheme });
}

/** Draws all panels, and takes pictures: of each panel by day and of what is seen most; otherwise one if it can be. */
async function drawAll(page: Page, story: StoryName, look: Look): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const isApart = TAKES_PICTURES && (story === "typical" || look === "light");
  if (isApart || height > HIGHEST) await drawPanels(page, story, look);
  else await drawAtOnce(page, height, `${story}-${look}.png`);
}

/** Makes the window as high as the page, so that all of it is drawn. */
async function drawAtOnce(page: Page, height: number, name: string): Promise<void> {
  await page.setViewportSize({ ...page.viewportSize()!, height });
  await page.getByTestId("story").evaluate(atRest);
  await takePicture(page, join("stories", name));
}

/** Scrolls every panel into view, so that it is drawn, and takes its picture when it has come to rest. */
async function drawPanels(page: Page, story: StoryName, look: Look): Promise<void> {
  for (const { id } of lensPanels) {
    const panel = page.locator(`details[data-panel=${id}]`);
    await panel.scrollIntoViewIfNeeded();
    await panel.evaluate(atRest);
    await takePicture(panel, join("stories", `${story}-${id}-${look}.png`));
  }
}

/** Pixels of the highest picture that a browser takes. */
const HIGHEST = 16_000;

/** Colours do not depend on the width; and judging those of many thousand elements takes a minute. */
const hasColoursOfItsOwn = (story: StoryName, look: Look) =>
  (look === "light" && story !== "huge") || (look === "dark" && story === "typical");

/** Once a width; by night where colours are judged then, or pictures taken: all else is as by day. */
function looksOf(story: StoryName): Look[] {
  const all = Object.keys(LOOKS) as Look[];
  if (!EVERY) return ["light", "phone"];
  return all.filter((look) => look !== "dark" || hasColoursOfItsOwn(story, look) || TAKES_PICTURES);
}

async function expectInOrder(page: Page, story: StoryName, look: Look): Promise<void> {
  const colours = hasColoursOfItsOwn(story, look);
  // All else that axe judges is the same as by day, but on a phone.
  if (colours || look === "light" || look === "phone")
    expect
      .soft(await axeFaults(page, { within: "[data-testid=story]", colours }), look)
      .toEqual([]);
  expect.soft(await badText(page), look).toEqual([]);
  expect.soft(await untoldPictures(page), look).toEqual([]);
  expect.soft(await namelessStops(page), look).toEqual([]);
  expect.soft(await unreachable(page), look).toEqual([]);
  expect.soft(await overflow(page), look).toBeLessThanOrEqual(0);
}

/** A whole run, none, and one with numbers that no chart can draw. */
const FEW = ["typical", "no-run", "not-finite"];

it.each(some(Object.keys(stories) as StoryName[], (story) => FEW.includes(story)))(
  "the story “%s” is in order in every look",
  async (story) => {
    const { page, errors, close } = await open(story);
    for (const look of looksOf(story)) {
      await lookIn(page, look);
      await drawAll(page, story, look);
      await expectInOrder(page, story, look);
    }
    expect.soft(errors).toEqual([]);
    for (const [id, sentence] of Object.entries(SAYS[story] ?? {}))
      await expect.poll(() => page.locator(`[data-panel=${id}]`).textContent()).toMatch(sentence);
    await close();
  },
);

it("the page's parts are in order in every look", async () => {
  const { page, errors, close } = await openPage(
    browser,
    `${site.url}${STORIES}?parts`,
    LOOKS.light,
  );
  await page.getByTestId("story").waitFor();
  for (const name of ["Share", "Delete"]) await page.getByRole("button", { name }).click();
  // One that offers something stays.
  await page.getByTestId("toast").getByRole("button", { name: "Undo" }).waitFor();
  for (const look of Object.keys(LOOKS) as Look[]) {
    await lookIn(page, look);
    await takePicture(page, join("stories", `parts-${look}.png`));
    expect.soft(await axeFaults(page), look).toEqual([]);
    expect.soft(await overflow(page), look).toBeLessThanOrEqual(0);
  }
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByTestId("parts-menu").click();
  await page.getByTestId("parts-duplicate").press("Escape");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByTestId("parts-question").getByRole("button", { name: "Keep the run" }).click();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe("Ask");
  await page.getByRole("button", { name: "Sheet" }).click();
  await page.getByTestId("parts-sheet").getByRole("button", { name: "Close" }).waitFor();
  expect(await axeFaults(page, { within: "[data-testid=parts-sheet]" })).toEqual([]);
  await page.keyboard.press("Escape");
  await expect.poll(focused).toBe("Sheet");
  await page.getByTestId("parts-panels").click();
  await page.getByTestId("parts-close").waitFor();
  await takePicture(page, join("stories", "parts-menu.png"));
  await page.keyboard.press("Escape");
  await expect.poll(focused).toBe("Panels");
  expect(errors).toEqual([]);
  await close();
});

if (EVERY)
  it("has everything of the typical story within reach of Tab", async () => {
    const { page, close } = await open("typical");
    expect(await missedByTab(page)).toEqual([]);
    await close();
  });
