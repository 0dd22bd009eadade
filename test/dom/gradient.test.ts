// @vitest-environment happy-dom
/** The gradient panel by keyboard. Its numbers are in ../figures. */
import { describe, expect, it } from "vitest";
import { lensPanel, plainText } from "./lensPanel.ts";
import { by } from "./page.ts";

const { open } = lensPanel("gradient");

describe("the gradient panel", () => {
  it("draws other rows and sorts by another batch size, by keyboard", async () => {
    const { page, errors, close } = await open();
    const legend = by(page, "gradient-cosine").locator(".chart-legend li");
    await legend.first().waitFor();
    const before = await legend.count();
    expect(before).toBeLessThanOrEqual(6);
    const drawn = by(page, "gradient-rows").locator("input:checked").first();
    await drawn.focus();
    await page.keyboard.press("Space");
    expect(await legend.count()).toBe(before - 1);
    await by(page, "gradient-size").focus();
    await page.keyboard.press("Home");
    await page.getByText("All rows at 8 episodes").waitFor();
    await page.getByText("Cosine to the true gradient: summary and table").click();
    const table = by(page, "gradient-cosine-table").locator("tbody th");
    expect(await table.allTextContents()).toEqual(["8", "16", "32", "64", "128"]);
    await page.getByText("How it was measured").click();
    expect(await plainText(page, "gradient")).toContain("npm run -s turnbook -- gradient");
    expect(errors).toEqual([]);
    await close();
  });
});
