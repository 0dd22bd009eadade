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
  await by(page, "class-file").setInputFiles([
    plainFile("second.txt", `${second}\n`),
    plainFile("rest.txt", rest.join("\n")),
  ]);
  await hasRows(page, codes.length);
}

async function hasRows(page: Page, n: number): Promise<void> {
  await page.waitForFunction(
    (n) => document.querySelectorAll("[data-testid=class-table] tbody tr").length === n,
    n,
  );
}

const plainFile = (name: string, text: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});

/** Pastes each beside what is there. */
export async function pasteMore(page: Page, codes: readonly string[]): Promise<void> {
  const { length } = await standings(page);
  for (const [i, code] of codes.entries()) {
    // A field that is given ten megabytes by keys takes minutes.
    if (code.length > 1e6)
      await by(page, "class-file").setInputFiles([plainFile("long.txt", code)]);
    else {
      await by(page, "class-paste").fill(code);
      await by(page, "class-add").click();
    }
    await hasRows(page, length + i + 1);
  }
}

/** Gives a file. @returns what the page says of it: `says`, or what stands there after ten seconds. */
export async function giveFile(page: Page, name: string, text: string, says: string) {
  await by(page, "class-file").setInputFiles([plainFile(name, text)]);
  const said = by(page, "class-added");
  await said
    .and(page.getByText(says, { exact: true }))
    .waitFor({ timeout: 10_000 })
    .catch(() => {});
  return said.textContent();
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
