/** The lens as a workspace in a real Chromium: panes resized, moved, closed, opened and saved, by mouse and by keyboard. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { words } from "../../src/app/lens/words.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { axeFaults } from "./axe.ts";
import { LOOKS } from "./lensPanel.ts";
import {
  by,
  launch,
  openPage,
  servePage,
  shownRecording,
  takePicture,
  type ServedPage,
} from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake", recording: creditRecording() });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

async function open(rest = "", options: BrowserContextOptions = {}) {
  const viewport = { width: 1440, height: 900 };
  const opened = await openPage(browser, `${site.url}#v1/nano?view=lens${rest}`, {
    viewport,
    ...options,
  });
  await shownRecording(opened.page).waitFor();
  await opened.page.locator(".pane").first().waitFor();
  return opened;
}

/** What the address says of the layout, once it says it. */
const layoutIs = (page: Page, wanted: RegExp | null) =>
  expect
    .poll(() => page.evaluate(() => /layout=([^&]*)/.exec(location.hash)?.[1] ?? null))
    [wanted === null ? "toBeNull" : "toMatch"](wanted as RegExp);

const shownPanes = (page: Page) =>
  page
    .locator(".pane:visible")
    .evaluateAll((all) => all.map((pane) => (pane as HTMLElement).dataset["pane"]!).sort());

const widthOf = async (page: Page, pane: string) =>
  (await page.locator(`[data-pane=${pane}]`).boundingBox())!.width;

/** Walks down a menu that keys have opened. Each key moves the focus a task later: the next one waits until it is there. */
async function chooseByKeys(page: Page, name: string): Promise<void> {
  const items = page.getByRole("menuitem");
  await items.first().waitFor();
  const place = (await items.allTextContents()).indexOf(name);
  expect(place, name).toBeGreaterThanOrEqual(0);
  for (let i = 0; i <= place; i++) {
    if (i > 0) await page.keyboard.press("ArrowDown");
    await items.nth(i).and(page.locator(":focus")).waitFor();
  }
  await page.keyboard.press("Enter");
}

describe("the workspace", () => {
  it("fills the window, and each of its layouts shows its panes", async () => {
    const { page, errors, close } = await open();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
    await expect
      .poll(() => shownPanes(page))
      .toEqual(["credits", "curves", "formula", "group", "ribbon", "story"]);
    await layoutIs(page, null);
    await by(page, "layout-health").click();
    await layoutIs(page, /^health$/);
    await by(page, "doctor-panel").waitFor();
    await expect.poll(() => shownPanes(page)).toContain("health");
    await expect.poll(() => by(page, "layout-health").getAttribute("aria-pressed")).toBe("true");
    await by(page, "layout-logs").click();
    await by(page, "run-panel").waitFor();
    await by(page, "layout-why").click();
    await layoutIs(page, null);
    expect(errors).toEqual([]);
    await close();
  });

  it("resizes by keyboard and by mouse, and the link keeps it", async () => {
    const { page, errors, close } = await open("&layout=r(50-ribbon~50-credits)");
    const before = await widthOf(page, "ribbon");
    const separator = page.getByRole("separator").first();
    await separator.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
    await expect.poll(() => widthOf(page, "ribbon")).toBeLessThan(before - 20);
    await layoutIs(page, /^r\((?!50)\d+-ribbon~\d+-credits\)$/);
    const box = (await separator.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => widthOf(page, "ribbon")).toBeGreaterThan(before + 20);
    await layoutIs(page, /^r\((5[1-9]|[6-9]\d)-ribbon/);
    const kept = await widthOf(page, "ribbon");
    const link = page.url();
    await page.goto("about:blank");
    await page.goto(link);
    await page.locator("[data-pane=ribbon]").waitFor();
    expect(Math.abs((await widthOf(page, "ribbon")) - kept)).toBeLessThan(20);
    expect(errors).toEqual([]);
    await close();
  });

  it("moves, closes and opens panes by keyboard alone", async () => {
    const { page, errors, close } = await open("&layout=r(50-ribbon~50-credits)");
    await by(page, "arrange-credits").focus();
    await page.keyboard.press("Enter");
    await chooseByKeys(page, words.moves.bottom);
    await layoutIs(page, /^c\(\d+-ribbon~\d+-credits\)$/);
    await by(page, "arrange-credits").focus();
    await page.keyboard.press("Enter");
    await chooseByKeys(page, words.moves.next);
    await layoutIs(page, /^ribbon\.\*credits$/);
    // Tabs by arrow keys; what is behind keeps what was chosen in it.
    await by(page, "credits-ratio").check();
    await page.getByRole("tab", { name: "Credits" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await by(page, "ribbon-panel").waitFor();
    await expect.poll(() => by(page, "credits-panel").isVisible()).toBe(false);
    await page.getByRole("tab", { name: "Ribbon" }).focus();
    await page.keyboard.press("Delete");
    await layoutIs(page, /^credits$/);
    await expect.poll(() => by(page, "credits-ratio").isChecked()).toBe(true);
    await page.keyboard.press("G");
    await page.keyboard.press("Enter");
    await chooseByKeys(page, "Conversation");
    await by(page, "tokens-panel").waitFor();
    await layoutIs(page, /^credits\.\*tokens$/);
    expect(errors).toEqual([]);
    await close();
  });

  it("drags a tab to the edge of another group", async () => {
    const { page, errors, close } = await open("&layout=r(50-ribbon~50-credits.tokens)");
    const tab = (await page.getByRole("tab", { name: "Conversation" }).boundingBox())!;
    const target = (await page.locator("[data-pane=ribbon]").boundingBox())!;
    await page.mouse.move(tab.x + 10, tab.y + tab.height / 2);
    await page.mouse.down();
    await page.mouse.move(target.x + target.width / 2, target.y + target.height * 0.85, {
      steps: 20,
    });
    await page.locator(".pane-drop").waitFor();
    await page.mouse.up();
    await layoutIs(page, /^r\(50-c\(\d+-ribbon~\d+-tokens\)~50-credits\)$/);
    expect(errors).toEqual([]);
    await close();
  });

  it("keeps a layout of the reader's own in the browser, and forgets it", async () => {
    const { page, errors, close } = await open("&layout=c(60-critic~40-curves)");
    await by(page, "save-layout").click();
    await page.keyboard.type("Mine");
    await page.keyboard.press("Enter");
    await by(page, "own-layout").waitFor();
    await page.goto("about:blank");
    await page.goto(`${site.url}#v1/nano?view=lens`);
    await by(page, "own-layout").click();
    await layoutIs(page, /^c\(60-critic~40-curves\)$/);
    await expect.poll(() => by(page, "own-layout").getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: words.forget("Mine") }).click();
    await by(page, "own-layout").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  it("has its prose behind a button, pane by pane", async () => {
    const { page, errors, close } = await open();
    const over = by(page, "credits-over");
    await over.waitFor({ state: "attached" });
    await expect.poll(() => over.isVisible()).toBe(false);
    await by(page, "about-credits").click();
    await over.waitFor();
    await expect.poll(() => by(page, "about-credits").getAttribute("aria-pressed")).toBe("true");
    await by(page, "about-credits").click();
    await expect.poll(() => over.isVisible()).toBe(false);
    expect(errors).toEqual([]);
    await close();
  });

  it.each(["light", "dark", "phone", "projector"] as const)("is in order in %s", async (look) => {
    const { page, errors, close } = await open("", LOOKS[look]);
    await page.locator(".pane .panel").first().waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const [whole, seen] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      window.innerWidth,
    ]);
    expect(whole).toBe(seen);
    await takePicture(page, `workspace-${look}.png`);
    expect(errors).toEqual([]);
    await close();
  });

  it("at twice the size has one pane at a time, and its bars leave room for it", async () => {
    const { page, errors, close } = await open("", { viewport: { width: 720, height: 450 } });
    await expect.poll(() => page.locator(".pane").count()).toBe(1);
    const bar = (await by(page, "cursor").boundingBox())!;
    expect(bar.height / 450).toBeLessThan(0.15);
    expect(errors).toEqual([]);
    await close();
  });
});
