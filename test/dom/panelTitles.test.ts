// @vitest-environment happy-dom
/** One title for each panel: in the lens's menu, on its tab or fold, and above its numbers. */
import { expect, it } from "vitest";
import { entriesOf } from "../../src/app/palette/entries.ts";
import { manifests } from "../../src/panels/manifests.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { showingAll } from "../fixtures/lensAddress.ts";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./page.ts";

const { open } = lensPanel("ribbon", creditRecording());

interface Titles {
  menu: string | undefined;
  region: string | undefined;
  fold: string | undefined;
  /** Of its pane, for the first panel. */
  tab: string | undefined;
}

/** Of every panel on the page. */
function titles(): Record<string, Titles> {
  const text = (element: Element | null) => element?.textContent.trim();
  return Object.fromEntries(
    [...document.querySelectorAll<HTMLElement>("details[data-panel]")].map((section) => {
      const id = section.dataset["panel"]!;
      const pane = section.closest<HTMLElement>("[data-pane]");
      const isFirst = pane?.querySelector("details[data-panel]") === section;
      const tab = `[data-tab="${pane?.dataset["pane"]}"]`;
      return [
        id,
        {
          menu: text(document.querySelector(`[data-go="${id}"]`)),
          region: text(document.querySelector(`[data-testid="${id}-panel"] :is(h2, h3)`)),
          fold: text(section.querySelector("summary strong")),
          tab: isFirst ? text(document.querySelector(tab)) : undefined,
        },
      ];
    }),
  );
}

it("is the panel's title wherever one goes to it", async () => {
  const { page, errors, close } = await open(`&at=turn-ppo,1,2,1${showingAll()}`);
  await by(page, "go-panel").press("Enter");
  const firsts = new Map<string, string>();
  for (const { id, pane } of manifests) if (!firsts.has(pane)) firsts.set(pane, id);
  const wanted = Object.fromEntries(
    manifests.map(({ id, title, pane }) => {
      const tab = firsts.get(pane) === id ? title : undefined;
      return [id, { menu: title, region: title, fold: title, tab }];
    }),
  );
  await expect.poll(() => page.evaluate(titles)).toEqual(wanted);
  const found = entriesOf(() => true, []).filter(({ group }) => group === "panels");
  expect(found.map(({ title }) => title)).toEqual(manifests.map(({ title }) => title));
  expect(errors).toEqual([]);
  await close();
});
