// `node test/bench/importPage.mjs [--page DIR] [--sizes MB,MB] [--steps MB] [--stacks]`: what opening a trainer's folder costs on a
// built page (DIR; dist if absent), in Chromium: folders of verl's rollout files (trainer V1, 8 rollouts a task, three outputs a
// rollout, `--steps` MB a step, 5 if absent) of each size. Seconds until the first episode is drawn and until all steps are known,
// milliseconds until another step is drawn (median and most of five), the longest task of the page's thread and how many were over
// 50 ms, and MB of the page's process with its workers, at most and before: its own (RssAnon, looked at every 50 ms) and with the
// browser's files that all tabs share (VmHWM), so only on Linux. `--processor` tells tasks by processor time from a trace, which
// holds on a machine that does other work; a trace takes memory of the page's, so none is told then. `--processor --stacks` names
// what ran in tasks over 40 ms, which a profile makes slower (a page that is built without minifying tells names).
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";
import { serve } from "./firstPaint.mjs";

const { values } = parseArgs({
  options: {
    page: { type: "string", default: "dist" },
    sizes: { type: "string", default: "20,150,300,1000" },
    steps: { type: "string", default: "5" },
    processor: { type: "boolean", default: false },
    stacks: { type: "boolean", default: false },
  },
});

const GROUP = 8;
const ROWS = 3;

/** Rows of one rollout: each prompt repeats what came before. */
function* rollout(step, group, member) {
  let input = `system\nYou are a helpful assistant that calls tools.\nuser\nTask ${group} of step ${step}: ${"move the boxes. ".repeat(60)}\nassistant\n`;
  const score = (group + member + step) % 3 === 0 ? 1 : 0;
  const uid = `48bb30e5-08bb-59ae-9eea-${String(step * 1000 + group).padStart(12, "0")}`;
  for (let row = 0; row < ROWS; row++) {
    const output = `<think>step ${row} of rollout ${member} ${"I push the box to the left. ".repeat(24)}</think>\n<answer>Left || ${row}</answer>`;
    yield JSON.stringify({ input, output, gts: "20", score, step, uid: `${uid}_${member}_${row}` });
    input += `${output}\nuser\n<tool_response>\n${"#_XO_#".repeat(60)}\n</tool_response>\nassistant\n`;
  }
}

/** Step files of `each` bytes, until there are `size`. */
function writeFolder(folder, size, each) {
  mkdirSync(join(folder, "rollout"), { recursive: true });
  let [step, all] = [0, 0];
  while (all < size) {
    const file = openSync(join(folder, "rollout", `${++step}.jsonl`), "w");
    const lines = [];
    let length = 0;
    for (let group = 0; length < Math.min(each, size - all); group++)
      for (let member = 0; member < GROUP; member++)
        for (const line of rollout(step, group, member)) {
          lines.push(line);
          length += line.length + 1;
        }
    writeSync(file, `${lines.join("\n")}\n`);
    closeSync(file);
    all += length;
  }
  return step;
}

/** In the page, before its first script. */
function watch() {
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      window.tasks.push([startTime, duration]);
  }).observe({ type: "longtask" });
}

const FLAGS = [
  ...[
    "--headless=new",
    "--no-sandbox",
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
  ],
  ...["--enable-features=Vulkan", "--disable-background-networking", "--disable-component-update"],
  ...["--disable-sync", "--no-first-run", "--disable-quic"],
];

/** MB that the page's process with its workers has: its own, with what it shares, and that at its largest since the last call. */
async function memory(browser) {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  await cdp.detach();
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => ({ id, ...sizesOf(id) }))
    .sort((a, b) => b.now - a.now);
  writeFileSync(`/proc/${sizes[0].id}/clear_refs`, "5");
  return sizes[0];
}

function sizesOf(id) {
  const status = readFileSync(`/proc/${id}/status`, "utf8");
  const of = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
  return { most: of("VmHWM"), now: of("VmRSS"), own: of("RssAnon") };
}

/** Looks at the process's own memory until it is called; the most that it saw. */
function watchOwn(id) {
  let most = 0;
  const look = () => {
    try {
      most = Math.max(most, sizesOf(id).own);
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, 50);
  return () => (clearInterval(timer), most);
}

/** Tasks of the page's thread in a trace: when they began, their processor time in ms, and what ran in them, if that was traced. */
function tasksIn(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const place = ({ pid, tid }) => `${pid} ${tid}`;
  const isMain = ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain";
  const main = new Set(traceEvents.filter(isMain).map(place));
  const own = traceEvents.filter((event) => main.has(place(event)));
  const samples = values.stacks ? samplesIn(traceEvents, (event) => main.has(place(event))) : [];
  return own
    .filter(({ name }) => name === "RunTask")
    .map((task) => [task.ts / 1000, (task.tdur ?? 0) / 1000, () => insideOf(task, own, samples)]);
}

/** Names by processor time: parts of the browser's work, then functions by their samples' share of the task. */
function insideOf(task, events, samples) {
  const within = ({ ts }) => ts >= task.ts && ts < task.ts + task.dur;
  const parts = new Map();
  for (const event of events)
    if (event !== task && event.tdur > 1000 && event.pid === task.pid && within(event))
      parts.set(event.name, (parts.get(event.name) ?? 0) + event.tdur / 1000);
  const during = samples.filter((one) => one.pid === task.pid && within(one));
  const functions = new Map();
  for (const { names } of during)
    for (const name of names) functions.set(name, (functions.get(name) ?? 0) + 1);
  const share = task.tdur / 1000 / during.length;
  return [largest(parts, 1, 15), largest(functions, share, 60)].join("\n    ");
}

function largest(by, unit, count) {
  return [...by]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([name, own]) => `${name || "?"} ${Math.round(own * unit)}`)
    .join(", ");
}

/** The profiler's samples: when, and the names on the stack. */
function samplesIn(events, isOwn) {
  const profiles = new Map();
  const samples = [];
  for (const event of events) {
    const { name, pid, id, args } = event;
    if (name === "Profile" && isOwn(event))
      profiles.set(`${pid} ${id}`, { at: args.data.startTime, nodes: new Map() });
    if (name !== "ProfileChunk") continue;
    const profile = profiles.get(`${pid} ${id}`);
    if (!profile) continue;
    const { cpuProfile = {}, timeDeltas = [] } = args.data;
    for (const node of cpuProfile.nodes ?? []) profile.nodes.set(node.id, node);
    (cpuProfile.samples ?? []).forEach((node, i) => {
      profile.at += timeDeltas[i];
      const names = new Set();
      for (let one = profile.nodes.get(node); one; one = profile.nodes.get(one.parent))
        names.add(one.callFrame.functionName);
      samples.push({ pid, ts: profile.at, names });
    });
  }
  return samples;
}

const TIMELINE = [
  "disabled-by-default-devtools.timeline",
  ...(values.stacks ? ["devtools.timeline", "v8", "disabled-by-default-v8.cpu_profiler"] : []),
];

async function measure(browser, url, folder) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(watch);
  await page.goto(url);
  await page
    .locator("[data-testid=origin][data-origin=recorded]")
    .first()
    .waitFor({ timeout: 60_000 });
  await page.waitForTimeout(3000);
  const before = await page.evaluate(() => ((window.tasks.length = 0), performance.now()));
  if (values.processor) await browser.startTracing(page, { categories: TIMELINE });
  await page.waitForTimeout(1000);
  const atFirst = await memory(browser);
  const mostOwn = watchOwn(atFirst.id);
  const startedAt = process.hrtime.bigint();
  const began = performance.now();
  await page.locator("#import-folder").setInputFiles(folder);
  const shown = page.locator("[data-testid=import-shown], [data-testid=import-refused]").first();
  await shown.waitFor({ timeout: 300_000 });
  if ((await page.locator("[data-testid=import-refused]").count()) > 0) {
    const why = await page.locator("[data-testid=import-refused]").textContent();
    await page.close();
    return { why };
  }
  // Not by a locator, whose search would be a long task of its own.
  const isDrawn = () =>
    document.querySelector(".lens-panels")?.textContent.includes("I push the box");
  await page.waitForFunction(isDrawn, null, { polling: 20, timeout: 120_000 });
  const first = performance.now() - began;
  await page
    .locator("[data-testid=import-progress]")
    .waitFor({ state: "detached", timeout: 300_000 });
  const whole = performance.now() - began;
  await page.waitForTimeout(3000);
  const moves = [];
  const iterations = page.locator("[data-testid=turns-iteration]").first();
  const steps = await iterations.locator("option").count();
  const isFirst = (await iterations.evaluate((select) => select.selectedIndex)) === 0;
  for (let i = 0; i < 5; i++)
    moves.push(await page.evaluate(move, (i % 2 === 0) === isFirst ? "]" : "["));
  await page.waitForTimeout(1000);
  const own = mostOwn();
  // A trace's clock is the system's own.
  const tasks = values.processor
    ? tasksIn(await browser.stopTracing()).filter(([at]) => at >= Number(startedAt) / 1e6)
    : (await page.evaluate(() => window.tasks)).filter(([at]) => at >= before);
  const { most } = await memory(browser);
  await page.close();
  return { first, whole, steps, moves, tasks, atFirst, most, own };
}

/** In the page: milliseconds from a key press until the text of another step is drawn. */
async function move(key) {
  const scope = document.querySelector("[data-testid=cursor]");
  const text = () => document.querySelector(".lens-panels").textContent;
  const at = () => /Task \d+ of step (\d+)/.exec(text())?.[1];
  const old = at();
  const began = performance.now();
  scope.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  while (at() === old || at() === undefined) {
    if (performance.now() - began > 10_000) return NaN;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - began;
}

const site = await serve(resolve(values.page));
const browser = await chromium.launch({ executablePath: findBrowser() ?? undefined, args: FLAGS });
const folder = mkdtempSync(join(tmpdir(), "turnbook-folders-"));
const each = Number(values.steps) * 1e6;
const WAYS = values.processor ? "by processor" : "by clock";
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
console.log(
  `| folder | steps | first episode | all steps | another step, median and most | longest task, ${WAYS} | over 50 ms | own memory at most, before | with shared files |`,
);
console.log("|---|---|---|---|---|---|---|---|---|");
try {
  for (const size of values.sizes.split(",").map(Number)) {
    const files = join(folder, `${size}`);
    writeFolder(files, size * 1e6, each);
    const { why, first, whole, steps, moves, tasks, atFirst, most, own } = await measure(
      browser,
      site.url,
      files,
    );
    rmSync(files, { recursive: true });
    if (why) {
      console.log(`| ${size} MB | ${why} |`);
      continue;
    }
    const sorted = moves.map(Math.round).sort((a, b) => a - b);
    const long = tasks.map(([, ms]) => ms).sort((a, b) => b - a);
    const cells = [
      ...[`${size} MB`, steps, seconds(first), seconds(whole), `${sorted[2]} and ${sorted[4]} ms`],
      ...[`${Math.round(long[0] ?? 0)} ms`, long.filter((ms) => ms > 50).length],
      ...(values.processor
        ? ["", ""]
        : [`${own} MB, ${atFirst.own} MB`, `${most} MB, ${atFirst.now} MB`]),
    ];
    console.log(`| ${cells.join(" | ")} |`);
    if (values.stacks)
      for (const [at, ms, inside] of tasks)
        if (ms > 40) console.log(`${Math.round(at)}: ${Math.round(ms)} ms\n    ${inside()}`);
  }
} finally {
  await browser.close();
  site.close();
  rmSync(folder, { recursive: true, force: true });
}
