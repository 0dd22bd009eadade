/** The referee's page in a real Chromium: its looks by day, at night and on a phone. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axeFaults } from "./axe.ts";
import {
  by,
  launch,
  openPage,
  servePage,
  takePicture,
  WINDOWS,
  type ServedPage,
} from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake", recording: null });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

it.each(WINDOWS)("$name, $theme: no problem for anyone, nothing cut off", async (look) => {
  const { name, viewport, theme } = look;
  const { page, errors, close } = await openPage(
    browser,
    `${site.url}#referee/distractors/grpo/learned`,
    { viewport, colorScheme: theme },
  );
  await by(page, "referee-rows").locator("tbody tr").nth(10).waitFor();
  await by(page, "referee-line").waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBe(viewport.width);
  // In the browser the same numbers as in Node, to the last digit.
  await by(page, "referee-again").click();
  await expect.poll(() => by(page, "referee-came").textContent()).toContain("the same numbers");
  await takePicture(page, `referee-${name}-${theme}.png`, { fullPage: true });
  expect(errors).toEqual([]);
  await close();
});
