/** The playground in a real Chromium, with the real worker: play, watch, take over, hand back. */
import { AxeBuilder } from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openPage, screenshots, servePage, type ServedPage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await launch();
  site = await servePage({ worker: "real" });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

const by = (page: Page, id: string) => page.getByTestId(id);

async function open(options: Record<string, unknown> = {}, preset = "nano") {
  const opened = await openPage(browser, "about:blank", options);
  const { page } = opened;
  await page.goto(`${site.url}#v1/${preset}?backend=wasm&view=lens&at=turn-ppo,1,1,3`);
  await page.locator("details[data-panel=playground] > summary").click();
  const panel = by(page, "playground-panel");
  await panel.getByRole("button", { name: "Load the first policy" }).click();
  await by(page, "play-another").waitFor({ timeout: 60_000 });
  return opened;
}

async function begin(page: Page, id = "play-another") {
  await by(page, id).click();
  await by(page, "play-state").waitFor({ timeout: 30_000 });
}

const said = (page: Page) => by(page, "play-log").locator("li").allTextContents();

describe("the playground", () => {
  it("shows how likely each move is, and plays the reader's", async () => {
    const { page, errors, close } = await open();
    await begin(page);
    const chances = await by(page, "play-moves").locator("td").allTextContents();
    const numbers = chances.map((text) => parseFloat(text));
    expect(numbers).toHaveLength(5);
    expect(numbers.reduce((a, b) => a + b)).toBeCloseTo(100, -1);
    expect(await by(page, "play-values").locator("[data-critic=turn-ppo]").count()).toBe(1);
    await by(page, "play-moves").getByRole("button", { name: "Left" }).click();
    await by(page, "play-log").locator("li").first().waitFor();
    expect((await said(page))[0]).toMatch(/^you said “?Left/);
    await by(page, "play-text").fill("Up || Up");
    await page.keyboard.press("Enter");
    await by(page, "play-log").locator("li").nth(1).waitFor();
    expect((await said(page))[1]).toContain("did Up, Up");
    expect(errors).toEqual([]);
    await close();
  });

  it("is played by keys: a move, the policy's turn, one taken back, then to the end", async () => {
    const { page, errors, close } = await open();
    await begin(page);
    await by(page, "playground-panel").focus();
    await page.keyboard.press("ArrowUp");
    await by(page, "play-log").locator("li").first().waitFor();
    await page.keyboard.press("y");
    await by(page, "play-log").locator("li").nth(1).waitFor();
    expect((await said(page))[1]).toMatch(/^policy/);
    await page.keyboard.press("u");
    await by(page, "play-log").locator("li").nth(1).waitFor({ state: "detached" });
    await page.keyboard.press("Y");
    await page.getByText("The game is over").waitFor({ timeout: 30_000 });
    const all = await said(page);
    expect(all[0]).toMatch(/^you said “?Up/);
    expect(all.slice(1).every((line) => line.startsWith("policy"))).toBe(true);
    expect(await by(page, "play-moves").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("goes on from the cursor's turn", async () => {
    const { page, errors, close } = await open();
    await by(page, "play-turn").waitFor();
    await begin(page, "play-turn");
    expect(await said(page)).toHaveLength(2);
    expect((await said(page))[0]).toMatch(/^recorded/);
    expect(errors).toEqual([]);
    await close();
  });

  it("plays the shop: a search of one's own, then clicks with their chances", async () => {
    const { page, errors, close } = await open({}, "webshop-class");
    await begin(page);
    expect(await by(page, "playground-panel").textContent()).toContain("search for something");
    await by(page, "play-text").fill("search[red shoes]");
    await page.keyboard.press("Enter");
    await by(page, "play-moves").locator("tr[data-move='click[back to search]']").waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});

const LOOKS = {
  light: { viewport: { width: 1280, height: 1000 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 1000 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 900 }, colorScheme: "light" },
  projector: {
    viewport: { width: 1280, height: 900 },
    colorScheme: "light",
    deviceScaleFactor: 1.5,
  },
} as const;

describe.each(Object.entries(LOOKS))("in %s", (look, options) => {
  it("is in order for axe, and has its picture taken", async () => {
    const { page, errors, close } = await open(options);
    await begin(page, "play-turn");
    const panel = by(page, "playground-panel");
    await panel.getByRole("button", { name: "Let the policy take this turn" }).click();
    await by(page, "play-log").locator("li").nth(2).waitFor();
    const found = await new AxeBuilder({ page })
      .include("[data-testid=playground-panel]")
      .analyze();
    expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    // The cursor bar would stick over the picture.
    await page.addStyleTag({ content: ".cursor-bar { position: static !important }" });
    await panel.screenshot({ path: join(screenshots, `playground-${look}.png`) });
    expect(errors).toEqual([]);
    await close();
  });
});
