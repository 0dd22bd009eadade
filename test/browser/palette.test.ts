/** The command palette and the help in a real browser: by keyboard alone, and to a screen reader. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";
import { axeFaults } from "./axe.ts";
import { by, launch, openPage, servePage, type ServedPage, openSettings } from "./support.ts";

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([
    servePage({ worker: "fake", recording: syntheticRecording(shortRun()) }),
    launch(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function open(options = {}) {
  const opened = await openPage(browser, site.url, options);
  await by(opened.page, "experiment").waitFor();
  return opened;
}

it("goes anywhere by typing a few letters", async () => {
  const { page, errors, close } = await open();
  const goTo = async (query: string) => {
    await page.keyboard.press("Control+k");
    await by(page, "palette-query").fill(query);
    await page.keyboard.press("Enter");
    await by(page, "palette").waitFor({ state: "detached" });
  };
  await page.keyboard.press("Control+k");
  await by(page, "palette-query").waitFor();
  expect(await axeFaults(page, { within: "[data-testid=palette]" })).toEqual([]);
  await page.keyboard.press("Control+k");
  await by(page, "palette").waitFor({ state: "detached" });

  await goTo("speed");
  await page.locator("[data-panel=speed] :focus").waitFor();
  await goTo("gspo");
  await page.waitForURL(/#algorithms-gspo$/);
  // A field has the focus: the palette opens all the same.
  await goTo("glossary");
  await page.getByRole("searchbox").focus();
  await goTo("light or dark");
  await page.locator("html[data-theme=dark]").waitFor();
  // The action leaves the focus where it was.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("type")))
    .toBe("search");
  expect(errors).toEqual([]);
  await close();
});

it("keeps what is typed before it is there, and nothing of that acts on the page", async () => {
  const opened = await openPage(browser, site.url, { own: true });
  const { page, errors, close } = opened;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/CommandPalette.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await by(page, "experiment").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("dgxr");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.locator("[data-testid=palette-waiting][data-typed=dg]").waitFor();
  // `d` would have gone to the algorithms.
  expect(page.url()).not.toContain("#algorithms");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("glossary");
  release();
  await expect.poll(() => by(page, "palette-query").inputValue()).toBe("glossary");
  await by(page, "palette-query").press("Enter");
  await page.waitForURL(/#glossary/);
  expect(errors).toEqual([]);
  await close();
});

it("asks before a preset replaces what was changed in the form", async () => {
  const { page, close } = await open();
  const choose = async () => {
    await page.keyboard.press("Control+k");
    await by(page, "palette-query").fill("two-armed");
    await page.keyboard.press("Enter");
  };
  const iterations = by(page, "field-optimisation.iterations");
  await openSettings(page);
  await iterations.fill("7");
  await choose();
  await by(page, "preset-dialog").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => iterations.inputValue()).toBe("7");
  await choose();
  await by(page, "preset-replace").click();
  await expect.poll(() => iterations.inputValue()).toBe("20");
  await close();
});

it("shows the keys of every view in a window of 1440 by 900 without scrolling", async () => {
  const { page, close } = await open({ viewport: { width: 1440, height: 900 } });
  await page.keyboard.press("?");
  const help = by(page, "help-dialog");
  await help.waitFor();
  const hidden = await help.evaluate((box) => box.scrollHeight - box.clientHeight);
  expect(hidden).toBe(0);
  await by(page, "help-more").locator("summary").click();
  await help.getByText("In the playground").waitFor();
  expect(await axeFaults(page, { within: "[data-testid=help-dialog]" })).toEqual([]);
  await close();
});
