// `node test/bench/panelNumbers.mjs [--page DIR] [--only NAME,...] [--out FILE] [--against FILE] [--numbers]`: what every figure of a
// built page says (DIR; dist if absent, `npm run build` makes it), as JSON: the lens over the recorded run and three imported logs, the
// opening page, the shop, the Algorithms page, and each step of each lesson. panelNumbers/views.mjs has the places it goes to.
//
// Use it around a change of figures: `npm run build`, then `--against baseline`, before the change and after it. `baseline` is
// panelNumbers/baseline.json.br. It names view, place, figure and table cell that differ, and exits with 1 if any do; with `--numbers`
// only the decimal numbers that a figure said before and says nowhere now, whatever words, table or shape are around them. What a change
// meant to say otherwise goes into the baseline with `--out baseline`, which needs all views.
//
// `--only lens,opening,lessons` reads these views and compares no others: a view's name (recorded, verl, ragen, unipo, opening, shop,
// algorithms, "lesson grpo"), or lens or lessons for all of them. `--read FILE` compares what was written by `--out`. Files that end in
// .br are compressed. `--run FILE` opens this recording in the lens instead of the page's own. The baseline leaves out the shapes of
// charts, and they are not compared with it: they change with every pixel.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";
import { serve } from "./firstPaint.mjs";
import { viewsOf } from "./panelNumbers/views.mjs";

const root = resolve(import.meta.dirname, "..", "..");
const BASELINE = join(import.meta.dirname, "panelNumbers", "baseline.json.br");

/** Of an address: all panes of the lens below each other, and all panels unfolded in them, as the manifests name them. */
async function allPanes() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [join(root, "test", "fixtures", "lensAddress.ts")],
    ...{ bundle: true, write: false, format: "esm", platform: "node", logLevel: "error" },
    loader: { ".css": "empty" },
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  const { showingAll } = await import(`data:text/javascript;base64,${code}`);
  return showingAll();
}

const isLens = (name) => ["recorded", "verl", "ragen", "unipo"].includes(name);
const isLesson = (name) => name.startsWith("lesson ");

/** Whether a view is asked for; all are where nothing is. */
function isAsked(name, only) {
  if (!only) return true;
  const asked = only.split(",");
  return (
    asked.includes(name) ||
    (asked.includes("lens") && isLens(name)) ||
    (asked.includes("lessons") && isLesson(name))
  );
}

/** Views that are read at the same time: most of it is waiting until nothing moves any more. */
const LANES = 3;

async function readAll(folder, { only, run = null }) {
  const views = Object.entries(viewsOf(folder)).filter(([name]) => isAsked(name, only));
  const layout = await allPanes();
  const site = await serve(folder);
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? findBrowser(),
    args: ["--headless=new", "--no-sandbox", "--disable-background-networking"],
    ignoreDefaultArgs: ["--headless"],
  });
  const found = Object.fromEntries(views.map(([name]) => [name, null]));
  const waiting = [...views];
  /** Reads one view after the other. */
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, read] = next;
      found[name] = await read(browser, site.url, { layout, run: run && resolve(run) });
      console.error(`${name}: ${Object.keys(found[name]).length} places`);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    await browser.close();
    site.close();
  }
  return found;
}

const fileOf = (path) => (path === "baseline" ? BASELINE : path);

function readFound(path) {
  const bytes = readFileSync(fileOf(path));
  const text = fileOf(path).endsWith(".br") ? brotliDecompressSync(bytes) : bytes;
  return JSON.parse(text.toString("utf8"));
}

/** Shapes are most of it, and say nothing that a reader could miss. */
const withoutShapes = (found) =>
  JSON.parse(JSON.stringify(found, (key, value) => (key === "shapes" ? undefined : value)));

function writeFound(path, found) {
  const text = JSON.stringify(path === "baseline" ? withoutShapes(found) : found);
  const params = {
    // Places repeat each other from far away.
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  const isPacked = fileOf(path).endsWith(".br");
  writeFileSync(fileOf(path), isPacked ? brotliCompressSync(text, { params }) : text);
}

/** Every leaf that differs, by its path. */
function* differences(before, after, path = []) {
  if (before === after) return;
  const nested = [before, after].every((each) => typeof each === "object" && each !== null);
  if (!nested) {
    yield `${path.join(" / ")}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (key !== "shapes" || before.shapes)
      yield* differences(before[key], after[key], [...path, key]);
}

/** All numbers of a figure's tables, labels and text, with their signs. */
function numbersOf({ tables, labels, text }) {
  const all = [...tables.flat(2), ...labels, ...text].join(" ").replaceAll("\u2212", "-");
  return new Set(all.match(/(?<![\d.])-?\d+(?:[.,]\d+)*/g));
}

/** By figure and place: numbers with a decimal point that were there before and are nowhere in the figure now. */
function* missing(before, after) {
  for (const [view, places] of Object.entries(before))
    for (const [place, figures] of Object.entries(places))
      for (const [figure, said] of Object.entries(figures)) {
        const now = after[view]?.[place]?.[figure];
        const known = now ? numbersOf(now) : new Set();
        const gone = [...numbersOf(said)].filter((one) => /\./.test(one) && !known.has(one));
        const at = [view, place, figure].join(" / ");
        if (!now) yield `${at}: no such figure now`;
        else if (gone.length > 0) yield `${at}: ${gone.join(" ").slice(0, 300)}`;
      }
}

/** Says what differs, and whether anything does. */
function compare(before, after, numbers) {
  const found = [...(numbers ? missing : differences)(before, after)];
  for (const each of found.slice(0, numbers ? Infinity : 60)) console.log(each.slice(0, 400));
  if (numbers) console.log(`Numbers went missing at ${found.length} places.`);
  else console.log(found.length === 0 ? "No difference." : `${found.length} differ.`);
  return found.length > 0;
}

const text = { type: "string" };
const { values: options } = parseArgs({
  options: {
    ...{ page: text, only: text, out: text, against: text, read: text, run: text },
    numbers: { type: "boolean" },
  },
});
const found = options.read
  ? readFound(options.read)
  : await readAll(resolve(options.page ?? join(root, "dist")), options);
if (options.out === "baseline" && options.only) throw new Error("The baseline has all views.");
if (options.out) writeFound(options.out, found);
const places = Object.values(found).flatMap((view) => Object.values(view));
const cells = places.flatMap((each) => Object.values(each).flatMap(({ tables }) => tables.flat(2)));
console.log(`${places.length} places, ${cells.length} cells of tables.`);
if (options.against) {
  const before = Object.entries(readFound(options.against));
  const asked = before.filter(([name]) => isAsked(name, options.only));
  process.exitCode = compare(Object.fromEntries(asked), found, options.numbers) ? 1 : 0;
}
