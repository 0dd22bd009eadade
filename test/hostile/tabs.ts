/** One tab in Chromium or in Firefox, as far as these tests need it: both drive the same page by expressions. */
import type { Browser as Chromium } from "playwright-core";
import { launchOwn } from "../browser/support.ts";
import { launchFirefox } from "./firefox.ts";
import { KEEP_WORKERS, LOOK, clickOn, type Look } from "./servedRun.ts";

export interface Tab {
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

export interface Tabs {
  name: "Chromium" | "Firefox";
  /** A tab in a profile of its own; `before` is run in it before anything of the page. */
  open(url: string, before?: string): Promise<Tab>;
  /** Kills the process that speaks to the graphics card; absent where there is no such thing. */
  killGpu?(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds in which a page may load on a machine with much other work: 30,000 were too few at a load of 20. */
const LOADING = 180_000;

export async function chromiumTabs(): Promise<Tabs> {
  const browser: Chromium = await launchOwn();
  return {
    name: "Chromium",
    open: async (url, before = "") => {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.setDefaultNavigationTimeout(LOADING);
      await page.addInitScript(KEEP_WORKERS + before);
      await page.goto(url);
      return { evaluate: (text) => page.evaluate(text), close: () => context.close() };
    },
    killGpu: async () => {
      const session = await browser.newBrowserCDPSession();
      await session.send("Browser.crashGpuProcess").catch(() => {});
    },
    close: () => browser.close(),
  };
}

export async function firefoxTabs(prefs: Record<string, unknown> = {}): Promise<Tabs> {
  const browser = await launchFirefox(prefs);
  return {
    name: "Firefox",
    open: async (url, before = "") => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultNavigationTimeout(LOADING);
      await page.evaluateOnNewDocument(KEEP_WORKERS + before);
      await page.goto(url);
      return {
        evaluate: (text) => page.evaluate(text) as Promise<never>,
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

/** Looks until something is so; the last look where it never is. */
export async function until(
  tab: Tab,
  isSo: (look: Look) => boolean,
  seconds: number,
): Promise<Look> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const look = await tab.evaluate<Look>(LOOK);
    if (isSo(look) || performance.now() > end) return look;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

export async function press(tab: Tab, id: string): Promise<void> {
  const there = `document.querySelector("[data-testid=${id}]") !== null`;
  for (let i = 0; i < 600 && !(await tab.evaluate<boolean>(there)); i++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  await tab.evaluate(clickOn(id));
}
