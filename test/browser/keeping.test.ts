/** How the list of notebooks and earlier versions look, and that the browser itself upgrades what version 1 kept. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { presetSpec } from "../../src/spec/presets.ts";
import fixture from "../fixtures/storageV1.json" with { type: "json" };
import { axeFaults } from "./axe.ts";
import {
  by,
  launch,
  openPage,
  type ServedPage,
  servePage,
  takePicture,
  WINDOWS,
} from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake" });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

interface Given {
  name: string;
  stores: readonly { name: string; keyPath?: string; records: readonly object[] }[];
}

/** Makes a database as the first version of the page did. */
const makeV1 = (page: Page, given: Given) =>
  page.evaluate(
    ({ name, stores }) =>
      new Promise<void>((resolve) => {
        const asked = indexedDB.open(name, 1);
        asked.onupgradeneeded = () => {
          for (const { name: store, keyPath, records } of stores) {
            const made = asked.result.createObjectStore(store, keyPath ? { keyPath } : {});
            for (const one of records) made.put(one);
          }
        };
        asked.onsuccess = () => {
          asked.result.close();
          resolve();
        };
      }),
    given,
  );

const records = fixture["turnbook-notebooks"].stores[0]!.records.map(({ value }) => value);

/** As version 1 kept it, but for its curves; so many that the next one takes the place of another. */
const runs = Array.from({ length: 12 }, (_, n) => ({
  ...{ id: `run${n}`, place: n === 0 ? "#book/k3x9mnpqrs/first" : `#/part-${n}` },
  ...{ spec: presetSpec("nano"), state: "finished", iteration: 50, bytes: 3_000_000 },
  ...{
    begun: "2026-10-03T09:00:00.000Z",
    changed: new Date(Date.now() - n * 60_000).toISOString(),
  },
  ...(n === 0 && {
    curves: {
      measure: "heldout",
      lines: [
        { method: "grpo", x: [0, 10, 20, 30], y: [0.1, 0.2, 0.15, 0.25] },
        { method: "turn-ppo", x: [0, 10, 20, 30], y: [0.1, 0.25, 0.4, 0.45] },
      ],
    },
  }),
}));

it("what version 1 kept is listed with pictures and sizes, clean for axe, wide and narrow", async () => {
  const { page, errors, close } = await openPage(browser, `${site.url}needs.js`);
  await makeV1(page, {
    ...{ name: "turnbook-notebooks", stores: [{ name: "notebooks", keyPath: "id", records }] },
  });
  await makeV1(page, {
    name: "turnbook-runs",
    stores: [
      { name: "runs", keyPath: "id", records: runs },
      { name: "lines", records: [] },
      { name: "checkpoints", records: [] },
    ],
  });
  // A script shown alone has no icon, which the browser reports.
  errors.length = 0;
  await page.goto(`${site.url}#notebooks`);
  // The third one was deleted.
  await expect.poll(() => by(page, "notebook-card").count()).toBe(2);
  await by(page, "runs-leaving").waitFor();
  await page.getByText("Saved runs: 12 of 12").click();
  await by(page, "kept-runs").waitFor();
  for (const { name, viewport, theme } of WINDOWS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: theme });
    expect(await axeFaults(page, { within: "[data-testid=gallery]" })).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await takePicture(page, `gallery-${name}.png`, { fullPage: true });
  }
  await by(page, "notebook-card").getByText("What does the clip cut?").click();
  await by(page, "mode-edit").click();
  await by(page, "edit-cell").first().click();
  await page.locator(".cm-content").click();
  // The first line names the cell; its editor stays while that is written.
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  for (const letter of " Now?") await page.keyboard.insertText(letter);
  await page.locator("[data-testid=edit] h1").getByText("What does the clip cut? Now?").waitFor();
  await page.locator("[data-testid=keeping][data-state=saved]").waitFor();
  await by(page, "book-menu").click();
  await by(page, "book-versions").click();
  await by(page, "read-version").click();
  await by(page, "version").getByText("seed: 7").waitFor();
  await expect.poll(() => by(page, "version").getByRole("heading").count()).toBe(1);
  expect(await axeFaults(page, { within: "[data-testid=versions]" })).toEqual([]);
  await takePicture(page, "versions.png");
  expect(errors).toEqual([]);
  await close();
});
