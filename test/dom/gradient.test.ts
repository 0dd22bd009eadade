// @vitest-environment happy-dom
/** The gradient panel: the shipped figure, its choices. */
import { describe, expect, it } from "vitest";
import { lensPanel, plainText } from "./lensPanel.ts";
import { by } from "./page.ts";

const { open } = lensPanel("gradient");

describe("the gradient panel", () => {
  it("shows at least twelve rows with intervals, n, command and machine", async () => {
    const { page, errors, close } = await open();
    const rows = by(page, "gradient-rows").locator("tbody tr");
    await rows.first().waitFor();
    const titles = (await rows.locator("th").allTextContents()).join(", ").split(", ");
    expect(titles.length).toBeGreaterThanOrEqual(12);
    expect(await rows.first().locator("td").first().textContent()).toMatch(
      /^−?\d\.\d\d \(−?\d\.\d\d to −?\d\.\d\d\)$/,
    );
    await page.getByText("How it was measured").click();
    const text = await plainText(page, "gradient");
    expect(text).toMatch(/n = [\d,]+ episodes in \d+ blocks/);
    expect(text).toContain("npm run -s turnbook -- gradient");
    expect(text).toContain("Machine: AMD EPYC");
    expect(errors).toEqual([]);
    await close();
  });

  it("draws other rows and sorts by another batch size, by keyboard", async () => {
    const { page, errors, close } = await open();
    const legend = by(page, "gradient-panel").locator(".chart-legend li");
    await legend.first().waitFor();
    const before = await legend.count();
    expect(before).toBeLessThanOrEqual(6);
    const drawn = by(page, "gradient-rows").locator("input:checked").first();
    await drawn.focus();
    await page.keyboard.press("Space");
    expect(await legend.count()).toBe(before - 1);
    await by(page, "gradient-size").focus();
    await page.keyboard.press("Home");
    const caption = by(page, "gradient-rows").locator("caption");
    expect(await caption.textContent()).toContain("All rows at 8 episodes");
    await page.getByText("Cosine to the true gradient: summary and table").click();
    const table = by(page, "gradient-cosine-table").locator("tbody th");
    expect(await table.allTextContents()).toEqual(["8", "16", "32", "64", "128"]);
    expect(errors).toEqual([]);
    await close();
  });
});
