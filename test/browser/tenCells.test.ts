/**
 * A notebook of ten cells, written from nothing by keys and mouse: reload, a killed browser, undo, link, web page and Jupyter
 * file lose nothing of it, and Git sees one changed cell as that cell's lines.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { carriedPage, type CarriedPage } from "./carriedPage.ts";
import { main } from "../../src/cli/main.ts";
import { by, launch, launchProfile, servePage, takePicture, type ServedPage } from "./support.ts";

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
  await editor(page).waitFor();
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

it("is written in one sitting, and stays", async ({ annotate }) => {
  const { page, errors, close } = await carried.open(browser, `${site.url}#notebooks`);
  const begun = performance.now();
  await writeFirst(page);
  await writeCells(page);
  await writeLast(page);
  await annotate(`ten cells in ${((performance.now() - begun) / 60_000).toFixed(2)} minutes`);
  await expect.poll(() => by(page, "edit-cell").count()).toBe(10);
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
  await survivesKill(text);
});

/** The whole browser dies, with no time to write anything; then the same profile opens the notebook's address. */
async function survivesKill(text: string): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), "turnbook-profile-"));
  const file = join(profile, "ten.turnbook.md");
  writeFileSync(file, text);
  try {
    const before = await launchProfile(profile);
    const page = await before.newPage();
    expect(await openFile(page, file)).toBe(text);
    const changed = await changeData(page);
    const address = page.url();
    const closed = before.waitForEvent("close");
    // A link to "HOST-PROCESS".
    const lock = readlinkSync(join(profile, "SingletonLock"));
    process.kill(Number(lock.split("-").at(-1)), "SIGKILL");
    await closed;
    const after = await launchProfile(profile);
    const again = await after.newPage();
    await again.goto(address);
    await by(again, "book-bar").waitFor();
    expect(await textOf(again)).toBe(changed);
    await after.close();
    await isOneCellsDiff(profile, text, changed);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

const DATA = "[{ x: 1, y: 2 }, { x: 2, y: 8 }]";

/** Another source for the cell "data", saved. */
async function changeData(page: Page): Promise<string> {
  if ((await by(page, "mode-edit").getAttribute("aria-pressed")) !== "true")
    await by(page, "mode-edit").click();
  await page.locator("[data-cell=data] .code-source").click();
  await writeCode(page, DATA);
  await expect.poll(() => textOf(page)).toContain(DATA);
  await page.locator("[data-testid=keeping][data-state=saved]").waitFor();
  return textOf(page);
}

/** One line is replaced by one; the command line has nothing to say of the file, and would write it the same. */
async function isOneCellsDiff(folder: string, before: string, after: string): Promise<void> {
  const paths = ["a.md", "b.md"].map((name) => join(folder, name)) as [string, string];
  [before, after].forEach((text, i) => writeFileSync(paths[i]!, text));
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--unified=0", ...paths]);
  const lines = String(stdout).split("\n");
  const changes = lines.filter((line) => /^[-+](?![-+])/.test(line));
  expect(changes).toEqual(["-[{ x: 1, y: 2 }, { x: 2, y: 3 }, { x: 3, y: 5 }]", `+${DATA}`]);
  const said: unknown[] = [];
  const out = {
    json: (one: unknown) => said.push(one),
    progress: (line: string) => said.push(line),
  };
  for (const command of ["check", "format"])
    for (const path of paths)
      expect(await main(["notebook", command, path], out), String(said)).toBe(0);
  expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual([before, after]);
}

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
