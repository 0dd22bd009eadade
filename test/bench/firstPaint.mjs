// `node test/bench/firstPaint.mjs [--page DIR] [--runs N] [--out FILE]`: what a first visit costs on a built page (DIR; dist if
// absent, `npm run build` makes it), in Chromium with a cold cache, at the widths of a desk and of a phone: gzip bytes of script that
// was asked for before the first contentful paint, which has the strip and its credits; before the strip and the run bar answer; and
// before the whole page has taken their place; milliseconds to each (medians of N visits, 5 if absent), cumulative layout shift in five
// seconds, and the fonts of the first screen as they were drawn. `--out` writes the same as JSON, with the scripts by name.
import { createServer } from "node:http";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, normalize, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";

const root = resolve(import.meta.dirname, "..", "..");
const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
/** Milliseconds after the load in which the page may still move. */
const WATCHED = 5000;

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".md": "text/plain",
};

const zipped = new Map();

function gzipped(path) {
  if (!zipped.has(path)) zipped.set(path, gzipSync(readFileSync(path)));
  return zipped.get(path);
}

/** Serves the page gzipped, as hosts do; `asked` grows with each request: the file and when, in milliseconds since 1970. */
export async function serve(folder) {
  const asked = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
    asked.push({ path, at: Date.now() });
    if (!path.startsWith(folder) || !existsSync(path)) return response.writeHead(404).end();
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
    response.end(gzipped(path));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}/`, asked, close: () => server.close() };
}

/** In the page, before its first script. */
function watch() {
  window.seen = { paint: 0, painted: {}, live: 0, page: 0, shift: 0 };
  // The frame of index.html answers once it is marked; the page is there when it is gone.
  let hadFrame = false;
  new MutationObserver(() => {
    const frame = document.getElementById("frame");
    hadFrame ||= frame !== null;
    if (frame?.dataset.live !== undefined) window.seen.live ||= performance.now();
    if (hadFrame && !frame) window.seen.page ||= performance.now();
  }).observe(document, { attributes: true, childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName("first-contentful-paint")) {
      window.seen.paint = entry.startTime;
      const count = (what) => document.querySelectorAll(`#frame:not([data-live]) ${what}`).length;
      window.seen.painted = { boards: count(".board svg"), credits: count(".opening-number") };
    }
  }).observe({ type: "paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) window.seen.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** One visit with an empty cache. */
async function visit(browser, site, viewport, readsFonts) {
  const context = await browser.newContext({ viewport, isMobile: viewport.width < 500 });
  const page = await context.newPage();
  await page.addInitScript(watch);
  site.asked.length = 0;
  await page.goto(site.url);
  await page.waitForTimeout(WATCHED);
  await page.waitForFunction(() => window.seen.page > 0);
  const { origin, ...seen } = await page.evaluate(() => ({
    ...window.seen,
    origin: performance.timeOrigin,
  }));
  const fonts = readsFonts ? await fontsOf(context, page, FONTS_OF) : {};
  await context.close();
  const scripts = site.asked.filter(({ path }) => extname(path) === ".js" && existsSync(path));
  const until = (end) => [
    ...new Set(scripts.filter(({ at }) => at <= origin + end).map(({ path }) => path)),
  ];
  return {
    ...seen,
    fonts,
    beforePaint: until(seen.paint),
    beforeLive: until(seen.live),
    beforePage: until(seen.page),
  };
}

const FONTS_OF = [".brand", ".prose h1", ".opening-board code"];

/** The font that each element is drawn with, by its selector. */
async function fontsOf(context, page, selectors) {
  const session = await context.newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const found = {};
  for (const selector of selectors) {
    const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
    if (nodeId === 0) continue;
    const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
    found[selector] = fonts.map(({ familyName }) => familyName).join(", ");
  }
  return found;
}

const sizeOf = (paths) => paths.reduce((sum, path) => sum + gzipped(path).length, 0);

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** What visits at one width cost: the median's time, the most of script and of shift. */
export async function firstPaint(folder, { runs = 5, widths = WIDTHS, fonts = false } = {}) {
  const site = await serve(folder);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  const results = [];
  for (const viewport of widths) {
    const visits = [];
    for (let i = 0; i < runs; i++) visits.push(await visit(browser, site, viewport, fonts));
    const most = (of) => visits.map(of).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
    const named = (paths) =>
      Object.fromEntries(
        paths.map((path) => [path.slice(folder.length + 1), gzipped(path).length]),
      );
    const beforePaint = most((one) => one.beforePaint);
    const beforeLive = most((one) => one.beforeLive);
    const beforePage = most((one) => one.beforePage);
    results.push({
      width: viewport.width,
      scriptBytes: sizeOf(beforePaint),
      liveBytes: sizeOf(beforeLive),
      pageBytes: sizeOf(beforePage),
      paint: median(visits.map(({ paint }) => paint)),
      painted: visits[0].painted,
      live: median(visits.map(({ live }) => live)),
      page: median(visits.map(({ page }) => page)),
      shift: Math.max(...visits.map(({ shift }) => shift)),
      fonts: visits[0].fonts,
      scripts: named(beforePaint),
      liveScripts: named(beforeLive),
      pageScripts: named(beforePage),
    });
  }
  await browser.close();
  site.close();
  return results;
}

function table(results) {
  const cells = (result) => [
    `${result.width} px`,
    `${(result.scriptBytes / 1000).toFixed(1)} kB`,
    `${result.paint.toFixed(0)} ms`,
    `${(result.liveBytes / 1000).toFixed(1)} kB`,
    `${result.live.toFixed(0)} ms`,
    `${(result.pageBytes / 1000).toFixed(1)} kB`,
    `${result.page.toFixed(0)} ms`,
    result.shift.toFixed(3),
  ];
  const head = [
    "width",
    "script before the first paint, gzip",
    "first paint",
    "script before it answers, gzip",
    "answers",
    "script before the whole page, gzip",
    "whole page",
    "layout shift, 5 s",
  ];
  return [head, head.map(() => "---"), ...results.map(cells)]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { page: { type: "string" }, runs: { type: "string" }, out: { type: "string" } },
  });
  const results = await firstPaint(resolve(values.page ?? join(root, "dist")), {
    runs: Number(values.runs ?? 5),
    fonts: true,
  });
  console.log(table(results));
  console.log(`Fonts: ${JSON.stringify(results[0].fonts)}`);
  if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 2)}\n`);
}
