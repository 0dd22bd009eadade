/** The episodes panel in a real Chromium: a large run, and its looks. What it says and does is in ../dom. */
import { describe, expect, it } from "vitest";
import { PAGE_ROWS } from "../../src/draw/PartNote.tsx";
import { words } from "../../src/figures/episodes/words.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { largeRun } from "../fixtures/largeRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { longestTask, timed } from "./mainThread.ts";
import { by } from "./support.ts";

/** Iterations of a run of some 20 MB. */
const LARGE = 100;

const { open, looks } = lensPanel("episodes", creditRecording());
describe("the episodes panel", () => {
  it("goes through a large run beside everything else, and stops when it is asked to", async () => {
    const recording = [...largeRun(LARGE, 64)].join("");
    const { page, errors, close } = await open("", { recording });
    const count = by(page, "episodes-count");
    const column = by(page, "episodes-table").locator("th:has([data-sort=reward])");
    const sorting = ["descending", "ascending", "descending"];
    let attempt = 0;
    await timed("longest task of a large run's episodes", { limit: 50, unit: "ms" }, async () => {
      await page.getByLabel(words.scope).selectOption("this");
      const order = sorting[attempt++]!;
      return longestTask(page, async () => {
        await page.getByLabel(words.scope).selectOption("all");
        await count.getByText(words.found(64 * LARGE, 64 * LARGE, "", false)).waitFor();
        await column.getByRole("button").click();
        await column.and(page.locator(`[aria-sort=${order}]`)).waitFor();
      });
    });
    await expect.poll(() => by(page, "episodes-table").locator("tbody tr").count()).toBe(PAGE_ROWS);
    await by(page, "episodes-search").fill("zzzz");
    await page.keyboard.press("Enter");
    await by(page, "episodes-panel").getByRole("button", { name: words.stop }).click();
    await count.getByText(/^Stopped after/).waitFor();
    await by(page, "episodes-panel").getByRole("button", { name: words.goOn }).click();
    await count.getByText(/^None of/).waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});

looks(
  ["light", "phone"],
  "&at=turn-ppo,1,1,1&episodes:find=o&episodes:scope=all&episodes:sort=error&episodes:direction=down",
  async (page) => {
    await by(page, "episodes-table").locator("mark").first().waitFor();
  },
);
