// @vitest-environment happy-dom
/** A whole notebook is run by one press, which says before how much that is; what has run as it is written is left alone. */
import { expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { runQueue } from "../../src/store/runQueue.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, openSettings, type DomPage } from "./page.ts";

usesApp();

const experiment = (id: string) =>
  `\`\`\`experiment id=${id}\npreset: nano\noptimisation.iterations: 3\n\`\`\`\n\n`;
const SWEEP = "```sweep id=rates of=a\nseeds: [1, 2]\n```\n\n";
const CODE = "```code id=six\n6 * 7\n```\n\n";
const TEXT = `# Rates\n\n${experiment("a")}${SWEEP}${experiment("b")}${CODE}`;

const plan = (page: DomPage) => by(page, "run-plan").textContent();
const queued = async (page: DomPage) =>
  (await by(page, "queue").locator("li code").allTextContents()).join(" | ");
/** What stood in the queue so far, each time that it changed. */
function watchQueue(): string[] {
  const seen: string[] = [];
  runQueue.subscribe(({ current, waiting }) => {
    const all = [...(current ? [current] : []), ...waiting];
    seen.push(all.map(({ id }) => id).join(" | "));
  });
  return seen;
}

const isPlanned = (page: DomPage, wanted: RegExp) => expect.poll(() => plan(page)).toMatch(wanted);

it("counts and times what will run, runs it in the notebook's order, and then only what has changed", async () => {
  const { page, errors, close } = await openApp(`#text/${notebookToWord(TEXT)}`);
  await isPlanned(page, /^Run all: 2 experiments, 2 sweep runs, about \d+ min\.$/);
  expect(await by(page, "run-late").isDisabled()).toBe(true);
  expect(await by(page, "stop-all").count()).toBe(0);
  const queues = watchQueue();
  await page.keyboard.press("A");
  // Nor is it up to date: it came by a link.
  await isPlanned(page, /^The code waits until you review it\.$/);
  await expect.poll(() => queued(page)).toBe("");
  await expect.poll(() => by(page, "run-all").isDisabled()).toBe(true);
  expect(queues).toContain("a | rates, seed 1 | b");
  // The sweep varies the first experiment, so that its runs are others, too.
  await openSettings(page);
  await by(page, "field-optimisation.iterations").first().fill("400");
  await isPlanned(page, /Out of date: 1 experiment, 2 sweep runs, about .+\.$/);
  await by(page, "run-late").click();
  await expect.poll(() => queued(page)).toMatch(/^a/);
  await page.keyboard.press("S");
  await expect.poll(() => queued(page)).toBe("");
  await isPlanned(page, /^Run all: 1 experiment, 2 sweep runs/);
  expect(errors).toEqual([]);
  await close();
});

it("shows its keys in the help and its commands in the palette, where there is more than one run", async () => {
  const { page, close } = await openApp(`#text/${notebookToWord(TEXT)}`);
  await by(page, "run-plan").waitFor();
  await page.keyboard.press("?");
  await page.getByText("Run all of the notebook").waitFor();
  await page.getByText("Run what is out of date in the notebook").waitFor();
  await page.keyboard.press("Escape");
  await close();
  const alone = await openApp(`#text/${notebookToWord(experiment("only"))}`);
  await by(alone.page, "run").waitFor();
  expect(await by(alone.page, "run-plan").count()).toBe(0);
  await alone.close();
});
