// `node test/bench/cursor.mjs [--page DIR] [--beside DIR] [--moves N]`: from a key that moves the cursor to the repainted page, in
// milliseconds, in a built page (DIR; dist if absent) and by turns in another one: all rows of Credits over an episode of 64 turns of
// 60 tokens, with the ribbon and the tokens beside it. Prints medians, the 95th percentile, and the ratio of the medians.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";
import { median, serve } from "./firstPaint.mjs";

const root = resolve(import.meta.dirname, "..", "..");
const TURNS = 64;
const TOKENS = 60;
const { values } = parseArgs({
  options: { page: { type: "string" }, beside: { type: "string" }, moves: { type: "string" } },
});
const moves = Number(values.moves ?? 40);

/** The shipped run's first iteration of Turn-PPO, its episodes made long. */
function longRecording() {
  const [header, ...lines] = readFileSync(join(root, "test/fixtures/runs/nano.jsonl"), "utf8")
    .trim()
    .split("\n");
  const events = lines.map((line) => JSON.parse(line));
  const start = events.find(({ type }) => type === "start");
  const played = events.find((event) => event.algorithm === "turn-ppo" && event.episodes);
  const algorithms = start.spec.algorithms.filter(({ name }) => name === "turn-ppo");
  const episodes = played.episodes.map((episode) => ({
    ...episode,
    turns: Array.from({ length: TURNS }, (_, h) => longTurn(episode.turns, h)),
  }));
  const made = [
    { ...start, spec: { ...start.spec, algorithms } },
    { ...played, episodes, updates: undefined },
  ];
  return [header, ...made.map((event) => JSON.stringify(event)), ""].join("\n");
}

function longTurn(turns, h) {
  const turn = turns[h % turns.length];
  const tokens = Array.from({ length: TOKENS }, (_, t) => ({
    ...turn.tokens[t % turn.tokens.length],
    advantage: turn.advantage + h / 100,
  }));
  const critics = {
    "turn-ppo": [h / 10],
    "token-ppo": tokens.map((_, t) => (h + t) / 10),
  };
  return { ...turn, value: h / 10, advantage: turn.advantage + h / 100, tokens, critics };
}

/** Names of all rows, and an address with these panels in sight. */
async function fromSources() {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { algorithmNames } from "./src/spec/algorithms.ts"; export { showing } from "./test/fixtures/lensAddress.ts";`,
      resolveDir: root,
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "error",
    loader: { ".css": "empty" },
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

/** In the page: from the key to the task after the next frame. */
const timeOfKey = (key) =>
  new Promise((done) => {
    const began = performance.now();
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  });

async function openAt(browser, folder, file, { algorithmNames, showing }) {
  const site = await serve(resolve(folder));
  const page = await browser.newPage({ viewport: { width: 1440, height: 1200 } });
  const rows = `&credits:rows=${algorithmNames.join(",")}`;
  await page.goto(`${site.url}#v1/nano?view=lens${showing("credits", "ribbon", "tokens")}${rows}`);
  await page.locator("[data-recording=shown]").first().waitFor();
  await page.locator("#import-input").setInputFiles([file]);
  await page.getByTestId("import-shown").waitFor();
  const drawn = page.getByTestId("credits-table").locator("tbody tr");
  await drawn.nth(algorithmNames.length - 1).waitFor({ timeout: 120_000 });
  await page.getByTestId("cursor").focus();
  return { site, page, rows: await drawn.count() };
}

const folder = mkdtempSync(join(tmpdir(), "turnbook-cursor-"));
const file = join(folder, "long.jsonl");
writeFileSync(file, longRecording());
const sources = await fromSources();
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? findBrowser(),
  args: ["--headless=new", "--no-sandbox"],
  ignoreDefaultArgs: ["--headless"],
});
const asked = { page: values.page ?? join(root, "dist"), beside: values.beside };
const opened = [];
for (const [name, dir] of Object.entries(asked))
  if (dir) opened.push({ name, times: [], ...(await openAt(browser, dir, file, sources)) });
for (let i = 0; i < moves; i++)
  for (const one of opened) {
    // There and back, so that the stretch of turns that is drawn changes, too.
    const key = i % moves < moves / 2 ? "j" : "k";
    one.times.push(await one.page.evaluate(timeOfKey, key));
    await one.page.waitForTimeout(250);
  }
for (const { name, times, rows } of opened) {
  const sorted = times.toSorted((a, b) => a - b);
  const high = sorted[Math.floor(0.95 * (sorted.length - 1))];
  console.log(
    `${name}: median ${median(times).toFixed(1)} ms, 95 % below ${high.toFixed(1)} ms, n = ${times.length}, ${rows} rows x ${TURNS} turns x ${TOKENS} tokens`,
  );
}
if (opened.length === 2)
  console.log(`ratio ${(median(opened[0].times) / median(opened[1].times)).toFixed(2)}`);
await browser.close();
for (const { site } of opened) site.close();
rmSync(folder, { recursive: true });
