// @vitest-environment happy-dom
/** The panel of turns by iteration: its numbers, its choices and its keys. Its looks are in stories.test.ts. */
import { describe, expect, it } from "vitest";
import { formatSignedBrief } from "../../src/numeric/format.ts";
import { addUp } from "../../src/reading/updateSteps.ts";
import { creditEpisodes, creditRecording } from "../fixtures/creditRun.ts";
import { stepsEvents, stepsRecording } from "../fixtures/stepsRun.ts";
import { lensPanel, plainText } from "./lensPanel.ts";
import { by } from "./page.ts";

const { open } = lensPanel("byTurn", creditRecording());

const meanOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe("turn by iteration", () => {
  it("shows each method's means at the cursor, and why one has none", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,1,1");
    const reading = by(page, "byTurn-reading").locator("[data-method=turn-ppo]");
    const first = creditEpisodes("turn-ppo").map((episode) => episode.turns[0]!);
    await reading
      .getByText(formatSignedBrief(meanOf(first.map((turn) => turn.advantage))))
      .waitFor();
    await page.locator("input[value=value]").click();
    await reading.getByText(formatSignedBrief(meanOf(first.map((turn) => turn.value!)))).waitFor();
    await page.waitForURL(/&byTurn:show=value/);
    const grpo = by(page, "byTurn-maps").locator("[data-method=grpo]");
    expect(await grpo.textContent()).toContain("GRPO has no critic");
    await plainText(page, "byTurn");
    expect(errors).toEqual([]);
    await close();
  });

  it("opens as a link says", async () => {
    const { page, close } = await open("&at=turn-ppo,1,1,1&byTurn:show=success");
    await by(page, "byTurn-maps").waitFor();
    expect(await page.locator("input[value=success]").isChecked()).toBe(true);
    await close();
  });

  it("moves the cursor of all panels by keyboard", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,2,1,1");
    const map = by(page, "byTurn-maps").locator("[data-method=turn-ppo] [data-scope=byTurn]");
    await map.waitFor();
    await map.focus();
    await page.keyboard.press("ArrowLeft");
    const iteration = by(page, "cursor").getByTestId("turns-iteration");
    await expect.poll(() => iteration.inputValue()).toBe("1");
    await page.keyboard.press("ArrowDown");
    await by(page, "byTurn-reading").getByText("Iteration 1, turn 2:").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("has all that the log says of an iteration's turns in a table", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,1,1", {
      recording: stepsRecording(),
    });
    await by(page, "byTurn-maps").waitFor();
    await by(page, "byTurn-here-table-open").click();
    const updates = stepsEvents().flatMap((event) =>
      event.type === "iteration" && event.algorithm === "turn-ppo" && event.iteration === 1
        ? event.updates!
        : [],
    );
    const rows = await by(page, "byTurn-here-table").locator("tbody tr").all();
    const cells = await Promise.all(rows.map((row) => row.locator("td").allTextContents()));
    const cut = addUp(updates).byTurn.map(({ uses, high, low }) => [
      `${uses}`,
      `${high}`,
      `${low}`,
    ]);
    // Methods come one after another, Turn-PPO's last.
    expect(cells.slice(-cut.length).map((row) => row.slice(-6, -3))).toEqual(cut);
    expect(errors).toEqual([]);
    await close();
  });
});
