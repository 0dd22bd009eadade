/** The turn ribbon in a real Chromium: its numbers, its keys, and recordings that lack something. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { formatSigned } from "../../src/charts/format.ts";
import { criticFor } from "../../src/reading/critics.ts";
import { indexOfLargest, tdErrors } from "../../src/reading/tdErrors.ts";
import { creditEpisodes, creditRecording, creditSpec } from "../fixtures/creditRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./support.ts";

const { open } = lensPanel("ribbon", creditRecording());

const cells = (page: Page, row: string) =>
  by(page, "ribbon-table").locator(`tr[data-row=${row}] td`).allTextContents();
const waitForTurn = (page: Page, text: string) =>
  by(page, "ribbon-panel").locator("[aria-current=step]", { hasText: text }).waitFor();

describe("the ribbon", () => {
  it("shows the TD errors that the recorded values give", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,2,1");
    const episodes = creditEpisodes("turn-ppo");
    const critic = criticFor(creditSpec(), "turn-ppo", episodes);
    const deltas = tdErrors(episodes[1]!, critic);
    expect((await cells(page, "delta")).slice(0, -1)).toEqual(deltas.map((d) => formatSigned(d)));
    expect((await cells(page, "value")).slice(0, -1)).toEqual(
      episodes[1]!.turns.map(({ value }) => formatSigned(value)),
    );
    // The end of five turns is in sight without scrolling, on a projector too.
    await page.setViewportSize({ width: 1024, height: 768 });
    const { turns } = creditEpisodes("turn-ppo").find((one) => one.turns.length === 5)!;
    expect(turns).toHaveLength(5);
    const box = by(page, "ribbon-table").locator("xpath=..");
    const overflow = () => box.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(overflow).toBe(0);
    // Alone its chart and its TD errors are in sight with the boards.
    await by(page, "ribbon-panel").focus();
    await page.keyboard.press("z");
    const bottom = async () => {
      const at = await by(page, "ribbon-table").locator("tr[data-row=delta]").boundingBox();
      return at!.y + at!.height;
    };
    await expect.poll(bottom).toBeLessThan(768);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const jumps = by(page, "ribbon-panel").locator(".jumps button");
    const tops = await jumps.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );
    expect(new Set(tops).size).toBe(1);
    const surprise = await by(page, "ribbon-surprise").textContent();
    expect(surprise).toContain(`most at turn ${indexOfLargest(deltas)! + 1}: `);
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
    await waitForTurn(page, `Turn ${/most at turn (\d+)/.exec(text)![1]!}`);
    await page.keyboard.press("Shift+E");
    await page.keyboard.press("x");
    await by(page, "ribbon-panel").locator("th.ribbon-current .tag-clipped").waitFor();
    expect(new URL(page.url()).hash).toMatch(/at=turn-ppo/);
    expect(errors).toEqual([]);
    await close();
  });

  it("follows a click on a turn, and says what GRPO lacks", async () => {
    const { page, errors, close } = await open("&at=grpo,1,5,1");
    await by(page, "ribbon-table").locator("tr[data-row=seen] td").nth(1).click();
    await waitForTurn(page, "Turn 2");
    expect(await by(page, "ribbon-critic").textContent()).toMatch(/^GRPO has no critic; V is what/);
    await page.locator("[data-jump=lastTurn]").click();
    await waitForTurn(page, `Turn ${creditEpisodes("grpo")[4]!.turns.length}`);
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
    const box = by(page, "ribbon-table").locator("xpath=..");
    expect(await box.evaluate((element) => element.scrollLeft)).toBeGreaterThan(1000);
    expect(errors).toEqual([]);
    await close();
  });
});
