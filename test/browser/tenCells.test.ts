/** A notebook of ten cells, written from nothing by keys and mouse: reload, undo, link, web page and Jupyter file lose nothing of it. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { carriedPage, type CarriedPage } from "./carriedPage.ts";
import { by, launch, servePage, takePicture, type ServedPage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
let carried: CarriedPage;
beforeAll(async () => {
  [site, browser, carried] = await Promise.all([
    servePage({ worker: "fake" }),
    launch(),
    carriedPage(),
  ]);
});
afterAll(async () => {
  carried?.remove();
  await browser?.close();
  await site?.close();
});

const editor = (page: Page) => page.locator(".cm-focused");
const addLast = (page: Page, id: string) => by(page, "edit").getByTestId(id).last().click();

const names = (page: Page) =>
  by(page, "edit-cell").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));

async function rename(page: Page, name: string): Promise<void> {
  await by(page, "cell-name").fill(name);
  await by(page, "cell-name").press("Enter");
}

async function writeCode(page: Page, source: string): Promise<void> {
  await editor(page).waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(source);
}

/** Prose with a formula, and behind it, by keys, a code cell. */
async function writeFirst(page: Page): Promise<void> {
  await by(page, "new-notebook").click();
  await editor(page).waitFor({ timeout: 120_000 });
  await page.keyboard.insertText("The mean is $\\bar r = \\frac{1}{n} \\sum_i r_i$.");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/");
  const menu = page.getByRole("listbox");
  await expect
    .poll(() => menu.getByRole("option").allTextContents())
    .toEqual(["/Text", "/Code", "/Input", "/Experiment", "/Figure"]);
  await takePicture(page, "tenCells/slash.png");
  await page.keyboard.type("co");
  await expect.poll(() => menu.getByRole("option").count()).toBe(1);
  // Right after it opens, a menu ignores keys, so that none is taken by mistake.
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await expect
    .poll(() => names(page))
    .toEqual(["Untitled", "Code: code", "Experiment", "Experiment: first", "Curves: curves"]);
  await writeCode(page, "[{ x: 1, y: 2 }, { x: 2, y: 3 }, { x: 3, y: 5 }]");
  await rename(page, "data");
}

/** A figure of its own data, an own estimator that its experiment names, and a sweep. */
async function writeCells(page: Page): Promise<void> {
  await addLast(page, "add-code");
  await writeCode(page, 'Plot.plot({ marks: [Plot.line(data, { x: "x", y: "y" })] })');
  await rename(page, "picture");
  await addLast(page, "add-code");
  await by(page, "cell-defines").selectOption("estimator");
  await rename(page, "mine");
  const first = page.getByRole("region", { name: "Experiment: first" });
  await first.click({ position: { x: 5, y: 5 } });
  await first.getByTestId("settings").click();
  await first.getByTestId("method-turn-ppo@mine").click();
  await addLast(page, "add-more");
  await by(page, "add-sweep").click();
}

/** By mouse, in place of an empty text; then a figure, which is dragged two cells up. */
async function writeLast(page: Page): Promise<void> {
  await addLast(page, "add-prose");
  await editor(page).waitFor();
  await page.keyboard.type("/");
  await page.getByRole("option", { name: "/Input" }).click();
  await addLast(page, "add-panel");
  await expect.poll(async () => (await names(page)).slice(-3)).toEqual(LAST);
  const [from, to] = [by(page, "edit-cell").last(), by(page, "edit-cell").nth(-3)];
  const handle = from.getByTestId("drag-cell");
  await handle.scrollIntoViewIfNeeded();
  const start = (await handle.boundingBox())!;
  await page.mouse.move(start.x + 8, start.y + 8);
  await page.mouse.down();
  for (let y = start.y; ; y -= 20) {
    await page.mouse.move(start.x + 40, Math.max(y, 60));
    const { top, height } = await to.evaluate((element) => {
      const { top, height } = element.closest(".edit-place")!.getBoundingClientRect();
      return { top, height };
    });
    if (Math.max(y, 60) < top + height / 2) break;
  }
  await page.locator("[data-drop]").waitFor();
  await takePicture(page, "tenCells/drag.png");
  await page.mouse.up();
  const [sweep, input, panel] = LAST;
  await expect.poll(async () => (await names(page)).slice(-3)).toEqual([panel, sweep, input]);
  await page.getByRole("status").getByText("Panel: panel is now cell 8 of 10.").waitFor();
}

const LAST = ["Sweep: sweep", "Input: input", "Panel: panel"];

/** As its menu gives it. */
async function textOf(page: Page): Promise<string> {
  return readFileSync(await carried.exported(page, "download-book", ".md"), "utf8");
}

async function openFile(page: Page, path: string): Promise<string> {
  await page.goto(`${site.url}#notebooks`);
  await by(page, "notebook-file").setInputFiles(path);
  await by(page, "book-bar").waitFor();
  return textOf(page);
}

it("is written in one sitting, and stays", async () => {
  const { page, errors, close } = await carried.open(browser, `${site.url}#notebooks`);
  await writeFirst(page);
  await writeCells(page);
  await writeLast(page);
  expect(await by(page, "edit-cell").count()).toBe(10);
  expect(await by(page, "cell-problems").count()).toBe(0);
  const text = await textOf(page);
  for (const part of [
    "$\\bar r = \\frac{1}{n} \\sum_i r_i$.",
    "```code id=data\n[{ x: 1",
    "```code id=mine defines=estimator\n",
    "turn-ppo@mine",
  ])
    expect(text).toContain(part);

  for (const one of ["undo", "redo"]) {
    await by(page, one).click();
    await expect
      .poll(async () => (await names(page)).at(-1))
      .toBe(one === "undo" ? LAST[2] : LAST[1]);
  }
  for (let i = 0; i < 4; i++) await by(page, "undo").click();
  for (let i = 0; i < 4; i++) await by(page, "redo").click();
  expect(await textOf(page)).toBe(text);
  await page.locator("[data-testid=keeping][data-state=saved]").waitFor();
  await page.reload();
  await by(page, "book-bar").waitFor();
  expect(await textOf(page)).toBe(text);
  await by(page, "mode-read").click();
  await page.locator(".katex").first().waitFor();
  await page.locator("[data-cell=picture] svg").first().waitFor();

  const html = await carried.exported(page, "export-page", ".html");
  const jupyter = await carried.exported(page, "export-jupyter", ".ipynb");
  const link = await linkOf(page);
  expect(errors).toEqual([]);
  await close();

  const other = await carried.open(browser, link);
  await by(other.page, "edit-copy").click();
  await by(other.page, "book-bar").waitFor();
  expect(await textOf(other.page)).toBe(text);
  expect(await openFile(other.page, jupyter)).toBe(text);
  expect(await openFile(other.page, html)).toBe(text);
  expect(other.errors).toEqual([]);
  await other.close();
});

/** What the page would put on the clipboard. */
async function linkOf(page: Page): Promise<string> {
  await page.evaluate(() => {
    navigator.clipboard.writeText = (text) =>
      Promise.resolve(void (document.body.dataset["copied"] = text));
  });
  await by(page, "book-menu").click();
  await by(page, "copy-book-link").click();
  const copied = () => page.evaluate(() => document.body.dataset["copied"] ?? "");
  await expect.poll(copied).toContain("#text/");
  return copied();
}
