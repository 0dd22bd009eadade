/** One episode, many credits, in a real Chromium: its file, and its looks. What it says and does is in ../dom. */
import { execFileSync } from "node:child_process";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { words as ask } from "../../src/panels/shared/ask/words.ts";
import { words as says } from "../../src/figures/credits/words.ts";
import { titleOf } from "../../src/reading/titles.ts";
import { tokenRecording } from "../fixtures/tokenRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by, openPanel } from "./support.ts";

const panel = lensPanel("credits", tokenRecording());

/** Episode 4 of Turn-PPO's iteration 2, its second turn. */
const PLACE = "&at=turn-ppo,2,4,2";

interface OpenOptions extends BrowserContextOptions {
  /** Replaces the run. */
  recording?: string;
  at?: string;
}

async function open({ at = PLACE, ...options }: OpenOptions = {}) {
  return panel.open(at, options);
}

const row = (page: Page, id: string) => by(page, "credits-table").locator(`tr[data-row="${id}"]`);

/** The table of exact numbers: by row, in the order of the columns. */
async function exact(page: Page, id: string): Promise<number[]> {
  const table = by(page, "credits-exact");
  const heads = await table.locator("thead th").allTextContents();
  const at = heads.indexOf(NAMES[id] ?? titleOf(id));
  const cells = table.locator(`tbody td:nth-child(${at + 1})`);
  return (await cells.allTextContents()).map(Number);
}

const NAMES: Record<string, string> = { truth: says.truth, trained: says.trained("Turn-PPO") };

/** What the command that the page shows prints, on the file that the page saves. */
async function commandLine(page: Page, name: string) {
  await by(page, "credits-take-for").selectOption(name);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    by(page, "credits-take").getByRole("button", { name: "Save batch" }).click(),
  ]);
  const command = (await by(page, "credits-command").textContent())!;
  const [prefix, ...words] = command
    .split(" -- ")
    .flatMap((part, i) => (i ? part.split(" ") : part));
  expect(prefix).toBe("npm run -s turnbook");
  const file = words[words.indexOf("--batch") + 1]!;
  expect(file).toBe(download.suggestedFilename());
  const argv = words.map((word) => (word === file ? "" : word));
  argv[words.indexOf(file)] = await download.path();
  const output = execFileSync("node", ["src/cli/turnbook.mjs", ...argv], { encoding: "utf8" });
  return {
    words,
    printed: JSON.parse(output) as {
      advantages: number[][] | null;
      tokenAdvantages: number[][][];
    },
  };
}

function expectSame(mine: number[], theirs: number[]): void {
  expect(mine).toHaveLength(theirs.length);
  mine.forEach((x, i) => {
    const error = Math.abs(x - theirs[i]!) / Math.max(Math.abs(theirs[i]!), 1e-12);
    expect(error, `${x} against ${theirs[i]}`).toBeLessThan(1e-9);
  });
}

describe("the credits panel", () => {
  it("saves a batch on which the command line prints the same numbers", async () => {
    const { page, errors, close } = await open();
    await by(page, "credits-token").check();
    await by(page, "credits-exact-open").click();
    await by(page, "credits-take").locator("summary").click();
    const { printed } = await commandLine(page, "turn-ppo");
    expectSame(await exact(page, "turn-ppo"), printed.tokenAdvantages[3]!.flat());
    expect(errors).toEqual([]);
    await close();
  });

  it("has every turn in sight beside the truth, and its interval at hand", async () => {
    const { page, errors, close } = await open();
    await openPanel(page, "fork");
    await by(page, "fork-panel").getByRole("button", { name: ask.load }).click();
    await openPanel(page, "credits");
    await by(page, "cursor").getByRole("button", { name: ask.truth }).click();
    await row(page, "truth").waitFor();
    const cell = row(page, "truth").locator("td.number").first();
    await expect.poll(() => cell.getAttribute("title")).toMatch(/ … /);
    const hidden = await by(page, "credits-table")
      .locator("xpath=..")
      .evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(hidden).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });
});

panel.looks(["phone"], PLACE, async (page) => {
  await by(page, "credits-table-open-2").click();
  await by(page, "credits-add").selectOption("remax");
  await by(page, "credits-exact-open").click();
  await by(page, "credits-take").locator("summary").click();
  await row(page, "remax").waitFor();
  const [whole, seen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    window.innerWidth,
  ]);
  expect(whole).toBe(seen);
});
