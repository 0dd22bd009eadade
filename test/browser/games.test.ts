/** FrozenLake and the bandit in a real Chromium: the form's fields, a run, its pictures, the truth, the playground. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { descriptorOf } from "../../src/env/descriptors.ts";
import { words as ask } from "../../src/panels/shared/ask/words.ts";
import {
  by,
  launch,
  openPage,
  openPanel,
  servePage,
  takePicture,
  type ServedPage,
} from "./support.ts";
import { showing } from "../fixtures/lensAddress.ts";

let site: ServedPage;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "real" }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const SMALL =
  "&iterations=1&backend=wasm&algorithms=turn-ppo&optimisation.tasksPerIteration=2&optimisation.groupSize=4" +
  "&optimisation.minibatch=8&optimisation.epochs=1&evaluation.levels=0&clone.levels=16&clone.steps=2";

const GAMES = [
  {
    kind: "frozenlake",
    label: /^4 by 4 lake\. Player at row/,
    moves: ["Left", "Down", "Right", "Up"],
  },
  { kind: "bandit", label: /^Two levers: \w+, \w+\.$/, moves: null },
] as const;

async function open(page: Page, panel: string) {
  await openPanel(page, panel);
  return by(page, `${panel}-panel`);
}

describe.each(GAMES)("$kind", ({ kind, label, moves }) => {
  it("is set in the form, trains, is seen in the lens, and can be played", async () => {
    const address = `${site.url}#v1/${kind}?view=lens${SMALL}${showing("run")}`;
    const { page, errors, close } = await openPage(browser, address);
    await by(page, "run-panel").waitFor();
    const { title, fields } = descriptorOf(kind);
    const group = by(page, "environment-settings").filter({ hasText: title });
    await group.waitFor({ state: "attached" });
    for (const { path, label } of fields)
      await expect.poll(() => by(page, `field-${path}`).count(), { message: label }).toBe(1);

    await by(page, "run").click();
    await page.locator("[data-run-state=finished]").waitFor();

    const ribbon = await open(page, "ribbon");
    const board = ribbon.getByTestId("board").first();
    await board.waitFor();
    await expect.poll(() => board.getAttribute("aria-label")).toMatch(label);
    await takePicture(ribbon, `games/${kind}-ribbon.png`);

    const credits = await open(page, "credits");
    await by(page, "cursor").getByRole("button", { name: ask.truth }).click();
    // What is off screen is not redrawn.
    await credits.scrollIntoViewIfNeeded();
    await credits.locator("[data-row=truth]").first().waitFor();

    const play = await open(page, "playground");
    await by(page, "play-another").click();
    await by(page, "play-state").waitFor();
    await expect
      .poll(() => play.getByTestId("board").first().getAttribute("aria-label"))
      .toMatch(label);
    const buttons = play.getByTestId("play-moves").getByRole("button");
    const names = await buttons.allTextContents();
    if (moves) expect(names).toEqual(moves);
    else expect(names).toHaveLength(2);
    await takePicture(play, `games/${kind}-play.png`);
    await buttons.first().click();
    await by(page, "play-log").locator("li").first().waitFor();
    await expect
      .poll(() => by(page, "play-log").locator("li").first().textContent())
      .toContain(names[0]);
    expect(errors).toEqual([]);
    await close();
  });
});
