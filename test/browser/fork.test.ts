/** The fork panel in a real Chromium, with the real worker: what is asked, what is shown, what is refused. */
import { AxeBuilder } from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { creditRecording } from "../fixtures/creditRun.ts";
import { launch, openPage, screenshots, servePage, type ServedPage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await launch();
  site = await servePage({ worker: "real" });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

const by = (page: Page, id: string) => page.getByTestId(id);

async function open(options: { recording?: string } & Record<string, unknown> = {}) {
  const { recording, ...context } = options;
  const opened = await openPage(browser, "about:blank", context);
  if (recording !== undefined)
    await opened.page.route("**/runs/nano.jsonl", (route) => route.fulfill({ body: recording }));
  await opened.page.goto(`${site.url}#v1/nano?backend=wasm&view=lens&at=turn-ppo,1,1,1`);
  await opened.page.locator("[data-testid=recording][data-state=shown]").waitFor();
  await opened.page.locator("details[data-panel=fork] > summary").click();
  await by(opened.page, "fork-panel").waitFor();
  return opened;
}

/** The first policy, loaded and waiting: no numbers of its own yet, so that the recorded run stays. */
async function load(page: Page) {
  await by(page, "fork-panel").getByRole("button", { name: "Load the first policy" }).click();
  await by(page, "fork-run").waitFor({ timeout: 60_000 });
}

async function forkWith(page: Page, response: string) {
  await by(page, "fork-branches").selectOption("16");
  await by(page, "fork-response").fill(response);
  await by(page, "fork-run").click();
  await by(page, "fork-table").waitFor({ timeout: 60_000 });
}

describe("the fork panel", () => {
  it("says of a recorded run that its weights are gone, and offers the first policy", async () => {
    const { page, errors, close } = await open();
    expect(await by(page, "ask-none").textContent()).toContain("not the weights");
    expect(await by(page, "fork-run").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("plays a turn otherwise, and shows the spread, the advantages and the episode", async () => {
    const { page, errors, close } = await open();
    await load(page);
    await forkWith(page, "Up || Down");
    const result = by(page, "fork-result");
    expect(await result.textContent()).toContain("You had it say “Up || Down” (Up, Down)");
    expect(await result.textContent()).toContain("the warm start, before any training");
    const cell = (kind: string, place: number) =>
      by(page, "fork-table").locator(`tr[data-kind=${kind}] > :nth-child(${place})`).textContent();
    expect(await cell("forked", 6)).toBe("16");
    const number = async (kind: string, place: number) =>
      Number((await cell(kind, place))!.replace("−", "-"));
    const gap = (await number("forked", 2)) - (await number("policy", 2));
    expect(await number("forked", 4)).toBeCloseTo(gap, 1);
    expect(await by(page, "fork-credits").locator("[data-algorithm=turn-ppo]").count()).toBe(1);
    expect(await by(page, "fork-list").textContent()).toContain("Turn-PPO, iteration 1");
    const strip = by(page, "fork-episode").locator("li");
    expect(await strip.nth(0).textContent()).toContain("forked here");
    expect(await strip.nth(0).textContent()).toContain("Up || Down");
    await by(page, "fork-list").getByRole("button", { name: "Remove fork 1" }).click();
    await by(page, "fork-result").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  it("changes the board by keyboard and refuses one that is solved", async () => {
    const { page, errors, close } = await open();
    await load(page);
    await by(page, "fork-panel").getByText("Change the board").click();
    const grid = by(page, "fork-grid");
    await grid.locator("[data-cell='1,1']").focus();
    await page.keyboard.press("p");
    expect(await grid.locator("[data-cell='1,1']").getAttribute("aria-label")).toContain("player");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("f");
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-cell"))).toBe(
      "2,2",
    );
    await page.keyboard.press("b");
    await page.keyboard.press("t");
    await grid.locator("[data-cell='1,1']").focus();
    for (const [r, c] of [
      [1, 2],
      [1, 3],
      [1, 4],
      [2, 1],
      [2, 3],
      [2, 4],
      [3, 1],
      [3, 2],
      [3, 3],
      [3, 4],
      [4, 1],
      [4, 2],
      [4, 3],
      [4, 4],
    ]) {
      await grid.locator(`[data-cell='${r},${c}']`).focus();
      await page.keyboard.press("w");
    }
    await by(page, "fork-problem").waitFor();
    expect(await by(page, "fork-run").getAttribute("aria-disabled")).toBe("true");
    expect(errors).toEqual([]);
    await close();
  });

  it("finds the truth of the episode, for the panels that show it", async () => {
    const { page, errors, close } = await open();
    await load(page);
    await by(page, "fork-panel").getByRole("button", { name: "Find the truth" }).click();
    const found = by(page, "fork-panel").getByTestId("truth-found");
    await found.waitFor({ timeout: 60_000 });
    expect(await found.textContent()).toContain("64 continuations from each turn");
    await page.locator("details[data-panel=ribbon] > summary").click();
    await page.getByTestId("ribbon-panel").waitFor();
    expect(await page.getByTestId("ribbon-panel").textContent()).toMatch(/True V[+−]/);
    expect(errors).toEqual([]);
    await close();
  });

  it("asks the policy that played a live run's episode", async () => {
    const { page, errors, close } = await open();
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await by(page, "fork-panel").locator("[data-origin=live]").waitFor({ timeout: 120_000 });
    await by(page, "fork-panel").getByRole("button", { name: "Find the truth" }).click();
    const found = by(page, "fork-panel").getByTestId("truth-found");
    await found.waitFor({ timeout: 120_000 });
    expect(await found.textContent()).toContain("the policy that played the episode");
    await forkWith(page, "Left");
    expect(await by(page, "fork-result").textContent()).toContain("the warm start");
    expect(errors).toEqual([]);
    await close();
  });

  it("refuses an episode of another world in a sentence", async () => {
    const { page, errors, close } = await open({ recording: creditRecording() });
    await load(page);
    await by(page, "fork-run").click();
    const refusal = by(page, "fork-panel").getByTestId("ask-refusal");
    await refusal.first().waitFor({ timeout: 30_000 });
    expect(await refusal.first().textContent()).toContain("cannot be played again");
    expect(errors).toEqual([]);
    await close();
  });

  it("does without what a log need not have", async () => {
    const recording = creditRecording((episode) => ({
      ...episode,
      turns: episode.trajectory === 0 ? [] : episode.turns.map((turn) => ({ ...turn, tokens: [] })),
    }));
    const { page, errors, close } = await open({ recording });
    expect(await by(page, "fork-panel").textContent()).toContain("This episode has no turns");
    await page.keyboard.press("Tab");
    await by(page, "fork-panel").focus();
    await page.keyboard.press("l");
    await load(page);
    await by(page, "fork-run").click();
    const refusal = by(page, "fork-panel").getByTestId("ask-refusal");
    await refusal.first().waitFor({ timeout: 30_000 });
    expect(await refusal.first().textContent()).toContain("does not tell its tokens");
    expect(errors).toEqual([]);
    await close();
  });
});

const LOOKS = {
  light: { viewport: { width: 1280, height: 1000 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 1000 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 900 }, colorScheme: "light" },
  projector: {
    viewport: { width: 1280, height: 900 },
    colorScheme: "light",
    deviceScaleFactor: 1.5,
  },
} as const;

describe.each(Object.entries(LOOKS))("in %s", (look, options) => {
  it("is in order for axe, and has its picture taken", async () => {
    const { page, errors, close } = await open(options);
    await load(page);
    await forkWith(page, "Up");
    await by(page, "fork-panel").getByText("Change the board").click();
    const found = await new AxeBuilder({ page }).include("[data-testid=fork-panel]").analyze();
    expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    // The cursor bar would stick over the picture.
    await page.addStyleTag({ content: ".cursor-bar { position: static !important }" });
    await by(page, "fork-panel").screenshot({ path: join(screenshots, `fork-${look}.png`) });
    expect(errors).toEqual([]);
    await close();
  });
});
