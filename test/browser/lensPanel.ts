/** What the tests of a panel of the lens share: the page with a made-up run, opened at one panel. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFaults } from "./axe.ts";
import { showing } from "../fixtures/lensAddress.ts";
import {
  atRest,
  by,
  launch,
  openPanel,
  openPage,
  routeRecording,
  servePage,
  takePicture,
  unstick,
  type ServedPage,
} from "./support.ts";

interface OpenOptions extends BrowserContextOptions {
  /** Another run, as a recording's text; null for none. */
  recording?: string | null;
  /** Of the experiment. */
  preset?: string;
}

/** A window by day and by night, a phone, and a projector of 1024 by 768. */
export const LOOKS = {
  light: { viewport: { width: 1280, height: 1100 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 1100 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 1000 }, colorScheme: "light" },
  projector: {
    viewport: { width: 1024, height: 768 },
    colorScheme: "light",
    deviceScaleFactor: 1.5,
  },
} as const;

export type Look = keyof typeof LOOKS;

/** Sets up the page for the tests of one file; `panel` is the panel's id, without a recording the shipped one is shown. */
export function lensPanel(panel: string, recording?: string, worker: "fake" | "real" = "fake") {
  let browser: Browser;
  let site: ServedPage;
  beforeAll(async () => {
    browser = await launch();
    site = await servePage({ worker, ...(recording !== undefined && { recording }) });
  });
  afterAll(async () => {
    await site?.close();
    await browser?.close();
  });

  /** Opens an address of the page. */
  const openAt = (hash: string, options: BrowserContextOptions = {}) =>
    openPage(browser, site.url + hash, options);

  /** Opens the lens with this panel open; `rest` is the address after `view=lens`. */
  const open = async (rest = "", options: OpenOptions = {}) => {
    const { recording: other, preset = "nano", ...context } = options;
    const opened = await openPage(browser, "about:blank", context);
    const { page } = opened;
    if (other !== undefined) await routeRecording(page, other);
    // Where the test says nothing of it, the panel has the whole workspace.
    const place = /&(layout|open|alone)=/.test(rest) ? "" : showing(panel);
    await page.goto(`${site.url}#v1/${preset}?view=lens${rest}${place}`);
    const states =
      other === null
        ? "[data-recording=missing]"
        : ":is([data-recording=shown],[data-recording=other])";
    await page.locator(states).waitFor();
    await openPanel(page, panel);
    // What it shows first may be that it works something out.
    await by(page, `${panel}-panel`).evaluate(atRest);
    return opened;
  };

  /** Axe, and a picture, of a state that the stories do not show. */
  const looks = (which: readonly Look[], rest: string, ready: (page: Page) => Promise<void>) =>
    describe.each(which)("in %s", (look) => {
      it("is in order for axe", async () => {
        const { page, errors, close } = await open(rest, LOOKS[look]);
        await ready(page);
        expect(await axeFaults(page, { within: `[data-testid=${panel}-panel]` })).toEqual([]);
        // The cursor bar would stick over the picture.
        await unstick(page);
        await takePicture(by(page, `${panel}-panel`), `${panel}-${look}.png`);
        expect(errors).toEqual([]);
        await close();
      });
    });

  return { open, openAt, looks };
}

/** The panel's text, which must have no word that only a program would say. */
export async function plainText(page: Page, panel: string): Promise<string> {
  const text = (await by(page, `${panel}-panel`).textContent())!;
  expect(text).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
  return text;
}
