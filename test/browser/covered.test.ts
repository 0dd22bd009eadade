/** No mark lies over a number, no label over a mark: all panels in panes of the lens, and beside each other over the made-up runs. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lensPanels } from "../../src/panels/panelTable.ts";
import { showingAll } from "../fixtures/lensAddress.ts";
import { LOOKS } from "./lensPanel.ts";
import { coveredNumbers, crossedLabels } from "./storyChecks.ts";
import {
  atRest,
  by,
  launch,
  openPage,
  servePage,
  shownRecording,
  STORIES,
  type ServedPage,
} from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

/** Every pane below the others, so that nothing is behind a tab. */
async function openLens(at: string, width: number) {
  const opened = await openPage(
    browser,
    `${site.url}#v1/nano-fair?view=lens&at=${at}${showingAll()}`,
    { viewport: { width, height: 8000 }, deviceScaleFactor: 0.5 },
  );
  const { page } = opened;
  await shownRecording(page).waitFor();
  await by(page, "credits-table").locator("tr[data-row=turn-ppo]").waitFor();
  await page.locator(".workspace").first().evaluate(atRest);
  return opened;
}

async function chooseGrain(page: Page, grain: string) {
  await by(page, "credits-panel").getByRole("radio", { name: grain, exact: true }).check();
  await by(page, "credits-table").evaluate(atRest);
}

it.each([
  ["grpo,50,9,1", 1440],
  ["grpo,100,14,1", 1024],
])("in panes of the lens, at %s in a window of %i pixels", async (at, width) => {
  const { page, errors, close } = await openLens(at, width);
  for (const grain of ["turn", "token", "episode"]) {
    await chooseGrain(page, grain);
    expect.soft(await coveredNumbers(page, "[data-pane]"), grain).toEqual([]);
    expect.soft(await crossedLabels(page, "[data-pane]"), grain).toEqual([]);
  }
  expect(errors).toEqual([]);
  await close();
});

it("keeps names in sight over what scrolls sideways below them", async () => {
  const { page, close } = await openLens("grpo,50,9,1", 1024);
  const hidden = await page.locator("[data-pane] table").evaluateAll((tables) =>
    tables.flatMap((table) => {
      // The box that scrolls, as narrow as on a phone.
      const box = table.parentElement!;
      box.style.maxWidth = "20rem";
      const names = [...table.querySelectorAll("tbody th")].filter(
        (one) => getComputedStyle(one).position === "sticky" && one.checkVisibility(),
      );
      return names.slice(0, 4).flatMap((name) => {
        name.scrollIntoView({ block: "nearest" });
        const { left, right, top, height } = name.getBoundingClientRect();
        const covering = [20, 60, 100, 140, 180].flatMap((scrolled) => {
          box.scrollLeft = scrolled;
          return [0.3, 0.6, 0.9].flatMap((share) => {
            const there = document.elementFromPoint(
              left + share * (right - left),
              top + height / 2,
            );
            return there && !name.contains(there) && box.contains(there) ? [there.outerHTML] : [];
          });
        });
        return covering.map((html) => `${name.textContent}: ${html.slice(0, 100)}`);
      });
    }),
  );
  expect(hidden).toEqual([]);
  await close();
});

it.each(["typical", "not-finite", "one-point"])("in the story “%s”", async (story) => {
  const address = `${site.url}${STORIES}?story=${story}`;
  const { page, close } = await openPage(browser, address, { ...LOOKS.light });
  for (const { id } of lensPanels)
    await page.locator(`[data-panel=${id}] .panel`).first().waitFor();
  for (const look of ["light", "phone"] as const) {
    const { viewport } = LOOKS[look];
    await page.setViewportSize({ width: viewport.width, height: 8000 });
    await by(page, "story").evaluate(atRest);
    expect.soft(await coveredNumbers(page, "details[data-panel]"), look).toEqual([]);
    expect.soft(await crossedLabels(page, "details[data-panel]"), look).toEqual([]);
  }
  await close();
});
