// `node test/bench/firstPaint.mjs [--page DIR] [--runs N] [--out FILE]`: what a first visit costs on a built page (DIR; dist if
// absent, `npm run build` makes it), in Chromium with a cold cache, at the widths of a desk and of a phone: gzip bytes of script that
// was asked for before the first contentful paint, and before the page has taken the place of the frame that is painted first; milliseconds
// to both (medians of N visits, 5 if absent), and cumulative layout shift in five seconds. `--out` writes the same as JSON, with the
// scripts by name.
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
  window.seen = { paint: 0, page: 0, shift: 0 };
  // The page is there when the frame of index.html is gone.
  let hadFrame = false;
  new MutationObserver(() => {
    const hasFrame = document.getElementById("frame") !== null;
    hadFrame ||= hasFrame;
    if (hadFrame && !hasFrame && window.seen.page === 0) window.seen.page = performance.now();
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName("first-contentful-paint"))
      window.seen.paint = entry.startTime;
  }).observe({ type: "paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) window.seen.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** One visit with an empty cache. */
async function visit(browser, site, viewport) {
  const context = await browser.newContext({ viewport, isMobile: viewport.width < 500 });
  const page = await context.newPage();
  await page.addInitScript(watch);
  site.asked.length = 0;
  await page.goto(site.url);
  await page.waitForTimeout(WATCHED);
  const { origin, ...seen } = await page.evaluate(() => ({
    ...window.seen,
    origin: performance.timeOrigin,
  }));
  await context.close();
  const scripts = site.asked.filter(({ path }) => extname(path) === ".js" && existsSync(path));
  const until = (end) => [
    ...new Set(scripts.filter(({ at }) => at <= origin + end).map(({ path }) => path)),
  ];
  return { ...seen, beforePaint: until(seen.paint), beforePage: until(seen.page) };
}

const sizeOf = (paths) => paths.reduce((sum, path) => sum + gzipped(path).length, 0);

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** What visits at one width cost: the median's time, the most of script and of shift. */
export async function firstPaint(folder, { runs = 5, widths = WIDTHS } = {}) {
  const site = await serve(folder);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  const results = [];
  for (const viewport of widths) {
    const visits = [];
    for (let i = 0; i < runs; i++) visits.push(await visit(browser, site, viewport));
    const most = (of) => visits.map(of).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
    const named = (paths) =>
      Object.fromEntries(
        paths.map((path) => [path.slice(folder.length + 1), gzipped(path).length]),
      );
    const beforePaint = most((one) => one.beforePaint);
    const beforePage = most((one) => one.beforePage);
    results.push({
      width: viewport.width,
      scriptBytes: sizeOf(beforePaint),
      pageBytes: sizeOf(beforePage),
      paint: median(visits.map(({ paint }) => paint)),
      page: median(visits.map(({ page }) => page)),
      shift: Math.max(...visits.map(({ shift }) => shift)),
      scripts: named(beforePaint),
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
    `${(result.pageBytes / 1000).toFixed(1)} kB`,
    `${result.page.toFixed(0)} ms`,
    result.shift.toFixed(3),
  ];
  const head = [
    "width",
    "script before the first paint, gzip",
    "first paint",
    "script before the page, gzip",
    "page",
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
  });
  console.log(table(results));
  if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 2)}\n`);
}
