/** What the browser tests share: the built page on a plain static server, and a real Chromium to open it. */
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from "playwright-core";
import { build, type Plugin } from "vite";
// Plain JavaScript, because the test command needs it before anything is compiled.
import { findBrowser as findPath } from "./find.mjs";
import { TIME_LIMIT } from "../timeLimit.ts";

const root = join(import.meta.dirname, "..", "..");
/** A page is looked at in a window by day and on a phone by night: colours do not depend on the width. */
export const WINDOWS = [
  { name: "wide", viewport: { width: 1280, height: 900 }, theme: "light" },
  { name: "phone", viewport: { width: 390, height: 844 }, theme: "dark" },
] as const;

const screenshots = join(root, "test", "screenshots");
/** Pictures are for people, and drawing them takes a minute of the tests: only on demand. */
export const TAKES_PICTURES = process.env["TURNBOOK_PICTURES"] !== undefined;

/** Takes a picture of a page or a part of it where TURNBOOK_PICTURES is set; `name` is a path in test/screenshots. */
export async function takePicture(
  target: Page | Locator,
  name: string,
  { fullPage = false } = {},
): Promise<void> {
  if (!TAKES_PICTURES) return;
  const path = join(screenshots, name);
  mkdirSync(dirname(path), { recursive: true });
  await target.screenshot({ path, ...(fullPage && { fullPage }) });
}

/** Path of a Chromium or Chrome. @throws Error saying in one sentence what to install. */
export function findBrowser(): string {
  const path = findPath();
  if (path) return path;
  throw new Error(
    "The browser tests need Chromium or Chrome: install one (on Debian: apt-get install chromium) or set CHROME_PATH.",
  );
}

/** Software WebGPU on machines without a graphics card, and no talk with the outside. */
const FLAGS = [
  // Not the headless shell: that build has no WebGPU.
  "--headless=new",
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

export interface ServedPage {
  /** Address of the page, ending in a slash; a sub-path of the server. */
  url: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** `fake` replaces the training worker by one that makes its numbers up. */
  worker: "real" | "fake";
  /** Text to serve as runs/nano/recording.json; null removes it; absent leaves what is shipped. */
  recording?: string | null;
  /** A change to the sources before they are built. */
  change?: SourceChange;
}

export interface SourceChange {
  /** End of the file's path. */
  file: string;
  from: string;
  to: string;
}

/** A server that is there already serves the next file too: the browser then keeps the compiled scripts of its address. */
interface PageServer {
  folder: string;
  /** As in ServeOptions, of who has it now. */
  recording: string | null | undefined;
  server: Server;
}

const idle: PageServer[] = [];

/** Builds the page once and serves it from a sub-path, as a plain host of static files does. */
export async function servePage({ worker, recording, change }: ServeOptions): Promise<ServedPage> {
  const changes = [...(worker === "fake" ? [FAKE_WORKER] : []), ...(change ? [change] : [])];
  const own = change ? mkdtempSync(join(tmpdir(), "turnbook-page-")) : null;
  if (own) await buildInto(own, changes.map(changing), [PAGE]);
  const folder = own ?? (await sharedPage(worker, changes));
  const at = idle.findIndex((one) => one.folder === folder);
  const served = at < 0 ? await startServer(folder) : idle.splice(at, 1)[0]!;
  served.recording = recording;
  const { port } = served.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PREFIX}`,
    close: async () => {
      served.server.closeAllConnections();
      if (!own) return void idle.push(served);
      await new Promise((resolve) => served.server.close(resolve));
      rmSync(own, { recursive: true, force: true });
    },
  };
}

async function startServer(folder: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    answer(served, path, response);
  });
  const served: PageServer = { folder, recording: undefined, server };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Nobody waits for it at the end.
  server.unref();
  return served;
}

function answer({ folder, recording }: PageServer, path: string, response: ServerResponse): void {
  const inside = path.startsWith(PREFIX) ? withinPage(path.slice(PREFIX.length)) : null;
  if (inside === RECORDING && recording !== undefined) {
    if (recording === null) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": TYPES[".jsonl"] }).end(recording);
    return;
  }
  const isMissing = inside === null || (inside === SEEDS && recording !== undefined);
  const file = isMissing ? null : join(folder, normalize(`/${inside || "index.html"}`));
  if (file === null || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  // A host may let all be kept for a while; of those, only names that change with their content are safe here.
  const keeps = inside!.startsWith("assets/") && { "cache-control": "max-age=600" };
  response.writeHead(200, { "content-type": type, ...keeps });
  createReadStream(file).pipe(response);
}

/** The stories' page lies deeper; the files that its panels fetch are those of the page. */
function withinPage(path: string): string {
  return decodeURIComponent(path).replace(/^test\/stories\/figures\//, "figures/");
}

/** Folder of the built page, for a server of one's own. */
export function builtPage(worker: ServeOptions["worker"]): Promise<string> {
  return sharedPage(worker, worker === "fake" ? [FAKE_WORKER] : []);
}

/** The page that test files with the same worker share, built by the first that asks; the others wait for it. */
async function sharedPage(worker: string, changes: SourceChange[]): Promise<string> {
  const pages = process.env["TURNBOOK_TEST_PAGES"];
  if (pages === undefined) throw new Error("TURNBOOK_TEST_PAGES is not set: see test/kernels.mjs.");
  const folder = join(pages, worker);
  const [done, failed] = [`${folder}.done`, `${folder}.failed`];
  try {
    // Making a folder succeeds for one of them only.
    mkdirSync(`${folder}.building`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    while (!existsSync(done)) {
      if (existsSync(failed)) throw new Error(`The page with the ${worker} worker was not built.`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return folder;
  }
  try {
    // Nearly all of the stories' page is in the other one too.
    const inputs = worker === "fake" ? [PAGE, STORIES] : [PAGE];
    await buildInto(folder, changes.map(changing), inputs);
    writeFileSync(done, "");
  } catch (error) {
    writeFileSync(failed, "");
    throw error;
  }
  return folder;
}

/** As `npm run build` does: the test runner's NODE_ENV would make it a development build. */
async function buildInto(folder: string, plugins: Plugin[], inputs: string[]): Promise<void> {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    await build({
      root,
      configFile: join(root, "vite.config.ts"),
      logLevel: "error",
      plugins,
      worker: { plugins: () => plugins },
      build: {
        ...{ outDir: folder, emptyOutDir: true },
        rolldownOptions: { input: inputs.map((path) => join(root, path)) },
      },
    });
  } finally {
    process.env["NODE_ENV"] = before;
  }
}

const PAGE = "index.html";
/** The panels over made-up runs, beside the page with the made-up worker; its address under the page's. */
export const STORIES = "test/stories/index.html";
const PREFIX = "/class/of/2026/";
const RECORDING = "runs/nano/recording.json";
/** Of the shipped run only: another one has no band. */
const SEEDS = "runs/nano-seeds.json";

export const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".jsonl": "application/jsonl",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
};

const FAKE_WORKER: SourceChange = {
  file: "src/runtime/client.ts",
  from: '"./worker.ts"',
  to: JSON.stringify(join(import.meta.dirname, "..", "browser", "fakeWorker.ts")),
};

function changing({ file, from, to }: SourceChange): Plugin {
  return {
    name: "changed-source",
    enforce: "pre",
    transform(code, id) {
      if (!id.split("?")[0]!.endsWith(file)) return null;
      if (!code.includes(from)) throw new Error(`${file} no longer has ${from}`);
      return code.replace(from, to);
    },
  };
}

let shared: Promise<Browser> | undefined;

/** Answers for the server with another recorded run, without seeds; null for none. */
export async function routeRecording(page: Page, recording: string | null): Promise<void> {
  await page.route(`**/${RECORDING}`, (route) =>
    route.fulfill(recording === null ? { status: 404 } : { body: recording }),
  );
  await page.route(`**/${SEEDS}`, (route) => route.fulfill({ status: 404 }));
}

/** A browser: without flags of its own the one that all files of this process use, which ends with the process. */
export async function launch(more: string[] = []): Promise<Browser> {
  if (more.length > 0) return start(more);
  shared ??= start([]).then((browser) => Object.assign(browser, { close: async () => {} }));
  return shared;
}

/** A browser that no other file shares, and that is gone once it is closed: for what is done to a whole browser. */
export const launchOwn = (): Promise<Browser> => start([]);

/** Its pages have no service worker, unless they ask for one: it would answer in place of the test's server. */
async function start(more: string[]): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [...FLAGS, ...more],
    ignoreDefaultArgs: ["--headless"],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) =>
    patient(await newContext({ serviceWorkers: "block", ...options }));
  return browser;
}

/** A browser with a profile that outlives it, in this folder. */
export async function launchProfile(folder: string): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findBrowser(),
    args: FLAGS,
    ignoreDefaultArgs: ["--headless"],
    serviceWorkers: "block",
  });
  return patient(context);
}

/** Gives what its pages wait for the tests' time instead of Playwright's. */
function patient(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(TIME_LIMIT);
  return context;
}

/** Part of a page by its test id. */
export const by = (page: Page, id: string): Locator => page.getByTestId(id);

/** The first experiment's settings, which are folded. */
export const openSettings = (within: Page | Locator): Promise<void> =>
  within.getByTestId("settings").first().click();

/** Seen once the recorded run is: in the notebook, or in the lens. */
export const shownRecording = (page: Page): Locator =>
  page.locator("[data-testid=recording][data-state=shown], [data-recording=shown]").first();

/** Opens a panel of the lens where it is not open, and has it in view. */
export async function openPanel(page: Page, id: string): Promise<void> {
  const panel = by(page, `${id}-panel`);
  if (!(await panel.isVisible())) {
    await by(page, "go-panel").click();
    await page.locator(`[data-go=${id}]`).click();
  }
  await panel.waitFor();
  // At once: a pane that has just opened may be drawn again.
  await panel.evaluate((element) => element.scrollIntoView({ block: "nearest" }));
}

/** Resolves when nothing below has changed for some frames. */
export function atRest(element: Element): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(resolve, 60);
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(resolve, 60);
    };
    new MutationObserver(again).observe(element, {
      ...{ subtree: true, childList: true, attributes: true, characterData: true },
    });
  });
}

/** For pictures: the cursor bar would stick over them. The page's policy takes no <style>. */
export async function unstick(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".cursor-bar { position: static !important }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
}

export { openPage, type OpenedPage, type PageOptions } from "./openPage.ts";
