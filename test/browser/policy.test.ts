/** The built page's content security policy: nothing that the page does breaks it, and what others try is blocked. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lensPanels } from "../../src/panels/panelTable.ts";
import { serveFaulty } from "./faultyServer.ts";
import { by, launch, openPage, type ServedPage, servePage, openPanel } from "./support.ts";
import { EVERY } from "../every.ts";

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "real" }), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const stateIs = (page: Page, state: string) => page.locator(`[data-run-state=${state}]`).waitFor();

declare global {
  interface Window {
    violations: string[];
  }
}

async function open(hash: string) {
  const opened = await openPage(browser, "about:blank", { preloads: true });
  const { page } = opened;
  await page.addInitScript(() => {
    window.violations = [];
    if (location.search === "?eval")
      addEventListener("DOMContentLoaded", () => {
        // Here: what the test has evaluated later on may do so.
        eval("window.ran = 'eval'");
      });
    document.addEventListener("securitypolicyviolation", (event) =>
      window.violations.push(
        `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`,
      ),
    );
  });
  await page.goto(site.url + hash);
  await by(page, "experiment").waitFor();
  return opened;
}

const violations = (page: Page) => page.evaluate(() => window.violations);

const SMALL =
  "environment.maxTurns=2&optimisation.tasksPerIteration=1&optimisation.groupSize=4&optimisation.minibatch=4" +
  "&optimisation.epochs=1&critic.epochs=1&critic.warmup=1&evaluation.levels=0&evaluation.recordEpisodes=4";

it("has no violation in a run, every panel, view and dialog, an import and a download", async () => {
  const { page, errors, close } = await open(`#v1/nano?backend=wasm&iterations=2&${SMALL}`);
  const elsewhere = requestsElsewhere(page);
  await page.locator("#import-input").setInputFiles({
    name: "run.jsonl",
    mimeType: "application/jsonl",
    buffer: readFileSync(join(import.meta.dirname, "..", "fixtures", "runs", "nano.jsonl")),
  });
  await page.locator("[data-testid=origin][data-origin=imported]").first().waitFor();
  await by(page, "run").click();
  await stateIs(page, "finished");
  await by(page, "help-button").click();
  await by(page, "help-dialog").waitFor();
  await page.keyboard.press("Escape");
  await by(page, "theme-button").click();
  await page.keyboard.press("v");
  await by(page, "go-panel").waitFor();
  for (const { id } of lensPanels) {
    await openPanel(page, id);
    await page.locator(`[data-panel=${id}] .panel`).first().waitFor();
  }
  await openPanel(page, "formula");
  const formula = by(page, "formula-panel");
  await formula.locator(".katex-html").first().waitFor();
  // At once: on a busy machine a click waited 30 s for the term to be at rest.
  await formula
    .locator("[data-term]")
    .first()
    .evaluate((term) => (term as HTMLElement).click());
  await openPanel(page, "curves");
  const csv = page.locator("[data-panel=curves]").getByRole("button", { name: /csv/i }).first();
  await Promise.all([page.waitForEvent("download"), csv.click()]);
  await page.evaluate(() => (location.hash = "algorithms-grpo-vs-rloo"));
  await page.locator("[data-testid=formulas] .katex-html").first().waitFor();
  await page.locator("[data-testid=formulas] [data-term]").first().click();
  await page.evaluate(() => (location.hash = "shop"));
  await by(page, "tab-watch").click();
  await by(page, "episode-choice").selectOption("expert");
  await page.evaluate(() => (location.hash = "machine"));
  await by(page, "machine").waitFor();
  // Measuring each engine takes long.
  if (EVERY) await page.locator("[data-testid=machine][data-state=examined]").waitFor();
  expect(await violations(page)).toEqual([]);
  expect(elsewhere).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

/** Addresses that the page has asked any other server for, from now on. */
function requestsElsewhere(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site.url) && !/^(data|blob):/.test(url)) asked.push(url);
  });
  return asked;
}

it("fetches a notebook of another site when the reader asks for it, and nothing else of it", async () => {
  const { page, close } = await openPage(browser, "about:blank", { preloads: true });
  const asked = requestsElsewhere(page);
  const body =
    "# Sent along\n\n![theirs](https://other.example/spy.png)\n\n```code id=a\ntypeof fetch\n```\n";
  await page.route("https://other.example/**", (route) =>
    route.fulfill({
      headers: { "access-control-allow-origin": "*", "content-type": "text/plain" },
      body,
    }),
  );
  await page.goto(`${site.url}#url=https://other.example/a.md`);
  await by(page, "fetch-notebook").waitFor();
  expect(asked).toEqual([]);
  await by(page, "fetch-notebook").click();
  await by(page, "remote-image").waitFor();
  await by(page, "code-ask").first().getByRole("button").click();
  await by(page, "code-allow").click();
  await page.locator(".code-value").getByText("undefined").waitFor();
  expect(asked).toEqual(["https://other.example/a.md"]);
  await close();
});

it("blocks scripts, images, requests, frames and forms that are not the page's own", async () => {
  const { page, close } = await open("?eval");
  const other = await serveFaulty(import.meta.dirname);
  await page
    .evaluate(async (other) => {
      const add = (name: string, attributes: Record<string, string>, text = "") => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.textContent = text;
        document.body.append(element);
        return element;
      };
      add("script", {}, "window.ran = 'inline'");
      add("script", { src: "data:text/javascript,window.ran='data'" });
      add("script", { src: `${other}x.js` });
      add("style", {}, "body{--ran:1}");
      add("img", { src: `${other}x.png` });
      add("img", { src: "x:", onerror: "window.ran = 'handler'" });
      add("iframe", { src: `${other}frame` });
      add("object", { data: `${other}object` });
      add("link", { rel: "stylesheet", href: `${other}x.css` });
      add("base", { href: `${other}` });
      (add("form", { action: `${other}form` }) as HTMLFormElement).submit();
      new Worker(URL.createObjectURL(new Blob(["1"])));
      await fetch(`${other}fetch`).catch(() => null);
      navigator.sendBeacon(`${other}beacon`);
      new WebSocket(other.replace("http", "ws"));
    }, other.url)
    .catch((error: unknown) => {
      // Workers and sockets that are forbidden throw in some versions of Chromium.
      if (!/SecurityError|Refused|violates/.test(String(error))) throw error;
    });
  const blocked = async () => (await violations(page)).map((line) => line.split(" ")[0]);
  await expect
    .poll(blocked)
    .toEqual(
      expect.arrayContaining([
        "script-src-elem",
        "script-src-attr",
        "script-src",
        "style-src-elem",
        "img-src",
        "frame-src",
        "connect-src",
        "base-uri",
        "form-action",
        "worker-src",
      ]),
    );
  await expect.poll(() => page.evaluate(() => (window as { ran?: string }).ran)).toBeUndefined();
  expect(other.asked).toEqual([]);
  await other.close();
  await close();
});

it("comes before everything else in the page, and says no less than this", async () => {
  const html = await (await fetch(site.url)).text();
  const head = html.slice(html.indexOf("<head>") + "<head>".length).trim();
  expect(head).toMatch(/^<meta http-equiv="Content-Security-Policy"/);
  const policy = /content="([^"]*)"/.exec(head)![1]!.replaceAll("&#39;", "'");
  const rules = Object.fromEntries(
    policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")]),
  );
  expect(rules).toMatchObject({
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "connect-src": "'self' https:",
    "style-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
  });
});

const NOTEBOOK = `---
title: Images
---

![own](favicon.svg) and ![inside](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==)

![theirs](OTHER/spy.png?who=me)

![also theirs](//HOST/spy.png "a title")
`;

it("a notebook's images come from its own server or from its own text; others are a link", async () => {
  const other = await serveFaulty(import.meta.dirname);
  const { page, errors, close } = await openPage(browser, "about:blank", { preloads: true });
  await page.route("**/notebooks/first.md", (route) =>
    route.fulfill({
      contentType: "text/markdown",
      body: NOTEBOOK.replace("OTHER/", other.url).replace("HOST", new URL(other.url).host),
    }),
  );
  await page.goto(site.url);
  const refused = by(page, "remote-image");
  await refused.first().waitFor();
  await expect
    .poll(() => refused.allTextContents())
    .toEqual([
      `Images from other servers are blocked. Address: ${other.url}spy.png?who=me`,
      `Images from other servers are blocked. Address: //${new URL(other.url).host}/spy.png`,
    ]);
  const widths = await page
    .locator(".prose img")
    .evaluateAll((images) =>
      Promise.all(
        images.map((image) =>
          (image as HTMLImageElement).decode().then(() => (image as HTMLImageElement).naturalWidth),
        ),
      ),
    );
  expect(widths.length).toBe(2);
  expect(Math.min(...widths)).toBeGreaterThan(0);
  expect(other.asked).toEqual([]);
  expect(errors).toEqual([]);
  await other.close();
  await close();
});
