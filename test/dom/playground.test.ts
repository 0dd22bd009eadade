// @vitest-environment happy-dom
/** The playground on a real run's models: play, watch, take over, hand back. Its looks are in ../browser. */
import { describe, expect, it } from "vitest";
import { STEP } from "../../src/panels/playground/useGame.ts";
import { linesOfShipped } from "../fixtures/shippedRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by, type DomPage as Page } from "./page.ts";

const panel = lensPanel("playground", linesOfShipped(), "real");
const PLACE = "&backend=wasm&at=turn-ppo,1,1,3";

/** The first policy, loaded and waiting. */
async function load(page: Page) {
  const button = by(page, "playground-panel").getByRole("button", {
    name: "Load the initial policy",
  });
  await button.press("Enter");
  await button.waitFor({ state: "detached" });
  // What held the focus is gone; the panel has it now.
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-testid"));
  expect(await focused()).toBe("playground-panel");
  await by(page, "play-another").waitFor();
}

async function open(options: Parameters<typeof panel.open>[1] = {}) {
  const opened = await panel.open(PLACE, options);
  await load(opened.page);
  return opened;
}

async function begin(page: Page, id = "play-another") {
  await by(page, id).click();
  await by(page, "play-state").waitFor();
}

/** What all chances come to, in percent. */
async function allChances(page: Page): Promise<number> {
  const chances = await by(page, "play-moves").locator("td").allTextContents();
  return chances.reduce((sum, text) => sum + parseFloat(text), 0);
}

const said = (page: Page) => by(page, "play-log").locator("li").allTextContents();

describe("the playground", () => {
  it("shows how likely each move is, and plays the reader's", async () => {
    const { page, errors, close } = await open();
    await begin(page);
    expect(await by(page, "play-moves").locator("td").count()).toBe(5);
    expect(await allChances(page)).toBeCloseTo(100, -1);
    expect(await by(page, "play-values").locator("[data-critic=turn-ppo]").count()).toBe(1);
    await by(page, "play-moves").getByRole("button", { name: "Left" }).click();
    await by(page, "play-log").locator("li").first().waitFor();
    expect((await said(page))[0]).toMatch(/Left.*you/);
    await by(page, "play-text").fill("Up || Up");
    await page.keyboard.press("Enter");
    await by(page, "play-log").locator("li").nth(1).waitFor();
    expect((await said(page))[1]).toContain("Up, Up");
    expect(errors).toEqual([]);
    await close();
  });

  it("is played by keys: a move, the policy's turn, one taken back, then to the end", async () => {
    const { page, errors, close } = await open();
    await begin(page);
    await by(page, "playground-panel").focus();
    // At once: the second waits for what the first leads to.
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("y");
    await by(page, "play-log").locator("li").nth(1).waitFor();
    expect((await said(page))[1]).toMatch(/policy/);
    await page.keyboard.press("u");
    await by(page, "play-log").locator("li").nth(1).waitFor({ state: "detached" });
    // Handed back while it plays: the turn is the reader's again, and stays so.
    const auto = by(page, "playground-panel").locator("[data-action=playPolicyOn]");
    await page.keyboard.press("Y");
    await by(page, "play-log").locator("li").nth(1).waitFor();
    await page.keyboard.press("Y");
    expect(await auto.getAttribute("aria-pressed")).toBe("false");
    // Longer than the policy takes between two turns of its own.
    await page.waitForTimeout(2 * STEP);
    const before = (await said(page)).length;
    await page.waitForTimeout(2 * STEP);
    expect(await said(page)).toHaveLength(before);
    expect(await by(page, "play-moves").count()).toBe(1);
    await page.keyboard.press("Y");
    await page.getByText("Game over").waitFor();
    const all = await said(page);
    expect(all[0]).toMatch(/Up.*you/);
    expect(all.slice(1).every((line) => line.includes("policy"))).toBe(true);
    expect(await by(page, "play-moves").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("goes on from the cursor's turn", async () => {
    const { page, errors, close } = await open();
    await by(page, "play-turn").waitFor();
    await begin(page, "play-turn");
    expect(await said(page)).toHaveLength(2);
    expect((await said(page))[0]).toMatch(/recorded/);
    expect(errors).toEqual([]);
    await close();
  });

  it("plays the shop: a search on the page, then clicks with their chances beside them", async () => {
    const { page, errors, close } = await open({ preset: "webshop-class" });
    await begin(page);
    expect(await by(page, "playground-panel").textContent()).toContain("search for something");
    const shown = by(page, "playground-panel").getByTestId("shop-page");
    await shown.getByTestId("search-box").fill("red shoes");
    await page.keyboard.press("Enter");
    await shown.locator("[data-element^='product:']").first().waitFor();
    const back = "click[back to search]";
    const chance = await shown.locator(`[data-chance='${back}']`).textContent();
    const row = by(page, "play-moves").locator(`tr[data-move='${back}'] td`);
    expect(chance).toMatch(/%$/);
    expect(await row.textContent()).toBe(chance);
    expect(await allChances(page)).toBeCloseTo(100, -1);
    expect(await by(page, "playground-panel").textContent()).not.toContain("||");
    await shown.locator("[data-element^='product:']").first().click();
    await by(page, "play-log").locator("li").nth(1).waitFor();
    expect((await said(page))[1]).toMatch(/you.*click\[b/);
    await shown.getByRole("button", { name: "Buy Now" }).click();
    await by(page, "play-state").getByText("Game over").waitFor();
    await page.locator("[data-testid=shop-page][data-page=done]").waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
