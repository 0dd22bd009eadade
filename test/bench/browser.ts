/** The side of the bench that holds the browser: builds the page, serves it isolated, runs one job after the other. */
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { launch } from "../browser/support.ts";
import type { Answer, Job } from "./page/protocol.ts";

/** Nothing here takes longer, not even plain tfjs on a processor that pretends to be a GPU. */
const JOB_MINUTES = 20;

export interface Bench {
  version: string;
  run(job: Job): Promise<Answer>;
  close(): Promise<void>;
}

/** `root` is the project's folder. */
export async function openBench(root: string): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "turnbook-bench-"));
  await buildPage(root, folder);
  const server = await serve(folder);
  const browser = await launch();
  const { port } = server.address() as AddressInfo;
  return {
    version: browser.version(),
    run: (job) => runIn(browser, `http://127.0.0.1:${port}/`, job),
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function buildPage(root: string, outDir: string): Promise<void> {
  const jax = join(root, "node_modules", "@jax-js", "jax", "package.json");
  const { version } = JSON.parse(readFileSync(jax, "utf8")) as { version: string };
  await build({
    root: join(root, "test", "bench", "page"),
    configFile: false,
    base: "./",
    logLevel: "error",
    mode: "production",
    define: { __JAX_VERSION__: JSON.stringify(version) },
    worker: { format: "es" },
    // Not minified: tfjs hands the text of one of its functions to its threads, where its name has to be what it was.
    build: { outDir, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, minify: false },
  });
}

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** With the two headers that let WebAssembly share memory between threads. */
async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const file = join(folder, normalize(path === "/" ? "/index.html" : decodeURIComponent(path)));
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** A fresh page for each job; closing it ends its workers and their devices. */
async function runIn(browser: Browser, url: string, job: Job): Promise<Answer> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    let complaint = "";
    page.on("pageerror", (error) => (complaint ||= String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") complaint ||= message.text();
    });
    await page.goto(url);
    await page.waitForFunction(() => "runJob" in window);
    const answer = await Promise.race([
      page.evaluate((job) => window.runJob(job), job),
      timeout(() => `no answer in ${JOB_MINUTES} minutes ${complaint}`),
    ]);
    return answer;
  } catch (error) {
    return { kind: "error", message: String(error) };
  } finally {
    await context.close();
  }
}

function timeout(message: () => string): Promise<Answer> {
  return new Promise((resolve) => {
    const end = () => resolve({ kind: "error", message: message() });
    setTimeout(end, JOB_MINUTES * 60_000).unref();
  });
}
