/** The fork panel in a real Chromium, with the real worker: a fork in all panels, and looks. What it asks and refuses is in ../dom. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { readRecording } from "../../src/reading/log/recording.ts";
import { linesOfShipped } from "../fixtures/shippedRun.ts";
import { lensPanel, plainText } from "./lensPanel.ts";
import { notebookHash } from "../../src/notebook/sharedText.ts";
import { showing, showingAll } from "../fixtures/lensAddress.ts";
import { by, openPanel } from "./support.ts";

const panel = lensPanel("fork", linesOfShipped(), "real");
const PLACE = "&backend=wasm&at=turn-ppo,1,1,1";
const open = (options: Parameters<typeof panel.open>[1] = {}, layout = "") =>
  panel.open(PLACE + layout, options);

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

/** Whether the result's first line is seen: nothing lies over it, and its pane has not cut it off. */
const isSeen = (page: Page) =>
  by(page, "fork-result").evaluate((result) => {
    const { left, top } = (
      result.querySelector("h4, summary, p") ?? result
    ).getBoundingClientRect();
    const seen = document.elementFromPoint(left + 4, top + 8);
    return seen !== null && result.contains(seen);
  });

/** A notebook whose only panel this is, far below its run. */
const NOTEBOOK = [
  "# Forks",
  "```experiment id=run fold\npreset: nano-fair\nengine.backend: wasm\nrecording: runs/nano/recording.json\n```",
  "```panel id=forks of=run\npanel: fork\nat: turn-ppo,1,1,1\n```",
].join("\n\n");

describe("a fork's result", () => {
  it.each([
    ["the lens", `#v1/nano?view=lens${PLACE}${showing("fork")}`],
    ["a notebook", notebookHash(NOTEBOOK)],
  ])("is seen in %s where the fork was made, and again after the next", async (_, hash) => {
    const { page, errors, close } = await panel.openAt(hash, {
      // Too low for what lies between the question and its result.
      viewport: { width: 1280, height: 440 },
    });
    await load(page);
    for (const [number, response] of ["Up || Down", "Left"].entries()) {
      await forkWith(page, response);
      const result = by(page, "fork-result");
      await expect.poll(() => result.textContent()).toContain(`Fork ${number + 1}`);
      await expect.poll(() => isSeen(page)).toBe(true);
      await expect
        .poll(() => by(page, "fork-panel").locator("[data-testid=fork-result]").count())
        .toBe(1);
    }
    expect(errors).toEqual([]);
    await close();
  });
});

describe("the fork panel", () => {
  it("plays a turn otherwise, and shows the spread, the advantages and the episode", async () => {
    // Panels are drawn while they are in sight: all of them are.
    const viewport = { width: 1280, height: 9000 };
    const { page, errors, close } = await open({ viewport, deviceScaleFactor: 0.5 }, showingAll());
    await load(page);
    await forkWith(page, "Up || Down");
    const result = by(page, "fork-result");
    await expect
      .poll(() => result.textContent())
      .toContain("Your response “Up || Down” (Up, Down)");
    await expect
      .poll(() => result.textContent())
      .toContain("the initial policy, before any training");
    const cell = (kind: string, place: number) =>
      by(page, "fork-table").locator(`tr[data-row=${kind}] > :nth-child(${place})`).textContent();
    await expect.poll(() => cell("forked", 6)).toBe("16");
    const number = async (kind: string, place: number) =>
      Number((await cell(kind, place))!.replace("−", "-"));
    const gap = (await number("forked", 2)) - (await number("policy", 2));
    await expect.poll(() => number("forked", 4)).toBeCloseTo(gap, 1);
    await sameCredits(page);
    for (const kind of ["policy", "recorded", "forked"])
      await expect
        .poll(() => by(page, `fork-${kind}`).locator("svg rect").count())
        .toBeGreaterThan(0);
    const truth = by(page, "fork-credits").locator("tr[data-row=truth] td");
    const exact = Number(await truth.getAttribute("data-value"));
    expect(Math.abs(exact - (await number("recorded", 4)))).toBeLessThan(0.006);
    await expect.poll(() => by(page, "fork-list").textContent()).toContain("Turn-PPO, iteration 1");
    const strip = by(page, "fork-episode").locator("tbody tr");
    await expect.poll(() => strip.nth(0).textContent()).toContain("forked here");
    await expect.poll(() => strip.nth(0).textContent()).toContain("Up || Down");
    await inAllPanels(page);
    await saved(page);
    await by(page, "fork-list").getByRole("button", { name: "Remove fork 1" }).click();
    await by(page, "fork-result").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  /** What each algorithm says of the turn, beside the fork and in the table of credits. */
  async function sameCredits(page: Page) {
    const beside = by(page, "fork-credits").locator("tbody tr:not([data-row=truth])");
    await expect.poll(() => beside.count()).toBeGreaterThanOrEqual(3);
    const said = await beside.evaluateAll((all) =>
      all.map((one) => [
        one.getAttribute("data-row")!,
        one.querySelector("td")!.getAttribute("data-value") ?? "",
      ]),
    );
    await openPanel(page, "credits");
    const table = by(page, "credits-table");
    const inTable = (name: string) =>
      table.locator(`tr[data-row=${name}] td:not(.bar-end)`).first().textContent();
    const valueOf = (text: string | null) => Number(text?.replace("−", "-"));
    // The table rounds to two decimals.
    for (const [name, number] of said.filter(([, text]) => /\d/.test(text!)))
      await expect
        .poll(async () => Math.abs(valueOf(await inTable(name!)) - valueOf(number!)))
        .toBeLessThan(0.006);
    expect(said.filter(([, number]) => /\d/.test(number!)).length).toBeGreaterThan(0);
  }

  /** The file that a fork is saved as, opened again. */
  async function saved(page: Page) {
    const waiting = page.waitForEvent("download");
    await by(page, "fork-list").getByRole("button", { name: "Save fork 1 as JSONL" }).click();
    const file = await waiting;
    expect(file.suggestedFilename()).toBe("fork-1-turn-ppo-1.jsonl");
    const { log, command } = (await readRecording(await readFile(await file.path(), "utf8")))!;
    expect(command).toContain("this episode was not trained on");
    expect(log.episodes("turn-ppo", 1)[0]!.turns[0]!.text).toBe("Up || Down");
  }

  /** The fork in the place of the recorded episode, back by key and by button, left with the episode. */
  async function inAllPanels(page: Page) {
    const link = () => page.evaluate(() => /at=[^&]*/.exec(location.hash)![0]);
    const before = await link();
    await by(page, "fork-episode").getByRole("button", { name: "Show in all panels" }).click();
    const bar = by(page, "cursor").getByTestId("cursor-fork");
    await bar.waitFor();
    await expect.poll(() => bar.textContent()).toContain("Fork 1 of episode 1");
    const said = by(page, "turns-table").locator("td.grid-long").first();
    await expect.poll(() => said.textContent()).toContain("Up || Down");
    await continuations(page);
    await openPanel(page, "ribbon");
    await by(page, "ribbon-panel")
      .getByText("This fork was not trained on")
      .waitFor({ state: "attached" });
    const row = (id: string) => by(page, "ribbon-table").locator(`tr[data-row=${id}] td`).first();
    await expect.poll(() => row("ratio").textContent()).toBe("–");
    await expect.poll(() => row("advantage").textContent()).toBe("–");
    await expect.poll(() => row("value").textContent()).toMatch(/\d/);
    for (const id of ["turns", "ribbon", "tokens", "group", "critic", "credits", "formula"]) {
      await openPanel(page, id);
      await plainText(page, id);
    }
    await by(page, "credits-panel")
      .getByText("This fork was not trained on")
      .first()
      .waitFor({ state: "attached" });
    await by(page, "formula-panel").getByText("No update used this fork").first().waitFor();
    await by(page, "ribbon-panel").focus();
    await page.keyboard.press("w");
    await bar.waitFor({ state: "detached" });
    await expect.poll(() => said.textContent()).not.toBe("Up || Down");
    await page.keyboard.press("w");
    await bar.getByRole("button", { name: "Back to recording" }).click();
    await bar.waitFor({ state: "detached" });
    await by(page, "ribbon-panel").focus();
    await page.keyboard.press("w");
    await bar.waitFor();
    await page.keyboard.press("l");
    await bar.waitFor({ state: "detached" });
    await page.keyboard.press("h");
    await expect.poll(() => bar.count()).toBe(0);
    await expect.poll(link).toBe(before);
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
    await expect.poll(() => here.textContent()).toBe("Continuation 1");
    await page.keyboard.press("N");
    const next = after("Continuation 1");
    await here.filter({ hasText: new RegExp(`^${next}$`) }).waitFor();
    const bar = by(page, "cursor").getByTestId("cursor-fork");
    await expect.poll(() => bar.textContent()).toContain(`, ${next.toLowerCase()} of 16`);
    await by(page, "episodes-search").fill("Up || Down");
    await page.keyboard.press("Enter");
    await by(page, "episodes-count").getByText("16 of 16 episodes with").waitFor();
    await plainText(page, "episodes");
  }
});

panel.looks(["dark", "phone"], PLACE, async (page) => {
  await load(page);
  await forkWith(page, "Up");
  await by(page, "fork-panel").getByText("Change the board").click();
});
