/** Where the page cannot run, or cannot train, it says in one sentence what it needs. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axeFaults } from "./axe.ts";
import { type FaultyServer, serveFaulty } from "./faultyServer.ts";
import { builtPage, launch, takePicture, WINDOWS } from "./support.ts";

let folder: string;
let server: FaultyServer;
let browser: Browser;

beforeAll(async () => {
  [folder, browser] = await Promise.all([builtPage("fake"), launch()]);
  server = await serveFaulty(folder);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const needs = (page: Pick<Page, "locator">) => page.locator("#needs");
const openFile = (page: Page) => page.goto(pathToFileURL(join(folder, "index.html")).href);

it("from a file: that it needs a web server", async () => {
  const page = await browser.newPage();
  await openFile(page);
  await expect.poll(() => needs(page).textContent()).toMatch(/cannot run from a file.*web server/);
  await page.close();
});

it.each(["allow-scripts", "allow-scripts allow-popups allow-forms"])(
  "in a frame with sandbox=%j: what the frame forbids",
  async (sandbox) => {
    const page = await browser.newPage();
    await page.route("**/frame.html", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<iframe sandbox="${sandbox}" src="${server.url}"></iframe>`,
      }),
    );
    await page.goto(`${server.url}frame.html`);
    const frame = page.frameLocator("iframe");
    await expect.poll(() => needs(frame).textContent()).toMatch(/frame forbids.*window of its own/);
    await page.close();
  },
);

it("in a frame that also lets it have an origin: nothing, and it works", async () => {
  const page = await browser.newPage();
  await page.route("**/frame.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<iframe sandbox="allow-scripts allow-same-origin" src="${server.url}"></iframe>`,
    }),
  );
  await page.goto(`${server.url}frame.html`);
  const frame = page.frameLocator("iframe");
  await frame.getByTestId("experiment").waitFor();
  await expect.poll(() => needs(frame).count()).toBe(0);
  await page.close();
});

it("in a frame without scripts: that it needs them", async () => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(server.url);
  await expect.poll(() => page.locator("noscript").textContent()).toMatch(/needs JavaScript/);
  await page.close();
});

it.each([
  ["WebAssembly", /needs WebAssembly/],
  ["Worker", /needs web workers/],
])("without %s: that training needs it, above a page that can be read", async (name, sentence) => {
  const page = await browser.newPage();
  await page.addInitScript((gone) => void Reflect.deleteProperty(window, gone), name);
  await page.goto(server.url);
  await page.locator("[data-testid=recording][data-state=shown]").waitFor();
  await expect.poll(() => needs(page).textContent()).toMatch(sentence);
  expect(await axeFaults(page)).toEqual([]);
  await takePicture(page, `needs-${name}.png`);
  await page.close();
});

it("where its program does not come: that it did not", async () => {
  server.lose(/assets\/index.*\.js/);
  const page = await browser.newPage();
  await page.goto(server.url);
  await expect.poll(() => needs(page).textContent()).toMatch(/did not load/);
  server.lose(null);
  await page.reload();
  await page.getByTestId("experiment").waitFor();
  await expect.poll(() => needs(page).count()).toBe(0);
  await page.close();
});

it.each(WINDOWS)("$name, $theme: the sentence fits", async ({ name, viewport, theme }) => {
  const page = await browser.newPage({ viewport, colorScheme: theme });
  await openFile(page);
  await needs(page).waitFor();
  await takePicture(page, `needs-file-${name}-${theme}.png`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(viewport.width);
  await page.close();
});
