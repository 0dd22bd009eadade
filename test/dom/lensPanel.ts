/** What the tests of a panel of the lens share: the page with a made-up run, opened at one panel. See browser/lensPanel.ts. */
import { openApp, usesApp, type OpenedInDom } from "./app.tsx";
import { expect } from "vitest";
import { showing } from "../fixtures/lensAddress.ts";
import { by, type DomPage } from "./page.ts";
import type { TrainingKind } from "./worker.ts";

interface OpenOptions {
  /** Another run, as a recording's text; null for none. */
  recording?: string | null;
  /** Of the experiment. */
  preset?: string;
}

/** `panel` is the panel's id; without a recording the shipped one is shown. */
export function lensPanel(panel: string, recording?: string, worker: TrainingKind = "fake") {
  usesApp();
  /** Opens the lens with this panel open; `rest` is the address after `view=lens`. */
  const open = async (rest = "", options: OpenOptions = {}): Promise<OpenedInDom> => {
    const { recording: run = recording, preset = "nano" } = options;
    const given = run === undefined ? { worker } : { worker, recording: run };
    const place = /&(layout|open|alone)=/.test(rest) ? "" : showing(panel);
    const opened = await openApp(`#v1/${preset}?view=lens${rest}${place}`, given);
    const { page } = opened;
    const state =
      run === null
        ? "[data-recording=missing]"
        : ":is([data-recording=shown],[data-recording=other])";
    await page.locator(state).waitFor({ state: "attached" });
    await openPanel(page, panel);
    return opened;
  };
  return { open };
}

/** Opens a panel of the lens where it is not open. */
export async function openPanel(page: DomPage, id: string): Promise<void> {
  const isThere = async () => (await by(page, `${id}-panel`).count()) > 0;
  // Panes come one after another.
  for (let i = 0; i < 20 && !(await isThere()); i++) await page.waitForTimeout(50);
  if (!(await isThere())) {
    await by(page, "go-panel").press("Enter");
    await page.locator(`[data-go=${id}]`).press("Enter");
  }
  await by(page, `${id}-panel`).waitFor();
}

/** The panel's text, which must have no word that only a program would say. */
export async function plainText(page: DomPage, panel: string): Promise<string> {
  const text = (await by(page, `${panel}-panel`).textContent())!;
  expect(text).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
  return text;
}
