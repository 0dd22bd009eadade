// `node test/bench/qwenPage.mjs DIR [--page DIST] [--backend wasm|webgpu] [--tokens N] [--node]`: opens a model folder (as
// `qwenFolder.mjs --out DIR --tokenizer` writes it) on the page `#model` of a built page (dist if absent), in Chromium. Prints the
// plan, the seconds until it is read, hashed, loaded and has written N tokens (8), the MB of the worker's JavaScript heap and array
// buffers at most while it loads, those of the page's and of the GPU process, and the tokens. `--node` writes with Node's wasm engine too.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";
import { withBundle } from "./bundle.mjs";
import { serve } from "./firstPaint.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    page: { type: "string", default: "dist" },
    backend: { type: "string", default: "auto" },
    tokens: { type: "string", default: "8" },
    node: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("name a model folder");

const PROMPT = "Which way is the box?";
const FLAGS = ["--headless=new", "--no-sandbox", "--enable-unsafe-webgpu"].concat(
  ["--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan", "--disable-sync"],
  ["--disable-background-networking", "--disable-component-update", "--no-first-run"],
);

/** MB at most of the largest process of a kind: "renderer", a page's; "GPU", which holds a software adapter's buffers. */
async function processMemory(browser, kind) {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  await cdp.detach();
  const peaks = processInfo
    .filter(({ type }) => type === kind)
    .map(({ id }) => /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]);
  return Math.round(Math.max(...peaks.map(Number)) / 1024);
}

/** Asks the page's workers for their JavaScript memory without collecting garbage; the most so far, in MB. */
async function watchWorkers(page) {
  const cdp = await page.context().newCDPSession(page);
  const [workers, most] = [new Set(), { heap: 0, buffers: 0 }];
  cdp.on("Target.attachedToTarget", ({ sessionId }) => workers.add(sessionId));
  cdp.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { result } = JSON.parse(message);
    if (result?.usedSize === undefined) return;
    most.heap = Math.max(most.heap, result.usedSize / 1e6);
    most.buffers = Math.max(most.buffers, (result.backingStorageSize ?? 0) / 1e6);
  });
  const options = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
  await cdp.send("Target.setAutoAttach", options);
  const message = JSON.stringify({ id: 1, method: "Runtime.getHeapUsage", params: {} });
  const timer = setInterval(() => {
    for (const sessionId of workers)
      cdp.send("Target.sendMessageToTarget", { sessionId, message }).catch(() => {});
  }, 100);
  return () => (clearInterval(timer), most);
}

const server = await serve(resolve(values.page));
const browser = await chromium.launch({ executablePath: findBrowser() ?? undefined, args: FLAGS });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const part = (name) => page.locator(`[data-testid=${name}]`);
  const wait = { timeout: 1_800_000 };
  const seconds = {};
  let at = 0;
  const lap = (name) => {
    seconds[name] = Number(((performance.now() - at) / 1000).toFixed(1));
    at = performance.now();
  };
  await page.addInitScript(() => {
    window.tasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.tasks.push(Math.round(duration));
    }).observe({ type: "longtask" });
  });
  await page.goto(`${server.url}#model`);
  await part("model-backend").selectOption(values.backend);
  await page.waitForTimeout(3000);
  await page.evaluate(() => (window.tasks.length = 0));
  at = performance.now();
  await part("model-input").setInputFiles(folder);
  await page.locator("[data-testid=model-load], [data-testid=model-problem]").first().waitFor(wait);
  if ((await part("model-problem").count()) > 0)
    throw new Error(await part("model-problem").textContent());
  const readMost = await watchWorkers(page);
  lap("read");
  await page.waitForFunction(
    () => /^[0-9a-f]{64}$/.test(document.querySelector("[data-testid=model-hash]").textContent),
    null,
    wait,
  );
  lap("hashed");
  await part("model-load").click();
  await part("model-prompt").waitFor(wait);
  lap("loaded");
  await part("model-prompt").fill(PROMPT);
  await part("model-temperature").fill("0");
  await part("model-maxTokens").fill(values.tokens);
  await part("model-sample").click();
  await page.waitForFunction(
    () => document.querySelector("[data-testid=model-ended]")?.textContent !== "",
    null,
    wait,
  );
  lap("written");
  const workers = readMost();
  const plan = await part("model-plan").locator("tbody tr").allInnerTexts();
  await part("model-tokens").locator("summary").click();
  await part("model-tokens").locator("tbody tr").first().waitFor(wait);
  const ids = await part("model-tokens").locator("tbody td:nth-child(2)").allTextContents();
  const result = {
    plan,
    seconds,
    megabytes: {
      heap: Math.round(workers.heap),
      buffers: Math.round(workers.buffers),
      process: await processMemory(browser, "renderer"),
      gpu: await processMemory(browser, "GPU"),
    },
    longTasks: await page.evaluate(() => window.tasks),
    tokens: ids.map(Number),
  };
  console.log(JSON.stringify(result, null, 1));
  if (values.node)
    await withBundle("qwenFolder", async ({ sayInNode }) => {
      const own = await sayInNode(folder, PROMPT, Number(values.tokens));
      console.log(
        `Node: ${own.join()}; ${own.join() === result.tokens.join() ? "same" : "DIFFERENT"}`,
      );
    });
} finally {
  await browser.close();
  server.close();
}
