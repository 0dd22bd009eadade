/** The critic panel in a real Chromium: what it asks of the critic itself. Its numbers are in ../dom. */
import { describe, expect, it } from "vitest";
import { creditRecording } from "../fixtures/creditRun.ts";
import { axeFaults } from "./axe.ts";
import { lensPanel } from "./lensPanel.ts";
import { by, takePicture, unstick } from "./support.ts";

const { open } = lensPanel("critic", creditRecording());

describe("the critic panel", () => {
  it("asks the live critic about every square, and a recorded run's not", async () => {
    const { page, errors, close } = await open("&optimisation.iterations=2");
    const section = by(page, "critic-landscape-section");
    await expect.poll(() => section.textContent()).toContain("This needs the critic's weights");
    await by(page, "run").click();
    await page.locator("[data-run-state=finished]").waitFor();
    // Off screen the panel stays as it was.
    await section.scrollIntoViewIfNeeded();
    await by(page, "critic-ask").click();
    await by(page, "critic-landscape").waitFor();
    await by(page, "critic-landscape-table-open").click();
    const table = by(page, "critic-landscape-table").locator("tbody tr");
    await table.first().waitFor();
    const rows = await table.allTextContents();
    // The made-up board has 15 free squares; its player is at row 2, column 3.
    expect(rows).toHaveLength(15);
    expect(rows).toContain("row 2, column 3+1.5000.000");
    expect(rows).toContain("row 2, column 5+3.500+2.000");
    const summary = by(page, "critic-landscape-summary");
    await expect.poll(() => summary.textContent()).toContain("Highest: +3.500 at row 2, column 5.");
    await unstick(page);
    await takePicture(section, "critic-landscape.png");
    // The answer was about that turn; with the box ticked the next one is asked about too.
    await by(page, "critic-panel").focus();
    await page.keyboard.press("j");
    await by(page, "critic-landscape").waitFor({ state: "detached" });
    await section.getByRole("checkbox").check();
    await page.getByText("after 2 iterations").waitFor();
    await by(page, "critic-panel").focus();
    await page.keyboard.press("k");
    await page.getByText("after 1 iteration.").waitFor();
    const within = "[data-testid=critic-landscape-section]";
    expect(await axeFaults(page, { within })).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
