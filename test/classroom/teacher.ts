/** A teacher's page: makes the class link, takes the codes in, and trains every one of them again. */
import type { Browser, Page } from "playwright-core";
import { by } from "../browser/support.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";

/** Of thirty checks, one after the other. */
const TAKES = 1_800_000;

export interface Standing {
  desk: string;
  /** Null where the code counts. */
  doubt: string | null;
  says: string;
}

export async function openTeacher(browser: Browser, url: string, text: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(TAKES);
  const page = await context.newPage();
  await page.goto(`${url}#text/${notebookToWord(text)}`);
  await page.getByText("For the teacher: collect the codes").click();
  await by(page, "class-codes").waitFor();
  return page;
}

/** @param name of a class: its seeds follow from it. */
export async function classLink(page: Page, name = "The thirty"): Promise<string> {
  await by(page, "class-name").fill(name);
  await by(page, "class-make-link").click();
  return by(page, "class-link").evaluate((link) => (link as HTMLAnchorElement).href);
}

/** One by one, as they come: by paste, file or link. */
export async function handIn(page: Page, codes: readonly string[]): Promise<void> {
  const [first = "", second = "", ...rest] = codes;
  await by(page, "class-paste").fill(`Hello, mine is ${first}`);
  await by(page, "class-add").click();
  const buffer = Buffer.from(`${second}\n`);
  await by(page, "class-file").setInputFiles([
    { name: "second.txt", mimeType: "text/plain", buffer },
    { name: "rest.txt", mimeType: "text/plain", buffer: Buffer.from(rest.join("\n")) },
  ]);
  await page.waitForFunction(
    (n) => document.querySelectorAll("[data-testid=class-table] tbody tr").length === n,
    codes.length,
  );
}

/** Every code of the table, in its order. */
export function standings(page: Page): Promise<Standing[]> {
  return by(page, "class-table")
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => ({
        desk: row.children[0]!.textContent,
        doubt: row.getAttribute("data-doubt"),
        says: row.children[2]!.textContent,
      })),
    );
}

export async function checkAll(page: Page): Promise<void> {
  await by(page, "class-check-all").click();
  await page.waitForFunction(
    () =>
      document.querySelector("[data-testid=class-checking]")!.textContent ===
      "Nothing left to check.",
  );
}
