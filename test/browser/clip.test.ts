/** The clip panel in a real Chromium: its numbers, its keys, and recordings that lack something. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addUp, chosen } from "../../src/panels/clip/steps.ts";
import type { UpdateRecord } from "../../src/record/runEvent.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { stepsEvents, stepsRecording } from "../fixtures/stepsRun.ts";
import { by, lensPanel, plainText } from "./lensPanel.ts";

const { open, looks } = lensPanel("clip", stepsRecording());

const updatesOf = (algorithm: string, iteration: number) =>
  stepsEvents().flatMap((event) =>
    event.type === "iteration" && event.algorithm === algorithm && event.iteration === iteration
      ? event.updates!
      : [],
  );

async function turnRows(page: Page) {
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
    const second = chosen(steps, { kind: "epoch", epoch: 1 });
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
    expect(await by(page, "cursor").getByTestId("turns-iteration").inputValue()).toBe("1");
    expect(errors).toEqual([]);
    await close();
  });

  it.each([
    ["no steps", () => creditRecording(), /does not say what its optimiser steps did/],
    [
      "an actor held still",
      () => stepsRecording((event) => ({ ...event, updates: [] })),
      /The actor took no step in this iteration/,
    ],
    [
      "steps that are none",
      () => stepsRecording((event) => ({ ...event, updates: ["x"] as never })),
      /1 step of the log could not be read/,
    ],
    [
      "one turn",
      () =>
        stepsRecording((event) => ({
          ...event,
          updates: event.updates!.slice(0, 1).map((step) => ({
            ...step,
            turns: [1],
            cutHigh: [0],
            cutLow: [0],
          })),
        })),
      /Nothing was cut/,
    ],
    [
      "many steps of many turns",
      () =>
        stepsRecording((event) => ({
          ...event,
          updates: Array.from({ length: 200 }, (_, i) => ({
            ...event.updates![i % 4]!,
            epoch: i >> 3,
            ...{ turns: Array<number>(60).fill(9), cutHigh: Array<number>(60).fill(1) },
            cutLow: Array<number>(60).fill(2),
          })),
        })),
      /The first 64 of 200 steps/,
    ],
  ])("has a sentence for %s", async (_, recording, sentence) => {
    const { page, errors, close } = await open("&at=turn-ppo,1,1,1", { recording: recording() });
    expect(await plainText(page, "clip")).toMatch(sentence);
    expect(errors).toEqual([]);
    await close();
  });

  it("says what will be there before there is a run", async () => {
    const { page, close } = await open("", { recording: null });
    expect(await plainText(page, "clip")).toContain("No updates yet");
    await close();
  });
});

looks("&at=turn-ppo,2,1,1", (page) => by(page, "clip-strip").waitFor());
