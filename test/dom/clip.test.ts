// @vitest-environment happy-dom
/** The clip panel: its numbers and its keys. Its looks and its gaps are in stories.test.ts. */
import { describe, expect, it } from "vitest";
import { addUp, chosenSteps } from "../../src/reading/updateSteps.ts";
import type { UpdateRecord } from "../../src/record/runEvent.ts";
import { stepsEvents, stepsRecording } from "../fixtures/stepsRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by, type DomPage } from "./page.ts";

const { open } = lensPanel("clip", stepsRecording());

const updatesOf = (algorithm: string, iteration: number) =>
  stepsEvents().flatMap((event) =>
    event.type === "iteration" && event.algorithm === algorithm && event.iteration === iteration
      ? event.updates!
      : [],
  );

async function turnRows(page: DomPage) {
  const rows = await by(page, "clip-turns-table").locator("tbody tr").all();
  return Promise.all(rows.map((row) => row.locator("td").allTextContents()));
}

describe("the clip panel", () => {
  it("shows what the log says of the steps that are chosen", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,1,1");
    await by(page, "clip-turns-table-open").click();
    const steps = updatesOf("turn-ppo", 1);
    const cells = (some: readonly UpdateRecord[]) =>
      addUp(some).byTurn.map(({ uses, high, low }) => [`${uses}`, `${high}`, `${low}`]);
    expect((await turnRows(page)).map((row) => row.slice(0, 3))).toEqual(cells(steps));
    await by(page, "clip-choice").selectOption({ value: "epoch 1" });
    const second = chosenSteps(steps, { kind: "epoch", epoch: 1 });
    expect((await turnRows(page)).map((row) => row.slice(0, 3))).toEqual(cells(second));
    expect(await by(page, "clip-rule").textContent()).toContain("Each turn has one ratio");
    expect(await by(page, "clip-turn").textContent()).toContain("the clip acts here");
    expect(errors).toEqual([]);
    await close();
  });

  it("goes along the steps by keyboard, and back to all", async () => {
    const { page, errors, close } = await open("&at=token-ppo,2,1,1");
    const card = (i: number) => by(page, "clip-strip").locator("button").nth(i);
    await card(0).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("End");
    await by(page, "clip-strip").locator("button[aria-pressed=true]").waitFor();
    expect(await card(3).getAttribute("aria-pressed")).toBe("true");
    expect(await by(page, "clip-choice").inputValue()).toBe("step 3");
    expect(await by(page, "clip-summary").textContent()).toMatch(/^Epoch 2, minibatch 2: /);
    await page.keyboard.press("Space");
    await page.waitForFunction(
      () => document.querySelector("[data-testid=clip-choice]")?.matches("select") === true,
    );
    expect(await by(page, "clip-choice").inputValue()).toBe("all");
    await page.keyboard.press("[");
    await by(page, "cursor").getByTestId("turns-iteration").waitFor();
    const iteration = by(page, "cursor").getByTestId("turns-iteration");
    await expect.poll(() => iteration.inputValue()).toBe("1");
    expect(errors).toEqual([]);
    await close();
  });
});
