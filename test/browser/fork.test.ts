/** The fork panel in a real Chromium, with the real worker: what is asked, what is shown, what is refused. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { WebShopSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { readRecording } from "../../src/reading/log/recording.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { shopRecord, shopRecording } from "../fixtures/shopRecord.ts";
import { linesOfShipped } from "../fixtures/shippedRun.ts";
import { lensPanel, plainText } from "./lensPanel.ts";
import { by } from "./support.ts";

const panel = lensPanel("fork", linesOfShipped(), "real");
const PLACE = "&backend=wasm&at=turn-ppo,1,1,1";
const open = (options: Parameters<typeof panel.open>[1] = {}) => panel.open(PLACE, options);

/** The first policy, loaded and waiting: no numbers of its own yet, so that the recorded run stays. */
async function load(page: Page) {
  await by(page, "fork-panel").getByRole("button", { name: "Load the first policy" }).click();
  await by(page, "fork-run").waitFor({ timeout: 60_000 });
}

async function forkWith(page: Page, response: string) {
  await by(page, "fork-branches").selectOption("16");
  await by(page, "fork-response").fill(response);
  await by(page, "fork-run").click();
  await by(page, "fork-table").waitFor({ timeout: 60_000 });
}

/** Opens another panel; what is asked of it waits until it is drawn. */
async function openPanel(page: Page, id: string) {
  const details = page.locator(`details[data-panel=${id}]`);
  if ((await details.getAttribute("open")) === null)
    await details.locator("summary").first().click();
  await by(page, `${id}-panel`).scrollIntoViewIfNeeded();
}

describe("the fork panel", () => {
  it("says of a recorded run that its weights are gone, and offers the first policy", async () => {
    const { page, errors, close } = await open();
    expect(await by(page, "ask-none").textContent()).toContain("not the weights");
    expect(await by(page, "fork-run").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("plays a turn otherwise, and shows the spread, the advantages and the episode", async () => {
    const { page, errors, close } = await open();
    await load(page);
    await forkWith(page, "Up || Down");
    const result = by(page, "fork-result");
    expect(await result.textContent()).toContain("You had it say “Up || Down” (Up, Down)");
    expect(await result.textContent()).toContain("the warm start, before any training");
    const cell = (kind: string, place: number) =>
      by(page, "fork-table").locator(`tr[data-kind=${kind}] > :nth-child(${place})`).textContent();
    expect(await cell("forked", 6)).toBe("16");
    const number = async (kind: string, place: number) =>
      Number((await cell(kind, place))!.replace("−", "-"));
    const gap = (await number("forked", 2)) - (await number("policy", 2));
    expect(await number("forked", 4)).toBeCloseTo(gap, 1);
    await sameCredits(page);
    for (const id of ["fork-picture", "fork-marks"])
      expect(await by(page, id).locator("[data-tick='0']").count()).toBe(1);
    const marks = by(page, "fork-marks").locator("[data-mark]");
    expect(await marks.first().textContent()).toContain(await cell("recorded", 4));
    expect(await by(page, "fork-marks").locator("[data-mark='computed turn-ppo']").count()).toBe(1);
    expect(await by(page, "fork-list").textContent()).toContain("Turn-PPO, iteration 1");
    const strip = by(page, "fork-episode").locator("li");
    expect(await strip.nth(0).textContent()).toContain("forked here");
    expect(await strip.nth(0).textContent()).toContain("Up || Down");
    await inAllPanels(page);
    await saved(page);
    await by(page, "fork-list").getByRole("button", { name: "Remove fork 1" }).click();
    await by(page, "fork-result").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  /** What each algorithm says of the turn, beside the fork and in the table of credits. */
  async function sameCredits(page: Page) {
    const beside = by(page, "fork-credits").locator("[data-algorithm]");
    await expect.poll(() => beside.count()).toBeGreaterThanOrEqual(3);
    const said = await beside.evaluateAll((all) =>
      all.map((one) => [
        one.getAttribute("data-algorithm")!,
        one.querySelector("dd")!.firstChild!.textContent,
      ]),
    );
    await openPanel(page, "credits");
    const table = by(page, "credits-table");
    for (const [name, number] of said)
      await expect
        .poll(() => table.locator(`tr[data-row=${name}] td:not(.verdict)`).first().textContent())
        .toBe(number);
    expect(said.filter(([, number]) => /\d/.test(number!)).length).toBeGreaterThan(0);
  }

  /** The file that a fork is saved as, opened again. */
  async function saved(page: Page) {
    const waiting = page.waitForEvent("download");
    await by(page, "fork-list").getByRole("button", { name: "Save fork 1 as JSONL" }).click();
    const file = await waiting;
    expect(file.suggestedFilename()).toBe("fork-1-turn-ppo-1.jsonl");
    const { log, command } = (await readRecording(await readFile(await file.path(), "utf8")))!;
    expect(command).toContain("no training saw this episode");
    expect(log.episodes("turn-ppo", 1)[0]!.turns[0]!.text).toBe("Up || Down");
  }

  /** The fork in the place of the recorded episode, back by key and by button, left with the episode. */
  async function inAllPanels(page: Page) {
    const link = () => page.evaluate(() => /at=[^&]*/.exec(location.hash)![0]);
    const before = await link();
    await by(page, "fork-episode").getByRole("button", { name: "Show in all panels" }).click();
    const bar = by(page, "cursor").getByTestId("cursor-fork");
    await bar.waitFor();
    expect(await bar.textContent()).toContain("Fork 1 of episode 1");
    const said = by(page, "turns-panel").getByTestId("turn-text").first();
    expect(await said.textContent()).toBe("Up || Down");
    await continuations(page);
    await openPanel(page, "ribbon");
    await by(page, "ribbon-panel").getByText("No training saw this fork").waitFor();
    const row = (id: string) => by(page, "ribbon-table").locator(`tr[data-row=${id}] td`).first();
    expect(await row("ratio").textContent()).toBe("–");
    expect(await row("advantage").textContent()).toBe("–");
    expect(await row("value").textContent()).toMatch(/\d/);
    for (const id of ["turns", "ribbon", "tokens", "group", "critic", "credits", "formula"]) {
      await openPanel(page, id);
      await plainText(page, id);
    }
    await by(page, "credits-panel").getByText("No training saw this fork").first().waitFor();
    await by(page, "formula-panel").getByText("No update has used this fork").first().waitFor();
    await by(page, "ribbon-panel").focus();
    await page.keyboard.press("w");
    await bar.waitFor({ state: "detached" });
    expect(await said.textContent()).not.toBe("Up || Down");
    await page.keyboard.press("w");
    await bar.getByRole("button", { name: "To the record" }).click();
    await bar.waitFor({ state: "detached" });
    await by(page, "ribbon-panel").focus();
    await page.keyboard.press("w");
    await bar.waitFor();
    await page.keyboard.press("l");
    await bar.waitFor({ state: "detached" });
    await page.keyboard.press("h");
    expect(await bar.count()).toBe(0);
    await expect.poll(link).toBe(before);
    for (const id of ["ribbon", "episodes", "tokens", "group", "critic", "credits", "formula"])
      await page.locator(`details[data-panel=${id}] > summary`).click();
  }

  /** The table of episodes has the fork's: sorted, searched, and gone through by key. */
  async function continuations(page: Page) {
    await openPanel(page, "episodes");
    await by(page, "episodes-fork").getByText("Fork 1: all 16 continuations.").waitFor();
    const table = by(page, "episodes-table");
    await table.locator("[data-sort=reward]").press("Enter");
    await table.locator("[aria-sort=descending]").waitFor();
    const names = await table.locator("tbody th").allTextContents();
    expect([...names].sort()).toEqual(
      Array.from({ length: 16 }, (_, i) => `Continuation ${i + 1}`).sort(),
    );
    const rewards = (await table.locator("tbody td:nth-child(3)").allTextContents()).map((text) =>
      Number(text.replace("−", "-")),
    );
    expect(rewards).toEqual([...rewards].sort((a, b) => b - a));
    const after = (name: string) => names[(names.indexOf(name) + 1) % names.length]!;
    const here = table.locator("tbody [aria-current=true]");
    expect(await here.textContent()).toBe("Continuation 1");
    await page.keyboard.press("N");
    const next = after("Continuation 1");
    await here.filter({ hasText: new RegExp(`^${next}$`) }).waitFor();
    const bar = by(page, "cursor").getByTestId("cursor-fork");
    expect(await bar.textContent()).toContain(`, ${next.toLowerCase()} of 16`);
    await by(page, "episodes-search").fill("Up || Down");
    await page.keyboard.press("Enter");
    await by(page, "episodes-count").getByText("16 of 16 episodes with").waitFor();
    await plainText(page, "episodes");
  }

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
    await by(page, "fork-panel").getByRole("button", { name: "Find the truth" }).click();
    const found = by(page, "fork-panel").getByTestId("truth-found");
    await found.waitFor({ timeout: 60_000 });
    expect(await found.textContent()).toContain("64 continuations from each turn");
    await openPanel(page, "ribbon");
    await expect.poll(() => by(page, "ribbon-panel").textContent()).toMatch(/True V[+−]/);
    expect(errors).toEqual([]);
    await close();
  });

  it("asks the policy that played a live run's episode", async () => {
    const { page, errors, close } = await open();
    await load(page);
    const response = by(page, "fork-response");
    await response.fill("of the recorded run");
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await by(page, "fork-panel").locator("[data-origin=live]").waitFor({ timeout: 120_000 });
    // What was written was about another run's turn.
    await expect.poll(() => response.inputValue()).not.toBe("of the recorded run");
    await by(page, "fork-panel").getByRole("button", { name: "Find the truth" }).click();
    const found = by(page, "fork-panel").getByTestId("truth-found");
    await found.waitFor({ timeout: 120_000 });
    expect(await found.textContent()).toContain("the policy that played the episode");
    await forkWith(page, "Left");
    expect(await by(page, "fork-result").textContent()).toContain("the warm start");
    expect(await by(page, "fork-episode").textContent()).toContain("at the time of the recorded");
    expect(errors).toEqual([]);
    await close();
  });

  it("refuses an episode of another world in a sentence", async () => {
    const { page, errors, close } = await open({ recording: creditRecording() });
    await load(page);
    await by(page, "fork-run").click();
    const refusal = by(page, "fork-panel").getByTestId("ask-refusal");
    await refusal.first().waitFor({ timeout: 30_000 });
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
    await refusal.first().waitFor({ timeout: 30_000 });
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
    expect(await by(strange.page, "shop-no-page").textContent()).toContain("can be written");
    expect([...errors, ...strange.errors]).toEqual([]);
    await strange.close();
    await close();
  });
});

panel.looks(["dark", "phone"], PLACE, async (page) => {
  await load(page);
  await forkWith(page, "Up");
  await by(page, "fork-panel").getByText("Change the board").click();
});
