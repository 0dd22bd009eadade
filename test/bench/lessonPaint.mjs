// `node test/bench/lessonPaint.mjs [--page DIR] [--lessons A,B] [--runs N] [--slower N] [--within]`: when the lessons of a built page
// (DIR; dist if absent) paint, in Chromium with a cold cache, served gzipped from this machine, with the processor slowed N times (4 if
// absent): words and first figure of a lesson opened by its link, or `--within`, as a tab that is reloaded does, at the first step with
// a cell beside the words. Medians of N visits (3 if absent). Beside the clock's milliseconds, which hold only on a machine that does
// nothing else, it prints the page's own work until then (milliseconds of its main thread, unslowed, times N, which other programs hardly
// change), the files that had come, and how far the page moved what was painted (cumulative layout shift until it has taken over).
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { courseOf } from "../../src/app/build/course.mjs";
import { findBrowser } from "../browser/find.mjs";
import { median, serve } from "./firstPaint.mjs";

const root = resolve(import.meta.dirname, "..", "..");
const VIEWPORT = { width: 1440, height: 900 };
/** Milliseconds for a figure to come. */
const TIME_LIMIT = 120_000;

/** In the page, before its first script: begins at a step, and notes when words and a figure are drawn. */
function watch({ title, step, figures }) {
  if (step > 0) sessionStorage.setItem(`turnbook-lesson:${title}`, String(step));
  const seen = { words: 0, figure: 0, files: 0 };
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) window.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  const isDrawn = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 40 && height > 20 && getComputedStyle(element).visibility === "visible";
  };
  const look = () => {
    const words = document.querySelector(".lesson .lesson-words h2");
    const figure = [...document.querySelectorAll(figures)].some(isDrawn);
    // What is in the page in this frame has been painted before the next one; before its styles have come nothing is.
    const now = performance.now();
    if (performance.getEntriesByType("paint").length === 0) return requestAnimationFrame(look);
    if (words) seen.words ||= now;
    if (figure && seen.figure === 0) {
      seen.figure = now;
      seen.files = performance.getEntriesByType("resource").length;
      requestAnimationFrame(() => window.lessonPainted(JSON.stringify(seen)));
    } else if (seen.figure === 0) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** What a figure has, once it is drawn: signs in buttons are none. */
const FIGURES = ["svg", "table", "canvas", ".tokens-columns"].map(
  (one) => `.lesson-figures ${one}:not(button *)`,
);

/** @returns milliseconds to the words and to the figure, those of the main thread until then, and files until then. */
async function visit(browser, url, lesson, slower) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  const painted = new Promise((done) => {
    void page.exposeFunction("lessonPainted", async (text) => {
      const { metrics } = await session.send("Performance.getMetrics");
      const worked = metrics.find(({ name }) => name === "TaskDuration").value * 1000;
      done({ ...JSON.parse(text), worked });
    });
  });
  await page.addInitScript(watch, { ...lesson, figures: FIGURES.join() });
  await page.goto(`${url}#lesson/${lesson.name}`);
  const late = new Promise((_, fail) => {
    const timer = setTimeout(() => fail(new Error(`${lesson.name} has no figure`)), TIME_LIMIT);
    void painted.then(() => clearTimeout(timer));
  });
  const seen = await Promise.race([painted, late]);
  await page.waitForFunction(() => !document.querySelector("#frame"));
  await page.locator("[data-testid=lesson] .prose p").first().waitFor();
  const shift = await page.evaluate(() => window.shift);
  await context.close();
  return { ...seen, shift };
}

/** The first step, or the first with a cell that is drawn beside the words. */
function lessonOf(folder, name, isWithin) {
  const text = readFileSync(join(folder, "notebooks", `${name}.md`), "utf8");
  const [intro, ...steps] = text.split(/^## /m);
  const step = 1 + steps.findIndex((one) => /^```(panel|explore|curves|class)\b/m.test(one));
  return { name, title: /^# (.*)$/m.exec(intro)[1], step: isWithin ? step : 0 };
}

async function measured(browser, url, lesson, { runs, slower }) {
  const of = async (rate) => {
    const visits = [];
    for (let i = 0; i < runs; i++) visits.push(await visit(browser, url, lesson, rate));
    return (what) => median(visits.map((seen) => seen[what]));
  };
  const [slowed, plain] = [await of(slower), await of(1)];
  const times = [slowed("words"), slowed("figure"), plain("worked") * slower];
  return [...[...times, slowed("files")].map(Math.round), slowed("shift").toFixed(3)];
}

const { values } = parseArgs({
  options: {
    page: { type: "string" },
    lessons: { type: "string" },
    runs: { type: "string" },
    slower: { type: "string" },
    within: { type: "boolean" },
  },
});
const folder = resolve(values.page ?? join(root, "dist"));
// The last lesson has no figure before its class is there.
const names = values.lessons?.split(",") ?? courseOf(root).filter((name) => name !== "class");
const how = { runs: Number(values.runs ?? 3), slower: Number(values.slower ?? 4) };
const site = await serve(folder);
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
console.log(
  `| lesson | words, ms | first figure, ms | work until then x ${how.slower}, ms | files | shift | load |`,
);
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const name of names) {
  const row = await measured(browser, site.url, lessonOf(folder, name, values.within), how);
  console.log(`| ${name} | ${row.join(" | ")} | ${loadavg()[0].toFixed(1)} |`);
}
await browser.close();
site.close();
