/** Large recordings in Chromium: nodes of the page, and the longest task of its main thread, by processor time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { tasksDuring } from "../browser/mainThread.ts";
import { launchOwn, openPage, servePage } from "../browser/support.ts";
import {
  emptyEpisodes,
  EMPTY_EPISODE,
  hugeGroup,
  longEpisode,
  longResponse,
  manyIterations,
} from "../fixtures/longRun.ts";
import { rowOf, type Row, type Tools } from "./area.ts";
import { showingAll } from "../fixtures/lensAddress.ts";

/** Nodes of the page with all panels open. */
const MOST_NODES = 10_000;
/** Milliseconds of a task: 50 are meant on a machine that does nothing else. */
const MOST_TASK = 400;

const RECORDINGS: [name: string, text: () => string][] = [
  ["50,000 turns", () => longEpisode(50_000)],
  ["1,000,000 empty episodes", () => emptyEpisodes(1_000_000, "{}")],
  ["100,000 episodes without turns", () => emptyEpisodes(100_000, EMPTY_EPISODE)],
  ["a response of 1 MB", () => longResponse(1_000_000)],
  ["a group of 1024", () => hugeGroup(1024)],
  ["10,000 iterations", () => manyIterations(10_000, 0)],
  ["10,000 findings", () => manyIterations(10, 10_000)],
];

export async function sizesInPage(tools: Tools): Promise<Row> {
  const folder = tools.folder("page");
  const browser = await launchOwn();
  const site = await servePage({ worker: "fake" });
  try {
    return await rowOf(
      "large recordings in Chromium, all panels open",
      RECORDINGS,
      async (one, i) => {
        const path = join(folder, `${i}.jsonl`);
        writeFileSync(path, one[1]());
        const { page, errors, close } = await openPage(
          browser,
          `${site.url}#v1/nano?view=lens${showingAll()}`,
          {
            preloads: true,
          },
        );
        const { nodes, longest } = await opened(browser, page, path);
        await close();
        tools.say(`${one[0]}: ${nodes} nodes, longest task ${Math.round(longest)} ms`);
        if (errors.length > 0) return `${one[0]}: ${errors[0]}`;
        if (nodes > MOST_NODES) return `${one[0]}: ${nodes} nodes`;
        return longest > MOST_TASK ? `${one[0]}: a task of ${Math.round(longest)} ms` : null;
      },
    );
  } finally {
    await site.close();
    await browser.close();
  }
}

/** Imports the file, then opens every panel and goes to the last episode. */
async function opened(browser: Browser, page: Page, path: string) {
  await page.locator("[data-testid=recording]").first().waitFor();
  const tasks = await tasksDuring(browser, page, async () => {
    await page.locator("#import-input").setInputFiles(path);
    await page.getByTestId("import-shown").waitFor({ timeout: 120_000 });
    await page.evaluate(openPanels);
    await page.waitForTimeout(4000);
  });
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
  return { nodes, longest: tasks[0]!.processor };
}

/** Each in turn comes into view, so that it draws; then the next episode. */
async function openPanels(): Promise<void> {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  for (const panel of document.querySelectorAll<HTMLDetailsElement>("details[data-panel]")) {
    if (!panel.open) panel.querySelector("summary")!.click();
    panel.scrollIntoView();
    await wait(600);
  }
  const scope = document.querySelector("[data-testid=cursor]");
  scope?.dispatchEvent(new KeyboardEvent("keydown", { key: "l", bubbles: true, cancelable: true }));
}
