// @vitest-environment happy-dom
/** The speed panel: its numbers and its choices. Its looks and its gaps are in stories.test.ts. */
import { describe, expect, it } from "vitest";
import { sickRecording } from "../fixtures/sickRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./page.ts";

const { open } = lensPanel("speed", sickRecording(false));

describe("the speed panel", () => {
  it("shows times, rates and memory of every iteration", async () => {
    const { page, errors, close } = await open();
    expect(await by(page, "speed-summary").textContent()).toMatch(
      /GRPO: 20 iterations in 2 min 40 s\b/,
    );
    await by(page, "speed-table-open").click();
    const row = by(page, "speed-table").locator("tbody tr").first();
    expect(await row.locator("th").textContent()).toBe("GRPO, 1");
    expect(await row.locator("td").allTextContents()).toEqual([
      ...["2.000", "6.000", "8.000", "4.000", "320.0", "11.00"],
    ]);
    await by(page, "speed-totals-table-open").click();
    const totals = by(page, "speed-totals-table").locator("tbody tr").last();
    expect(await totals.locator("td").allTextContents()).toEqual(["20", "40.00", "120.0", "160.0"]);
    expect(errors).toEqual([]);
    await close();
  });

  it("draws what is chosen, by keyboard", async () => {
    const { page, errors, close } = await open();
    await by(page, "speed-quantity").focus();
    await page.keyboard.press("End");
    await page.getByText("Memory held, MiB: summary and table").click();
    const last = by(page, "speed-chart-table").locator("tr[data-x='20'] td").first();
    expect(await last.textContent()).toBe("30.00");
    expect(errors).toEqual([]);
    await close();
  });
});
