// @vitest-environment happy-dom
/** The fork panel on a real run's models: what is asked and what is refused. What is shown of a fork is in ../browser. */
import { describe, expect, it } from "vitest";
import type { WebShopSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { shopRecord, shopRecording } from "../fixtures/shopRecord.ts";
import { linesOfShipped } from "../fixtures/shippedRun.ts";
import { lensPanel, openPanel } from "./lensPanel.ts";
import { by, type DomPage as Page } from "./page.ts";
import { EVERY } from "../every.ts";

const panel = lensPanel("fork", linesOfShipped(), "real");
const PLACE = "&backend=wasm&at=turn-ppo,1,1,1";
const open = (options: Parameters<typeof panel.open>[1] = {}) => panel.open(PLACE, options);

/** The first policy, loaded and waiting: no numbers of its own yet, so that the recorded run stays. */
async function load(page: Page) {
  await by(page, "fork-panel").getByRole("button", { name: "Load the initial policy" }).click();
  await by(page, "fork-run").waitFor();
}

async function forkWith(page: Page, response: string) {
  await by(page, "fork-branches").selectOption("16");
  await by(page, "fork-response").fill(response);
  await by(page, "fork-run").click();
  await by(page, "fork-table").waitFor();
}

describe("the fork panel", () => {
  it("says of a recorded run that its weights are gone, and offers the first policy", async () => {
    const { page, errors, close } = await open();
    expect(await by(page, "ask-none").textContent()).toContain("no model weights");
    expect(await by(page, "fork-run").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("changes the board by keyboard and refuses one that is solved", async () => {
    const { page, errors, close } = await open();
    await load(page);
    await by(page, "fork-panel").getByText("Change the board").click();
    const grid = by(page, "fork-grid");
    const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
    const before = await theme();
    await grid.locator("[data-cell='1,1']").focus();
    await page.keyboard.press("p");
    expect(await grid.locator("[data-cell='1,1']").getAttribute("aria-label")).toContain("player");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("f");
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-cell"))).toBe(
      "2,2",
    );
    await page.keyboard.press("b");
    // Elsewhere this key is light or dark.
    await page.keyboard.press("t");
    expect(await theme()).toBe(before);
    const name = await grid.locator("[data-cell='2,2']").getAttribute("aria-label");
    expect(name).toContain("box on target");
    for (const cell of ["1,2", "1,3", "1,4", "2,1", "2,3", "2,4", "3,1", "3,2", "3,3", "3,4"]) {
      await grid.locator(`[data-cell='${cell}']`).focus();
      await page.keyboard.press("w");
    }
    for (const cell of ["4,1", "4,2", "4,3", "4,4"]) {
      await grid.locator(`[data-cell='${cell}']`).focus();
      await page.keyboard.press("w");
    }
    await by(page, "fork-problem").waitFor();
    expect(await by(page, "fork-run").getAttribute("aria-disabled")).toBe("true");
    expect(errors).toEqual([]);
    await close();
  });

  it("finds the truth of the episode, for the panels that show it", async () => {
    const { page, errors, close } = await open();
    await load(page);
    await by(page, "fork-panel").getByRole("button", { name: "Estimate true values" }).click();
    const found = by(page, "fork-panel").getByTestId("truth-found");
    await found.waitFor();
    expect(await found.textContent()).toContain("64 continuations from each turn");
    await openPanel(page, "ribbon");
    await expect.poll(() => by(page, "ribbon-panel").textContent()).toMatch(/True V ?[+−]/);
    expect(errors).toEqual([]);
    await close();
  });

  // Trains an iteration of the whole run; ../runtime/services.test.ts asks the same of a smaller one.
  if (EVERY)
    it("asks the policy that played a live run's episode", async () => {
      const { page, errors, close } = await open();
      await load(page);
      const response = by(page, "fork-response");
      await response.fill("of the recorded run");
      await page.getByRole("button", { name: "Step", exact: true }).click();
      await by(page, "cursor").locator("[data-origin=live]").waitFor();
      // What was written was about another run's turn.
      await expect.poll(() => response.inputValue()).not.toBe("of the recorded run");
      await by(page, "fork-panel").getByRole("button", { name: "Estimate true values" }).click();
      const found = by(page, "fork-panel").getByTestId("truth-found");
      await found.waitFor();
      expect(await found.textContent()).toContain("This policy played the episode");
      await forkWith(page, "Left");
      expect(await by(page, "fork-result").textContent()).toContain("the initial policy");
      expect(await by(page, "fork-episode").textContent()).toContain("at the time of the recorded");
      expect(errors).toEqual([]);
      await close();
    });

  it("refuses an episode of another world in a sentence", async () => {
    const { page, errors, close } = await open({ recording: creditRecording() });
    await load(page);
    await by(page, "fork-run").click();
    const refusal = by(page, "fork-panel").getByTestId("ask-refusal");
    await refusal.first().waitFor();
    expect(await refusal.first().textContent()).toContain("cannot be replayed");
    await by(page, "fork-panel").focus();
    await page.keyboard.press("l");
    await refusal.waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  it("does without what a log need not have", async () => {
    const recording = creditRecording((episode) => ({
      ...episode,
      turns: episode.trajectory === 0 ? [] : episode.turns.map((turn) => ({ ...turn, tokens: [] })),
    }));
    const { page, errors, close } = await open({ recording });
    expect(await by(page, "fork-panel").textContent()).toContain("This episode has no turns");
    await page.keyboard.press("Tab");
    await by(page, "fork-panel").focus();
    await page.keyboard.press("l");
    await load(page);
    await by(page, "fork-run").click();
    const refusal = by(page, "fork-panel").getByTestId("ask-refusal");
    await refusal.first().waitFor();
    expect(await refusal.first().textContent()).toContain("has no tokens");
    expect(errors).toEqual([]);
    await close();
  });

  it("writes what is clicked on a page of the shop, and says where there is no page", async () => {
    const record = shopRecord(presetSpec("webshop-class").environment as WebShopSpec, 3);
    const shop = { preset: "webshop-class", recording: shopRecording(record) };
    const { page, errors, close } = await panel.open("&backend=wasm&at=turn-ppo,1,1,2", shop);
    await load(page);
    const shown = by(page, "fork-panel").getByTestId("shop-page");
    await shown.locator("[data-element^='product:']").first().waitFor();
    const response = by(page, "fork-response");
    const marked = shown.locator(".chosen-word");
    expect(await by(page, "fork-panel").textContent()).not.toContain("||");
    // What was done, whatever the model's words for it.
    expect(await marked.count()).toBe(1);
    await shown.getByRole("button", { name: "Back to Search" }).click();
    expect(await response.inputValue()).toBe("click[back to search]");
    const focus = await page.evaluate(() => document.activeElement?.textContent);
    expect(focus).toBe("Back to Searchchosen");
    await response.fill("click[next >]");
    expect(await marked.locator("..").textContent()).toBe("Next >chosen");
    const other = { ...shop, recording: shopRecording(record, record.seed + 1) };
    const strange = await panel.open("&backend=wasm&at=turn-ppo,1,1,2", other);
    await load(strange.page);
    await by(strange.page, "shop-no-page").waitFor();
    expect(await by(strange.page, "shop-no-page").textContent()).toContain(
      "can still type an action",
    );
    expect([...errors, ...strange.errors]).toEqual([]);
    await strange.close();
    await close();
  });
});
