/** The page that carries all its files: as a notebook saved as one web page and opened from disk, and in a frame without an origin. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { carriedPage, type CarriedPage } from "./carriedPage.ts";
import { by, launch, openPage, servePage, type ServedPage } from "./support.ts";

let site: ServedPage;
let browser: Browser;
let carried: CarriedPage;

beforeAll(async () => {
  [site, browser, carried] = await Promise.all([
    servePage({ worker: "real" }),
    launch(),
    carriedPage(),
  ]);
});

afterAll(async () => {
  carried?.remove();
  await site?.close();
});

const open = (address: string) => carried.open(browser, address);

const SMALL =
  "environment.maxTurns=2&optimisation.tasksPerIteration=1&optimisation.groupSize=4&optimisation.minibatch=4" +
  "&optimisation.epochs=1&critic.epochs=1&critic.warmup=1&evaluation.levels=0&evaluation.recordEpisodes=4";

const finished = (page: Page | FrameLocator, bar = "[data-run-state=finished]") =>
  page.locator(bar).waitFor();

const fingerprintOf = (page: Page) => by(page, "fingerprint").locator("code").textContent();

async function exported(page: Page, what: string): Promise<string> {
  const path = await carried.exported(page, `export-${what}`, ".html");
  await by(page, "book-said").getByText("Saved").waitFor();
  return path;
}

it("a notebook with its run, saved as a web page, shows it and trains the same from a file", async () => {
  const { page, errors, close } = await open(
    `${site.url}#v1/nano?backend=wasm&iterations=1&${SMALL}`,
  );
  await by(page, "edit-copy").click();
  await by(page, "mode-read").click();
  await by(page, "run").click();
  await finished(page);
  const fingerprint = await fingerprintOf(page);
  const path = await exported(page, "page-runs");
  expect(errors).toEqual([]);
  await close();

  const file = await openPage(browser, pathToFileURL(path).href, { own: true });
  const asked: string[] = [];
  file.page.on("request", (request) => asked.push(request.url()));
  await file.page.reload();
  await by(file.page, "opening").waitFor();
  // The run came along.
  await file.page.getByText("Chain intact: 6 events").waitFor();
  await by(file.page, "run").click();
  await finished(file.page);
  await expect.poll(() => fingerprintOf(file.page)).toBe(fingerprint);
  expect(asked.filter((url) => !/^(data|blob):/.test(url))).toEqual([pathToFileURL(path).href]);
  expect(file.errors).toEqual([]);
  await file.close();
});

it("code of a notebook saved as a web page asks first, and runs from a file", async () => {
  const text = "# Carried\n\n```code id=sum\n[1, 2, 3].reduce((a, b) => a + b)\n```\n";
  const { page, close } = await open(`${site.url}#text/${notebookToWord(text)}`);
  await by(page, "edit-copy").click();
  const path = await exported(page, "page");
  await close();
  const file = await openPage(browser, pathToFileURL(path).href, { own: true });
  await by(file.page, "code-ask").getByRole("button").click();
  // It runs by itself then: where its button was, Stop may be.
  await by(file.page, "code-allow").click();
  await by(file.page, "code-output").getByText("6", { exact: true }).waitFor();
  expect(file.errors).toEqual([]);
  await file.close();
});

it("waits for its own fonts, which it has with it", () => {
  const style = readFileSync(join(carried.folder, "carried/page.css"), "utf8");
  expect(style).toMatch(/@font-face\{[^}]*Inter Variable[^}]*data:font\/woff2/);
  expect(style).not.toMatch(/font-display:\s*optional/);
});

it("its policy allows its own script and style by their hashes, and no address", () => {
  const html = readFileSync(join(carried.folder, "export-page-runs.html"), "utf8");
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!;
  expect(policy).toMatch(/script-src 'sha256-[\w+/=]{44}' 'wasm-unsafe-eval';/);
  expect(policy).toMatch(/style-src 'sha256-[\w+/=]{44}';/);
  expect(policy).toContain("connect-src data:;");
  expect(policy).not.toMatch(/https?:|'self'|\*|script-src[^;]*unsafe-inline/);
});

it("a cell in a frame with sandbox=allow-scripts shows and trains", async () => {
  const { page, errors, close } = await open("about:blank");
  const address = `embed.html?embed=cell-first#v1/nano?backend=wasm&iterations=1&${SMALL}`;
  await page.route("**/frame.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<iframe sandbox="allow-scripts" src="${address.replaceAll("&", "&amp;")}"></iframe>`,
    }),
  );
  await page.goto(`${site.url}frame.html`);
  const frame = page.frameLocator("iframe");
  await frame.locator("html[data-embed=cell-first]").waitFor();
  await expect.poll(() => frame.getByTestId("run-bar").isVisible()).toBe(false);
  await frame.locator(".present-run").getByRole("button", { name: "Run" }).click();
  await finished(frame, ".present-run[data-state=finished]");
  const href = await frame.getByTestId("embed").getByRole("link").getAttribute("href");
  expect(href).not.toContain("embed");
  expect(errors).toEqual([]);
  await close();
});
