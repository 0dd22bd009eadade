/** The turn ribbon in a real Chromium: what is in sight of it. What it says and does is in ../dom. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { creditEpisodes, creditRecording } from "../fixtures/creditRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./support.ts";

const { open } = lensPanel("ribbon", creditRecording());

const waitForTurn = (page: Page, text: string) =>
  by(page, "ribbon-panel").locator("[aria-current=step]", { hasText: text }).waitFor();

describe("the ribbon", () => {
  it("has five turns in sight on a projector, and its rows when it is alone", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,2,1");
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
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    const jumps = by(page, "ribbon-panel").locator(".figure-go button");
    const tops = await jumps.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );
    expect(new Set(tops).size).toBe(1);
    expect(errors).toEqual([]);
    await close();
  });

  it("scrolls to the turn at the cursor", async () => {
    const recording = creditRecording((episode) => ({
      ...episode,
      turns: Array.from({ length: 140 }, (_, h) => episode.turns[h % episode.turns.length]!),
    }));
    const { page, errors, close } = await open("&at=turn-ppo,1,1,60", { recording });
    await waitForTurn(page, "Turn 60");
    await by(page, "ribbon-panel").locator("[data-strip='59']").focus();
    await page.keyboard.press("End");
    await waitForTurn(page, "Turn 140");
    const box = by(page, "ribbon-table").locator("xpath=..");
    await expect.poll(() => box.evaluate((element) => element.scrollLeft)).toBeGreaterThan(1000);
    expect(errors).toEqual([]);
    await close();
  });
});
