// @vitest-environment happy-dom
/** The critic panel: its numbers and its choices. Its looks and its gaps are in stories.test.ts. */
import { describe, expect, it } from "vitest";
import { cellText } from "../../src/draw/cellText.ts";
import { formatPercent, formatSigned } from "../../src/numeric/format.ts";
import { explainedVariance } from "../../src/numeric/statistics.ts";
import { creditEpisodes, creditRecording } from "../fixtures/creditRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./page.ts";

const { open } = lensPanel("critic", creditRecording());

describe("the critic panel", () => {
  it("shows each turn's V and return, and what they explain", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,1,1");
    const turns = creditEpisodes("turn-ppo").flatMap((episode) => episode.turns);
    await by(page, "critic-points-table-open").click();
    // The panel reads iteration by iteration, each in a task of its own.
    await by(page, "critic-points-table")
      .locator("tbody tr")
      .nth(turns.length - 1)
      .waitFor();
    const rows = await by(page, "critic-points-table").locator("tbody tr").all();
    expect(rows).toHaveLength(turns.length);
    const cells = await Promise.all(rows.map((row) => row.locator("td").allTextContents()));
    expect(cells.map((row) => row.slice(2, 4))).toEqual(
      turns.map((turn) => [formatSigned(turn.value), formatSigned(turn.return)]),
    );
    const explained = explainedVariance(
      turns.map((turn) => turn.return!),
      turns.map(({ value }) => value!),
    );
    expect(await by(page, "critic-summary").textContent()).toContain(
      `Explained variance: ${formatPercent(explained)},`,
    );
    await by(page, "critic-turns-table-open").click();
    const first = creditEpisodes("turn-ppo").map((episode) => episode.turns[0]!);
    const ofFirst = explainedVariance(
      first.map((turn) => turn.return!),
      first.map(({ value }) => value!),
    );
    const firstRow = by(page, "critic-turns-table").locator("tbody tr").first();
    expect((await firstRow.locator("td").allTextContents())[1]).toBe(cellText(ofFirst, "share"));
    expect(errors).toEqual([]);
    await close();
  });

  it("takes iterations together, and holds V against what came, by keyboard", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,2,1,1");
    await by(page, "critic-span").focus();
    await page.keyboard.press("ArrowDown");
    await by(page, "critic-against").focus();
    await page.keyboard.press("ArrowDown");
    await page.getByText("each with the critic of that iteration").waitFor();
    expect(await by(page, "critic-span").inputValue()).toBe("5");
    expect(await by(page, "critic-against").inputValue()).toBe("came");
    expect(await by(page, "critic-summary").textContent()).toMatch(/turns of 16 episodes/);
    await page.waitForURL(/&critic:span=5&critic:against=came/);
    expect(errors).toEqual([]);
    await close();
  });
});
