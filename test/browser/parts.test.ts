/** Parts of the page that do not come, in a real Chromium: header, run and everything else stay. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { PRELOADED } from "../../src/app/preload.ts";
import { lensPanels } from "../../src/panels/panelTable.ts";
import { words } from "../../src/ui/parts/words.ts";
import { axeFaults } from "./axe.ts";
import { type FaultyServer, serveFaulty } from "./faultyServer.ts";
import { builtPage, by, launch, openPage, takePicture, WINDOWS, openPanel } from "./support.ts";

let server: FaultyServer;
let browser: Browser;

beforeAll(async () => {
  const [folder, started] = await Promise.all([builtPage("fake"), launch()]);
  browser = started;
  server = await serveFaulty(folder);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  await server.comeUp();
  server.lose(null);
  server.mistake(null);
});

const failed = (page: Page, part: string) =>
  page.locator(`[data-testid=part-failed][data-part=${part}]`);
const again = (page: Page, part: string) => failed(page, part).getByRole("button").click();

interface Options extends BrowserContextOptions {
  savesData?: boolean;
}

/** A page that fetches nothing beforehand, as for readers who save data. */
async function open(hash: string, { savesData = true, ...options }: Options = {}) {
  const opened = await openPage(browser, "about:blank", { ...options, preloads: !savesData });
  const { page } = opened;
  await page.goto(server.url + hash);
  await page.locator("[data-testid=experiment], [data-recording]").first().waitFor();
  return opened;
}

const preloaded = (page: Page) =>
  page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, PRELOADED);

/** The run's progress in words, which must change. */
async function runsOn(page: Page) {
  const before = await by(page, "status").textContent();
  await page.waitForFunction(
    (text) => document.querySelector("[data-testid=status]")?.textContent !== text,
    before,
  );
}

it("a view that does not come leaves header, buttons and run; and comes when asked again", async () => {
  const { page, close } = await open("#v1/nano?iterations=200&seed=9");
  await by(page, "run").click();
  await page.locator("[data-run-state=running]").waitFor();
  await server.goDown();
  await page.keyboard.press("v");
  await failed(page, "LensView").waitFor();
  await expect
    .poll(() => failed(page, "LensView").textContent())
    .toContain(words.trouble.unreachable);
  await runsOn(page);
  await by(page, "run").click();
  await page.locator("[data-run-state=paused]").waitFor();
  await expect.poll(() => page.locator(".page-header").isVisible()).toBe(true);
  await server.comeUp();
  await again(page, "LensView");
  await by(page, "lens").waitFor();
  await page.locator("[data-run-state=paused]").waitFor();
  await by(page, "run").click();
  await page.locator("[data-run-state=running]").waitFor();
  await close();
});

it("a panel that does not come leaves the others; a page sent in its place does no harm", async () => {
  const { page, close } = await open("#v1/nano?view=lens&open=episodes,clip");
  const episodes = /\/episodes-/;
  server.mistake(episodes);
  await page.goto(`${server.url}?again#v1/nano?view=lens&open=episodes,clip`);
  await failed(page, "Figure").waitFor();
  await expect.poll(() => failed(page, "Figure").textContent()).toContain(words.trouble.gone);
  await by(page, "clip-panel").waitFor();
  await expect.poll(() => page.locator("[data-testid=part-failed]").count()).toBe(1);
  server.mistake(null);
  await again(page, "Figure");
  await page.locator("[data-panel=episodes] .panel").waitFor();
  await close();
});

it("a style sheet that does not come is asked for again, and formulas show their source meanwhile", async () => {
  const { page, close } = await open("");
  server.lose(/katex.*\.css/);
  await page.evaluate(() => (location.hash = "algorithms-grpo"));
  await failed(page, "katex").waitFor();
  await expect.poll(() => failed(page, "katex").textContent()).toContain(words.formulas);
  await expect.poll(() => page.locator(".tex-source").first().textContent()).toMatch(/\\/);
  server.lose(null);
  await again(page, "katex");
  await page.locator("[data-testid=formulas] .katex-html").first().waitFor();
  await expect
    .poll(() =>
      page.evaluate(() => [...document.styleSheets].some(({ href }) => /katex/.test(href ?? ""))),
    )
    .toBe(true);
  await close();
});

it("fetches everything after the first paint: nothing on the page needs the server again", async () => {
  const { page, close } = await open("#v1/nano?iterations=3", { savesData: false });
  await preloaded(page);
  const missed: string[] = [];
  // Chromium asks for the icon again whenever the address changes.
  page.on("requestfailed", (asked) => !/favicon/.test(asked.url()) && missed.push(asked.url()));
  await server.goDown();
  await page.keyboard.press("v");
  await by(page, "lens").waitFor();
  for (const { id } of lensPanels) {
    await openPanel(page, id);
    await page.locator(`[data-panel=${id}] .panel`).first().waitFor();
  }
  await page.evaluate(() => (location.hash = "algorithms-grpo-vs-turn-ppo"));
  await page.locator("[data-testid=formulas] .katex-html").first().waitFor();
  await by(page, "source-diff-summary").click();
  await by(page, "source-diff").waitFor();
  await expect
    .poll(() => page.evaluate(() => [...document.fonts].every(({ status }) => status === "loaded")))
    .toBe(true);
  await page.evaluate(() => (location.hash = "shop"));
  await by(page, "shop").waitFor();
  await expect.poll(() => page.locator("[data-testid=part-failed]").count()).toBe(0);
  expect(missed).toEqual([]);
  await close();
});

it("has everything beforehand in a browser to which a late optional font has failed, as Firefox", async () => {
  const { page, close } = await openPage(browser, "about:blank", { own: true, preloads: true });
  await page.addInitScript(() => {
    FontFace.prototype.load = () => Promise.reject(new DOMException("late", "NetworkError"));
  });
  server.asked.length = 0;
  await page.goto(`${server.url}#v1/nano?iterations=3`);
  await preloaded(page);
  const fonts = server.asked.filter((path) => path.endsWith(".woff2"));
  expect(new Set(fonts).size).toBeGreaterThan(20);
  await close();
});

it("fetches nothing beforehand for readers who save data", async () => {
  server.asked.length = 0;
  const { page, close } = await open("");
  await page.waitForLoadState("networkidle");
  // What is on screen comes last: charts, prose and its fonts.
  await page
    .locator("[data-cell=curves] [data-testid=plot-area]")
    .first()
    .waitFor({ state: "attached" });
  await expect.poll(() => page.locator(".prose-waiting").count()).toBe(0);
  await page.evaluate(() => document.fonts.ready);
  // The recorded run's chain is checked in a worker: no fetch beforehand.
  await page.getByTestId("integrity").first().waitFor({ state: "attached" });
  // Cards of the page's words come once all that is on screen has settled: fetched, then imported.
  const cards = () => server.asked.filter((path) => path.includes("GlossaryCards"));
  await expect.poll(() => cards().length).toBe(2);
  server.asked.length = 0;
  await page.waitForTimeout(1500);
  expect(server.asked).toEqual([]);
  await close();
});

it.each(WINDOWS)("$name, $theme: a missing part says so to everyone", async (look) => {
  const { name, viewport, theme } = look;
  server.lose(/\/episodes-/);
  const { page, close } = await open("#v1/nano?view=lens&open=episodes", {
    viewport,
    colorScheme: theme,
  });
  await failed(page, "Figure").waitFor();
  await failed(page, "Figure").scrollIntoViewIfNeeded();
  await takePicture(page, `part-failed-${name}-${theme}.png`);
  expect(await axeFaults(page)).toEqual([]);
  await close();
});
