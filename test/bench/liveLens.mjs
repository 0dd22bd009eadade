// `node test/bench/liveLens.mjs [--page DIR] [--minutes N] [--layout NAME]`: what the lens costs while the nano run trains in a built
// page (DIR; dist if absent, `npm run build` makes it), in the layout that it starts with if none is named: the longest tasks of
// the main thread, in processor time, over the first half minute of numbers, and the page's memory after garbage collection, twice a
// minute for N minutes (5 if absent).
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";
import { serve } from "./firstPaint.mjs";

const root = resolve(import.meta.dirname, "..", "..");
const { values } = parseArgs({
  options: { page: { type: "string" }, minutes: { type: "string" }, layout: { type: "string" } },
});
const minutes = Number(values.minutes ?? 5);
const TRACED = 30_000;
const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];

/** Milliseconds of processor time of the main thread's tasks, longest first. */
function tasksOf({ traceEvents }) {
  const place = ({ pid, tid }) => `${pid} ${tid}`;
  const threads = traceEvents.filter(({ name }) => name === "thread_name");
  const main = new Set(threads.filter(({ args }) => args.name === "CrRendererMain").map(place));
  return traceEvents
    .filter((event) => event.name === "RunTask" && main.has(place(event)))
    .map(({ tdur = 0 }) => tdur / 1000)
    .sort((a, b) => b - a);
}

/** Megabytes of the page's own heap, without what could be freed. */
async function heapOf(session) {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}

const site = await serve(resolve(values.page ?? join(root, "dist")));
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const layout = values.layout ? `&layout=${values.layout}` : "";
await page.goto(`${site.url}#v1/nano?view=lens${layout}`);
await page.locator("[data-recording=shown]").waitFor();
await page.getByTestId("run").click();
const bar = page.getByTestId("run-bar");
await page
  .locator("[data-run-iteration]:not([data-run-iteration='0'])")
  .waitFor({ timeout: 180_000 });
await browser.startTracing(page, { categories: CATEGORIES });
await page.waitForTimeout(TRACED);
const tasks = tasksOf(JSON.parse((await browser.stopTracing()).toString()));
const over = tasks.filter((ms) => ms > 50).length;
const longest = tasks.slice(0, 5).map((ms) => ms.toFixed(0));
console.log(`Longest tasks: ${longest.join(", ")} ms of processor time; ${over} over 50 ms.`);
const session = await page.context().newCDPSession(page);
for (let half = 0; half <= minutes * 2; half++) {
  if (half > 0) await page.waitForTimeout(30_000);
  const iteration = await bar.getAttribute("data-run-iteration");
  const heap = (await heapOf(session)).toFixed(1);
  console.log(`${(half / 2).toFixed(1)} min: iteration ${iteration}, ${heap} MB`);
}
await browser.close();
site.close();
