/** The page that carries all its files, as `npm run build` makes it beside the page, and what is exported from a notebook. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { by, openPage } from "./support.ts";

const root = join(import.meta.dirname, "..", "..");
const TYPES: Record<string, string> = { js: "text/javascript", css: "text/css", html: "text/html" };

export interface CarriedPage {
  folder: string;
  /** The site's page at an address, with these files. */
  open(browser: Browser, address: string): ReturnType<typeof openPage>;
  /** The path of a notebook's file, from the item of its menu. */
  exported(page: Page, item: string, ending: string): Promise<string>;
  remove(): void;
}

export async function carriedPage(): Promise<CarriedPage> {
  const folder = mkdtempSync(join(tmpdir(), "turnbook-carried-"));
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    const configFile = join(root, "vite.carried.config.ts");
    await build({ configFile, logLevel: "error", build: { outDir: folder } });
  } finally {
    process.env["NODE_ENV"] = before;
  }
  return {
    folder,
    open: (browser, address) => openWith(folder, browser, address),
    exported: async (page, item, ending) => {
      await by(page, "book-menu").click();
      const [download] = await Promise.all([page.waitForEvent("download"), by(page, item).click()]);
      const path = join(folder, `${item}${ending}`);
      await download.saveAs(path);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function openWith(folder: string, browser: Browser, address: string) {
  const opened = await openPage(browser, "about:blank", { own: true });
  await opened.page.route(/\/(carried\/\w+\.\w+|embed\.html)(\?|$)/, (route) => {
    const path = new URL(route.request().url()).pathname.replace(/^.*?\/(carried\/|embed)/, "$1");
    const contentType = TYPES[path.split(".").at(-1)!] ?? "application/json";
    return route.fulfill({ path: join(folder, path), contentType });
  });
  await opened.page.goto(address);
  return opened;
}
