/** The three browsers, each driven by what it has: Chromium by its own protocol, Firefox by BiDi, WebKit by WebDriver. */
import type { KeyInput } from "puppeteer-core";
import { launch } from "../browser/support.ts";
import { launchFirefox } from "../hostile/firefox.ts";
import type { AnyBrowser } from "./tab.ts";
import { launchWebKit } from "./webDriver.ts";

const SIZE = { width: 1280, height: 800 };

async function launchChromium(): Promise<AnyBrowser> {
  const browser = await launch();
  return {
    name: "Chromium",
    version: browser.version(),
    open: async () => {
      const context = await browser.newContext({ viewport: SIZE });
      const page = await context.newPage();
      return {
        goto: async (url) => void (await page.goto(url)),
        reload: async () => void (await page.reload()),
        evaluate: (expression) => page.evaluate(expression),
        clickAt: (x, y) => page.mouse.click(x, y),
        type: (text) => page.keyboard.type(text),
        press: (keys) => page.keyboard.press(keys),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

async function openFirefox(): Promise<AnyBrowser> {
  const browser = await launchFirefox();
  return {
    name: "Firefox",
    version: (await browser.version()).replace(/^firefox\//, ""),
    open: async () => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.setViewport(SIZE);
      return {
        goto: async (url) => void (await page.goto(url)),
        reload: async () => void (await page.reload()),
        evaluate: (expression) => page.evaluate(expression) as Promise<never>,
        clickAt: (x, y) => page.mouse.click(x, y),
        type: (text) => page.keyboard.type(text),
        press: async (keys) => {
          const names = keys.split("+") as KeyInput[];
          for (const name of names) await page.keyboard.down(name);
          for (const name of names.toReversed()) await page.keyboard.up(name);
        },
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

/** By the names that the command takes. */
export const BROWSERS: Readonly<Record<string, () => Promise<AnyBrowser>>> = {
  chromium: launchChromium,
  firefox: openFirefox,
  webkit: launchWebKit,
};
