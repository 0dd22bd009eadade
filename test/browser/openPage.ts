/**
 * Pages for tests. A page in a profile of its own costs a browser window, a process and compiling all scripts again: a second of
 * work. So a page that its test has only looked at in other ways is emptied, its storage too, and opened again for the next one.
 */
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from "playwright-core";

export interface OpenedPage {
  page: Page;
  /** Console errors and uncaught exceptions so far. */
  errors: string[];
  close(): Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  /** Whether the page fetches beforehand all that it may need: work that most tests need not wait for. */
  preloads?: boolean;
  /** A page that its test changes for good: it is a new one, and no other test gets it afterwards. */
  own?: boolean;
}

/** As Playwright has them where nothing is said. */
const USUAL = { width: 1280, height: 720 };

/** What changes a page in a way that cannot be undone. */
const LASTING = ["addInitScript", "exposeBinding", "exposeFunction"] as const;

/** By what cannot be changed in a page that is there, see `kindOf`. */
const waiting = new WeakMap<Browser, Map<string, Page[]>>();
const spoiled = new WeakSet<Page>();

/** In the page: its reader saves data, so that it fetches nothing beforehand. */
export function saveData(): void {
  Object.defineProperty(navigator, "connection", { value: { saveData: true } });
}

/** Which pages can replace one another: what a look sets does not count. */
function kindOf(options: PageOptions): string {
  const { viewport: _size, colorScheme: _theme, ...lasting } = options;
  return JSON.stringify(lasting);
}

/** Opens an address where nothing is stored, noting everything that goes wrong in it. */
export async function openPage(
  browser: Browser,
  url: string,
  options: PageOptions = {},
): Promise<OpenedPage> {
  const kinds = waiting.get(browser) ?? new Map<string, Page[]>();
  waiting.set(browser, kinds);
  const kind = kindOf(options);
  const used = kinds.get(kind)?.pop();
  const page = used ?? (await newPage(browser, options));
  if (used) await setLook(used, options);
  const { errors, stopListening } = listenTo(page);
  await page.goto(url);
  const close = async () => {
    stopListening();
    if (options.own || page.isClosed() || spoiled.has(page)) return page.context().close();
    await empty(page);
    kinds.set(kind, [...(kinds.get(kind) ?? []), page]);
  };
  return { page, errors, close };
}

async function newPage(
  browser: Browser,
  { preloads = false, own: _own, ...options }: PageOptions,
): Promise<Page> {
  const context = await browser.newContext(options);
  if (!preloads) await context.addInitScript(saveData);
  const page = await context.newPage();
  for (const name of LASTING) markWhere(page, name);
  return page;
}

/** Remembers of the page that this was called. */
function markWhere(page: Page, name: (typeof LASTING)[number]): void {
  const plain = page[name].bind(page) as (...given: unknown[]) => unknown;
  const marked = (...given: unknown[]) => {
    spoiled.add(page);
    return plain(...given);
  };
  Object.assign(page, { [name]: marked });
}

async function setLook(page: Page, options: BrowserContextOptions): Promise<void> {
  await page.setViewportSize(options.viewport ?? USUAL);
  const colorScheme = options.colorScheme ?? "light";
  await page.emulateMedia({ media: null, reducedMotion: null, colorScheme });
}

function listenTo(page: Page): { errors: string[]; stopListening: () => void } {
  const errors: string[] = [];
  const hear = (message: ConsoleMessage) => {
    // Without a recorded run, seeds or a lesson a page is in order; the browser reports the 404 all the same.
    const expected = /\/(runs\/nano(\/recording|-seeds)\.json|notebooks\/\w+\.md)$/.test(
      message.location().url,
    );
    if (message.type() === "error" && !expected) errors.push(message.text());
  };
  const take = (error: Error) => void errors.push(String(error));
  page.on("console", hear);
  page.on("pageerror", take);
  return { errors, stopListening: () => void page.off("console", hear).off("pageerror", take) };
}

/** Leaves the page empty and without storage, for the next test. */
async function empty(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (origin !== "null") await page.evaluate(() => sessionStorage.clear());
  await page.goto("about:blank");
  await page.context().clearCookies();
  const session = await page.context().newCDPSession(page);
  if (origin !== "null")
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
}
