/** A debugging link of a run that is still under way: another profile sees the same turn and token, with the same numbers, in the same panes. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { by, launch, openPage, servePage } from "../browser/support.ts";

/** Four episodes of two turns an iteration; far from its end when the link is made. */
const RUN =
  "#v1/nano?seed=5&iterations=30&backend=wasm&algorithms=grpo,turn-ppo&environment.maxTurns=2" +
  "&optimisation.tasksPerIteration=1&optimisation.groupSize=4&optimisation.minibatch=4&optimisation.epochs=1" +
  "&critic.epochs=1&critic.warmup=1&evaluation.levels=0";
const LENS = "&view=lens&layout=r(60-tokens~40-c(50-credits~50-ribbon))&credits:quantity=ratio";

const WIDE = { viewport: { width: 1440, height: 1000 }, own: true };

/** What is seen of the place: its turn's tokens and their numbers, the row of every method, V by turn. */
async function seenIn(page: Page): Promise<string[]> {
  const parts = [
    by(page, "tokens-conversation"),
    by(page, "tokens-numbers"),
    by(page, "credits-panel").locator("table").first(),
    by(page, "ribbon-panel").locator("table").first(),
  ];
  return Promise.all(parts.map(async (part) => (await part.textContent()) ?? ""));
}

const panesOf = (page: Page) =>
  page
    .locator(".pane:visible")
    .evaluateAll((all) => all.map((pane) => (pane as HTMLElement).dataset["pane"]!).sort());

const hashOf = (page: Page) => page.evaluate(() => location.hash);

const isAt = (page: Page, iteration: number) =>
  expect.poll(() => by(page, "run-bar").getAttribute("data-run-iteration")).toBe(String(iteration));

it("of a paused run leads to the same numbers in another profile", async () => {
  const [browser, site] = await Promise.all([launch(), servePage({ worker: "real" })]);
  const sender = await openPage(browser, site.url + RUN + LENS, WIDE);
  for (const iteration of [1, 2]) {
    await by(sender.page, "step").click();
    await isAt(sender.page, iteration);
  }
  await by(sender.page, "tokens-conversation").waitFor();
  await sender.page.locator("[data-pane=tokens]").focus();
  // The other method, an iteration back, the third episode, its last turn, the turn's second token.
  for (const key of ["a", "[", "l", "l", "End", "n", "n"]) await sender.page.keyboard.press(key);
  await expect.poll(() => hashOf(sender.page)).toMatch(/&at=grpo,1,3,\d,2&/);
  await by(sender.page, "tokens-numbers").waitFor();
  await by(sender.page, "copy-link").click();
  const link = (await by(sender.page, "copied").getAttribute("data-link"))!;
  const seen = await seenIn(sender.page);
  expect(seen.join(" ")).toMatch(/\d\.\d/);
  const panes = await panesOf(sender.page);
  expect(panes).toEqual(["credits", "ribbon", "tokens"]);

  const reader = await openPage(browser, link, WIDE);
  await expect.poll(() => panesOf(reader.page)).toEqual(panes);
  // What is there before this run has been trained is not shown as its numbers.
  await by(reader.page, "another-run").waitFor();
  await by(reader.page, "step").click();
  await isAt(reader.page, 1);
  await expect.poll(() => seenIn(reader.page)).toEqual(seen);
  // The place stays while the run goes on.
  await by(reader.page, "step").click();
  await isAt(reader.page, 2);
  await expect.poll(() => seenIn(reader.page)).toEqual(seen);
  await expect.poll(() => hashOf(reader.page)).toContain(/at=[^&]*/.exec(new URL(link).hash)![0]);
  await expect.poll(() => by(reader.page, "credits-ratio").isChecked()).toBe(true);
  expect([...sender.errors, ...reader.errors]).toEqual([]);
  await Promise.all([sender, reader].map(({ close }) => close()));
  await site.close();
});
