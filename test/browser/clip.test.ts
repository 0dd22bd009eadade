/** The clip panel in a real Chromium: its numbers, its keys, and recordings that lack something. */
import { AxeBuilder } from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addUp, chosen } from "../../src/panels/clip/steps.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { stepsEvents, stepsRecording } from "../fixtures/stepsRun.ts";
import { launch, openPage, screenshots, servePage, type ServedPage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await launch();
  site = await servePage({ worker: "fake", recording: stepsRecording() });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

const by = (page: Page, id: string) => page.getByTestId(id);

async function open(at: string, options: { recording?: string } & Record<string, unknown> = {}) {
  const { recording, ...context } = options;
  const opened = await openPage(browser, "about:blank", context);
  if (recording !== undefined)
    await opened.page.route("**/runs/nano.jsonl", (route) => route.fulfill({ body: recording }));
  await opened.page.goto(`${site.url}#v1/nano?view=lens${at}`);
  await opened.page.locator("[data-testid=recording][data-state=shown]").waitFor();
  await opened.page.locator("details[data-panel=clip] > summary").click();
  await by(opened.page, "clip-panel").waitFor();
  return opened;
}

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
    const cells = (some: typeof steps) =>
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
    const text = await by(page, "clip-panel").textContent();
    expect(text).toMatch(sentence);
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
    expect(errors).toEqual([]);
    await close();
  });

  it("says what will be there before there is a run", async () => {
    const { page, close } = await openPage(browser, "about:blank");
    await page.route("**/runs/nano.jsonl", (route) => route.fulfill({ status: 404 }));
    await page.goto(`${site.url}#v1/nano?view=lens`);
    await page.locator("details[data-panel=clip] > summary").click();
    expect(await by(page, "clip-panel").textContent()).toContain("No updates yet");
    await close();
  });
});

const LOOKS = {
  light: { viewport: { width: 1280, height: 1100 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 1100 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 1000 }, colorScheme: "light" },
  projector: {
    viewport: { width: 1280, height: 900 },
    colorScheme: "light",
    deviceScaleFactor: 1.5,
  },
} as const;

describe.each(Object.entries(LOOKS))("in %s", (look, options) => {
  it("is in order for axe, and has its picture taken", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,2,1,1", options);
    await by(page, "clip-strip").waitFor();
    const found = await new AxeBuilder({ page }).include("[data-testid=clip-panel]").analyze();
    expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    await page.addStyleTag({ content: ".cursor-bar { position: static !important }" });
    await by(page, "clip-panel").screenshot({ path: join(screenshots, `clip-${look}.png`) });
    expect(errors).toEqual([]);
    await close();
  });
});
