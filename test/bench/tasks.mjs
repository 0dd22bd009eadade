// `node test/bench/tasks.mjs [--page DIR] [--out DIR] [--task ID]`: five things that a new reader does on a built page (DIR; dist if
// absent, `npm run build` makes it), each from a fresh profile, on a desk (1440 x 900) and on a phone (390 x 844). Counts clicks, keys
// and screens scrolled, measures what the page lets one wait, and takes a picture after each step (into --out; none if absent).
//
// Seconds of the reader are an estimate, by the keystroke-level model (Card, Moran, Newell 1980): 1.35 s to decide on each
// act, 1.1 s to point, 0.2 s to press a button or a key; 2 s for each screen scrolled, 4 s to read each answer.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";
import { serve } from "./firstPaint.mjs";
import { tasks } from "./tasks/tasks.mjs";
import { createReader } from "./tasks/reader.mjs";

const root = resolve(import.meta.dirname, "..", "..");

const WINDOWS = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

async function walk(browser, url, task, { size, out }) {
  const context = await browser.newContext({ ...WINDOWS[size], acceptDownloads: false });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const reader = createReader(page, out && join(out, `${task.id}-${size}`));
  await page.goto(url);
  try {
    await task.walk(reader);
    return { ...reader.counts(), answers: reader.answers };
  } catch (error) {
    await reader.picture("failed");
    return { ...reader.counts(), answers: reader.answers, failed: String(error).split("\n")[0] };
  } finally {
    await context.close();
  }
}

const { values } = parseArgs({
  options: { page: { type: "string" }, out: { type: "string" }, task: { type: "string" } },
});
const out = values.out && resolve(values.out);
if (out) mkdirSync(out, { recursive: true });
const site = await serve(resolve(values.page ?? join(root, "dist")));
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
console.log(
  "| task | window | clicks | keys | screens scrolled | page's seconds | reader's seconds |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- |");
let failures = 0;
for (const task of tasks.filter(({ id }) => values.task === undefined || id === values.task))
  for (const size of Object.keys(WINDOWS)) {
    const done = await walk(browser, site.url, task, { size, out });
    const { clicks, keys, screens, waited, reading } = done;
    const cells = [task.title, size, clicks, keys, screens, waited.toFixed(1), reading.toFixed(0)];
    console.log(`| ${cells.join(" | ")} |`);
    for (const answer of done.answers) console.log(`  - ${answer}`);
    if (done.failed) console.log(`  - FAILED: ${done.failed}`);
    if (done.failed) failures += 1;
  }
await browser.close();
site.close();
process.exitCode = failures > 0 ? 1 : 0;
