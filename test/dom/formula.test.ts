// @vitest-environment happy-dom
/** The formula panel: its numbers, its steps by one key, and runs that lack something. */
import { describe, expect, it } from "vitest";
import { tokenRecording } from "../fixtures/tokenRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by, type DomPage } from "./page.ts";

const panel = lensPanel("formula", tokenRecording());

/** Episode 4 of Turn-PPO's iteration 2, its second turn. */
const open = ({ at = "&at=turn-ppo,2,4,2" } = {}) => panel.open(at);

const shown = (page: DomPage) =>
  page.locator("[data-testid=formula-panel] .katex-html").first().waitFor();

/** The exact number of a term, from the table below the formulas. */
const number = async (page: DomPage, binding: string) =>
  Number(
    await page
      .locator(`[data-testid=formula-terms] tr[data-binding="${binding}"] [data-value]`)
      .getAttribute("data-value"),
  );

describe("the formula panel", () => {
  it("fills in the numbers of the turn, which add up, and marks where they came from", async () => {
    const { page, errors, close } = await open({ at: "&at=turn-ppo,2,4,1" });
    await shown(page);
    const at = (binding: string) => number(page, binding);
    expect(await at("turn.delta")).toBeCloseTo(
      (await at("turn.reward")) + 0.99 * (await at("turn.nextValue")) - (await at("turn.value")),
      9,
    );
    const text = await page.locator("[data-step=tdError] .katex-html").first().textContent();
    expect(text).toContain((await at("turn.delta")).toFixed(3).replace("-", "−"));
    const button = page.locator("tr[data-binding='turn.nextValue'] button");
    await button.click();
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    const origin = page.locator("td.origin");
    expect(await origin.getAttribute("data-cell")).toBe("turn.value@3.1");
    await button.press("Escape");
    await origin.waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  it("shows any row, or says why it cannot", async () => {
    const { page, errors, close } = await open();
    await by(page, "formula-algorithm").selectOption("grpo");
    await page.locator("[data-binding='group.mean']").waitFor();
    const score = await number(page, "trajectory.score");
    const cells = page.locator("td[data-cell^='trajectory.score@']");
    const scores = (await cells.allTextContents()).map((text) => text.replace("−", "-"));
    expect(scores.map(Number).some((x) => Math.abs(x - score) < 0.01)).toBe(true);
    await by(page, "formula-algorithm").selectOption("reinforce");
    await page.getByText(/This row uses no ratio/).waitFor();
    await by(page, "formula-algorithm").selectOption("st-ppo");
    await page.getByText(/the number above is undivided/).waitFor();
    await by(page, "formula-algorithm").selectOption("remax");
    await by(page, "formula-reason")
      .getByText(/greedy rollout/)
      .waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
