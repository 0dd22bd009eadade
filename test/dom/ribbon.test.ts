// @vitest-environment happy-dom
/** The turn ribbon: its numbers, its keys, and very long episodes. */
import { describe, expect, it } from "vitest";
import { formatSigned, formatSignedBrief } from "../../src/numeric/format.ts";
import { criticFor } from "../../src/reading/critics.ts";
import { indexOfLargest, tdErrors } from "../../src/reading/tdErrors.ts";
import { creditEpisodes, creditRecording, creditSpec } from "../fixtures/creditRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by, type DomPage } from "./page.ts";

const { open } = lensPanel("ribbon", creditRecording());

const cells = (page: DomPage, row: string) =>
  by(page, "ribbon-table").locator(`tr[data-row=${row}] td`).allTextContents();
const waitForTurn = (page: DomPage, text: string) =>
  by(page, "ribbon-panel").locator("[aria-current=step]", { hasText: text }).waitFor();

describe("the ribbon", () => {
  it("shows the TD errors that the recorded values give", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,2,1");
    const episodes = creditEpisodes("turn-ppo");
    const critic = criticFor(creditSpec(), "turn-ppo", episodes);
    const deltas = tdErrors(episodes[1]!, critic);
    const shown = async (row: string) => (await cells(page, row)).slice(0, -1);
    const values = episodes[1]!.turns.map(({ value }) => value);
    expect(await shown("delta")).toEqual(deltas.map(formatSignedBrief));
    expect(await shown("value")).toEqual(values.map(formatSignedBrief));
    // In full behind "?".
    await by(page, "about-ribbon").click();
    await expect.poll(() => shown("delta")).toEqual(deltas.map((d) => formatSigned(d)));
    expect(await shown("value")).toEqual(values.map((value) => formatSigned(value)));
    await by(page, "about-ribbon").click();
    const surprise = await by(page, "ribbon-surprise").textContent();
    expect(surprise).toMatch(new RegExp(`turn ${indexOfLargest(deltas)! + 1}\\b`));
    expect(await by(page, "ribbon-critic").textContent()).toContain("γ = 0.99");
    expect(errors).toEqual([]);
    await close();
  });

  it("goes by keyboard: along the turns, to the surprise, to what was clipped", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,2,1");
    await by(page, "ribbon-panel").locator("[data-strip='0']").focus();
    await page.keyboard.press("ArrowRight");
    await waitForTurn(page, "Turn 2");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Turn 2");
    await page.keyboard.press("End");
    const turns = creditEpisodes("turn-ppo")[1]!.turns.length;
    await waitForTurn(page, `Turn ${turns}`);
    await page.keyboard.press("k");
    await waitForTurn(page, `Turn ${turns - 1}`);
    await page.keyboard.press("e");
    const text = (await by(page, "ribbon-surprise").textContent())!;
    await waitForTurn(page, `Turn ${/turn (\d+)/.exec(text)![1]!}`);
    await page.keyboard.press("Shift+E");
    await page.keyboard.press("x");
    await by(page, "ribbon-panel").locator("td.ribbon-current .tag-clipped").waitFor();
    expect(new URL(page.url()).hash).toMatch(/at=turn-ppo/);
    expect(errors).toEqual([]);
    await close();
  });

  it("follows a click on a turn, and says what GRPO lacks", async () => {
    const { page, errors, close } = await open("&at=grpo,1,5,1");
    await by(page, "ribbon-table").locator("tr[data-row=seen] td").nth(1).click();
    await waitForTurn(page, "Turn 2");
    expect(await by(page, "ribbon-critic").textContent()).toMatch(/^GRPO has no critic\b/);
    await page.locator("[data-action=lastTurn]").click();
    await waitForTurn(page, `Turn ${creditEpisodes("grpo")[4]!.turns.length}`);
    expect(errors).toEqual([]);
    await close();
  });

  it("draws on each board the moves that its turn made", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,2,1");
    const { turns } = creditEpisodes("turn-ppo")[1]!;
    const boards = by(page, "ribbon-table").locator("tr[data-row=seen] .moved-board");
    expect(await boards.count()).toBe(turns.length + 1);
    for (const [h, { actions }] of turns.entries())
      expect(await boards.nth(h).locator(".arrow").count()).toBe(actions!.length);
    expect(await boards.nth(turns.length).locator(".arrow").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("draws fifty turns of many, quickly, and says so", async () => {
    const recording = creditRecording((episode) => ({
      ...episode,
      turns: Array.from({ length: 120 }, (_, h) => episode.turns[h % episode.turns.length]!),
    }));
    const { page, errors, close } = await open("&at=turn-ppo,1,1,60", { recording });
    await waitForTurn(page, "Turn 60");
    expect(await by(page, "ribbon-table").locator("thead button").count()).toBe(50);
    expect(await by(page, "ribbon-panel").textContent()).toContain("Turns 51 to 100 of 120");
    // The pictures far from the cursor come a moment later.
    const boards = by(page, "ribbon-table").getByTestId("board");
    await expect.poll(() => boards.count()).toBe(51);
    await by(page, "ribbon-panel").locator("[data-strip='59']").focus();
    await page.keyboard.press("End");
    await waitForTurn(page, "Turn 120");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Turn 120");
    expect(errors).toEqual([]);
    await close();
  });
});
