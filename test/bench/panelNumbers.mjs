// `node test/bench/panelNumbers.mjs [--page DIR] [--out FILE] [--against FILE]`: what every panel of the lens says, over the
// recorded run and three imported logs, as JSON. DIR is a built page (dist if absent). `--against` compares with an earlier
// FILE, names the panel, table and cell that differ, and exits with 1 if any do; with `--numbers` only the numbers that a panel
// said before and says nowhere now, whatever words are around them. `--read FILE` compares what was written by `--out`.
// `--run FILE` opens this recording instead of the page's own, so that pages that ship different runs show the same one;
// `--plain` is for a page from before the workspace (before 698e1e9), whose lens has all panels below each other.
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";

const root = resolve(import.meta.dirname, "..", "..");
const fixture = (name) => join(root, "test", "fixtures", "import", name);

/** Files to read in; null is the run that the page ships. */
const SOURCES = {
  recorded: null,
  verl: fixture("12.jsonl"),
  ragen: fixture("rollouts.json"),
  unipo: fixture("unipo.json"),
};

/** Where the cursor goes from its start, one after the other, in keys. */
const PLACES = {
  start: "",
  "turn, token": "j n n",
  "next episode": "l l j",
  "earlier iteration": "[ e",
  "next method": "a l",
  "its token": "j n",
  "third method": "a x",
};

const TYPES = {
  ...{ ".html": "text/html", ".js": "text/javascript", ".css": "text/css" },
  ...{ ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" },
};

async function serve(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type });
    return createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

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

/** In the page: unfolds what is folded, and says whether there was anything. */
function unfold() {
  const folded = document.querySelectorAll("details[data-panel] details:not([open])");
  for (const each of folded) each.open = true;
  return folded.length > 0;
}

/** In the page: of each panel, every table's cells, and all other text and labels, in order. */
function readPanels() {
  const clean = (text) => (text ?? "").replaceAll(/\s+/g, " ").trim();
  const cellsOf = (table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => clean(cell.textContent)));
  const panels = {};
  for (const panel of document.querySelectorAll("details[data-panel]")) {
    const tables = [...panel.querySelectorAll("table")].map(cellsOf);
    const labels = [...panel.querySelectorAll("[role=img], svg[aria-label], output, select")].map(
      (each) => clean(each.getAttribute("aria-label") ?? each.value ?? ""),
    );
    const paths = [...panel.querySelectorAll("svg path, svg rect, svg circle, svg line")].map(
      (each) =>
        ["d", "x", "y", "width", "height", "cx", "cy", "x1", "y1", "x2", "y2"]
          .map((name) => each.getAttribute(name) ?? "")
          .join(" "),
    );
    const bare = panel.cloneNode(true);
    for (const each of bare.querySelectorAll("table, style, script")) each.remove();
    const walker = document.createTreeWalker(bare, NodeFilter.SHOW_TEXT);
    const text = [];
    while (walker.nextNode()) text.push(clean(walker.currentNode.data));
    panels[panel.dataset.panel] = {
      tables,
      labels: labels.filter(Boolean),
      text: text.filter(Boolean),
      shapes: paths,
    };
  }
  const waits = document.querySelectorAll("[data-covered], [aria-busy=true]").length;
  return { panels, waits };
}

/** Brings every panel into view once: a pane scrolls in itself, and what is out of sight in it stays as it was. */
async function bringIntoView(page) {
  for (const panel of await page.locator("details[data-panel]").all()) {
    await panel.evaluate((one) => one.scrollIntoView({ block: "nearest" }));
    await page.waitForTimeout(150);
  }
}

/** Reads until nothing has changed for two seconds, or 90 seconds have passed. */
async function settled(page) {
  await bringIntoView(page);
  let before = "";
  let still = 0;
  for (let i = 0; i < 180; i++) {
    await page.evaluate(unfold);
    const { panels, waits } = await page.evaluate(readPanels);
    const now = JSON.stringify(panels);
    still = now === before && waits === 0 ? still + 1 : 0;
    if (still === 4) return panels;
    before = now;
    await page.waitForTimeout(500);
  }
  console.error("  still changing after 90 s");
  return JSON.parse(before);
}

/** In the page: its reader saves data, so that it fetches nothing beforehand. */
function saveData() {
  Object.defineProperty(navigator, "connection", { value: { saveData: true } });
}

async function readSource(browser, address, file) {
  // Charts are drawn only while they are on screen: so all of them are.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 16_000 },
    reducedMotion: "reduce",
  });
  await context.addInitScript(saveData);
  const page = await context.newPage();
  await page.goto(address);
  await page
    .locator("[data-testid=recording][data-state=shown], [data-recording=shown]")
    .first()
    .waitFor();
  if (file !== null) {
    await page.locator("#import-input").setInputFiles([file]);
    await page.getByTestId("import-shown").waitFor();
  }
  const closed = page.locator("details[data-panel]:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().press("Enter");
  const places = {};
  for (const [name, keys] of Object.entries(PLACES)) {
    for (const key of keys.split(" ").filter(Boolean)) {
      await page.getByTestId("cursor").focus();
      await page.keyboard.press(key);
    }
    places[name] = await settled(page);
    console.error(`  ${name}: ${JSON.stringify(places[name]).length} letters`);
  }
  await context.close();
  return places;
}

async function readAll(folder, run, plain) {
  const server = await serve(folder);
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? findBrowser(),
    args: ["--headless=new", "--no-sandbox", "--disable-background-networking"],
    ignoreDefaultArgs: ["--headless"],
  });
  const layout = plain ? "" : await allPanes();
  const address = `http://127.0.0.1:${server.address().port}/#v1/nano?view=lens${layout}`;
  const found = {};
  try {
    for (const [name, file] of Object.entries({ ...SOURCES, recorded: run })) {
      console.error(name);
      found[name] = await readSource(browser, address, file);
    }
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
  return found;
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
    yield* differences(before[key], after[key], [...path, key]);
}

/** All numbers of a panel's tables, labels and text, each as often as it stands there. */
function numbersOf({ tables, labels, text }) {
  const all = [...tables.flat(2), ...labels, ...text].join(" ").replaceAll("\u2212", "-");
  const counts = new Map();
  for (const [number] of all.matchAll(/\d+(?:[.,]\d+)*/g))
    counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** By panel and place: numbers with a decimal point that stood there before and stand nowhere in the panel now. */
function* missing(before, after) {
  for (const [source, places] of Object.entries(before))
    for (const [place, panels] of Object.entries(places))
      for (const [panel, said] of Object.entries(panels)) {
        const now = after[source]?.[place]?.[panel];
        const known = now ? numbersOf(now) : new Map();
        const gone = [...numbersOf(said).keys()].filter((one) => /\./.test(one) && !known.has(one));
        if (gone.length > 0 || !now) yield { at: [source, place, panel].join(" / "), gone, now };
      }
}

const { values: options } = parseArgs({
  options: {
    ...{ page: { type: "string" }, out: { type: "string" }, against: { type: "string" } },
    numbers: { type: "boolean" },
    ...{ read: { type: "string" }, run: { type: "string" }, plain: { type: "boolean" } },
  },
});
const found = options.read
  ? JSON.parse(readFileSync(options.read, "utf8"))
  : await readAll(
      resolve(options.page ?? join(root, "dist")),
      options.run ? resolve(options.run) : null,
      options.plain ?? false,
    );
if (options.out) writeFileSync(options.out, JSON.stringify(found));
const panels = Object.values(found).flatMap((places) => Object.values(places));
const cells = panels.flatMap((each) => Object.values(each).flatMap(({ tables }) => tables.flat(2)));
console.log(`${panels.length} places, ${cells.length} cells of tables.`);
if (options.against && options.numbers) {
  const gone = [...missing(JSON.parse(readFileSync(options.against, "utf8")), found)];
  for (const { at, gone: numbers, now } of gone)
    console.log(now ? `${at}: ${numbers.join(" ").slice(0, 300)}` : `${at}: no such panel now`);
  console.log(`Numbers went missing at ${gone.length} places.`);
  process.exitCode = gone.length === 0 ? 0 : 1;
} else if (options.against) {
  const differ = [...differences(JSON.parse(readFileSync(options.against, "utf8")), found)];
  for (const each of differ.slice(0, 60)) console.log(each.slice(0, 400));
  console.log(differ.length === 0 ? "No difference." : `${differ.length} differ.`);
  process.exitCode = differ.length === 0 ? 0 : 1;
}
