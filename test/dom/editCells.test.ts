// @vitest-environment happy-dom
/** Cells by keyboard, and what the page says of them while a notebook is written. */
import { expect, it } from "vitest";
import { shelf } from "../../src/app/book/openBook.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, type DomPage } from "./page.ts";

usesApp();

async function newNotebook() {
  const opened = await openApp("#notebooks");
  await by(opened.page, "new-notebook").click();
  await by(opened.page, "edit").waitFor();
  return opened;
}

/** A field of the first experiment, whose settings are one line until it is opened. */
async function fieldOf(page: DomPage, name: string) {
  const form = page.locator("details.folded-form").first();
  if ((await form.getAttribute("open")) === null) await by(page, "settings").first().click();
  return page.getByLabel(name).first();
}

it("folds, runs and stops a cell by keys; what shows a changed experiment is out of date", async () => {
  const { page, close } = await newNotebook();
  const cell = by(page, "edit-cell").nth(1);
  await cell.focus();
  await page.keyboard.press("Control+Shift+F");
  const fold = cell.getByRole("button", { name: "Fold while reading" });
  await expect.poll(() => fold.getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("Control+Enter");
  const bar = by(page, "run-bar");
  await expect.poll(() => bar.getAttribute("data-run-state")).toMatch(/loading|running|finished/);
  await cell.focus();
  await page.keyboard.press("Control+.");
  await expect.poll(() => bar.getAttribute("data-run-state")).toMatch(/paused|finished/);
  expect(await by(page, "out-of-date").count()).toBe(0);
  const marked = (state: string) =>
    expect.poll(() => page.locator(`[data-testid=cell-list] li [data-state=${state}]`).count());
  await marked("fresh").toBe(2);
  await (await fieldOf(page, "Seed")).fill("7");
  await by(page, "out-of-date").getByText("first has changed since this run").waitFor();
  await marked("late").toBe(2);
  await marked("fresh").toBe(0);
  for (const [added, cells] of [
    ["compare", 4],
    ["playground", 5],
  ] as const) {
    await by(page, "add-more").last().click();
    await by(page, `add-${added}`).click();
    await expect.poll(() => by(page, "edit-cell").count()).toBe(cells);
    await expect.poll(() => by(page, "out-of-date").count()).toBe(cells - 2);
    await marked("late").toBe(cells - 1);
  }
  await (await fieldOf(page, "Seed")).fill("1");
  await expect.poll(() => by(page, "out-of-date").count()).toBe(0);
  await marked("fresh").toBe(4);
  await close();
});

it("takes back every kind of change by one key, and brings it back by another", async () => {
  const { page, errors, close } = await newNotebook();
  const id = /#book\/(\w+)/.exec(page.url())![1]!;
  const text = async () => (await shelf.get(id))!.text;
  const cell = (n: number) => by(page, "edit-cell").nth(n);
  const press = async (n: number, key: string) => {
    await cell(n).focus();
    await page.keyboard.press(key);
  };
  const rename = async () => {
    await cell(2).focus();
    await by(page, "cell-name").fill("base");
    await page.keyboard.press("Enter");
  };
  const define = async () => {
    await by(page, "add-code").last().click();
    await by(page, "source").waitFor();
    await by(page, "cell-defines").selectOption("reward");
  };
  const changes = {
    insert: () => press(0, "Control+Shift+ArrowDown"),
    move: () => press(0, "Control+ArrowDown"),
    duplicate: () => press(2, "Control+Shift+D"),
    fold: () => press(3, "Control+Shift+F"),
    delete: () => press(2, "Delete"),
    rename,
    form: async () => (await fieldOf(page, "Seed")).fill("7"),
  };
  const texts = [await text()];
  for (const [name, change] of Object.entries(changes)) {
    await change();
    await expect.poll(text, { message: name }).not.toBe(texts.at(-1));
    texts.push(await text());
  }
  const edit = by(page, "edit");
  for (const before of texts.slice(0, -1).reverse()) {
    await edit.focus();
    await page.keyboard.press("Control+z");
    await expect.poll(text).toBe(before);
  }
  for (const after of texts.slice(1)) {
    await edit.focus();
    await page.keyboard.press("Control+y");
    await expect.poll(text).toBe(after);
  }
  await expect.poll(() => by(page, "redo").isDisabled()).toBe(true);
  // Choosing a kind writes its example: one step.
  await define();
  await expect.poll(text).toContain("export function reward(");
  await edit.focus();
  await page.keyboard.press("Control+z");
  await expect.poll(text).not.toContain("export function");
  expect(errors).toEqual([]);
  await close();
});

/** Milliseconds after which an editor has said what is wrong. */
const LINTED = 1500;

/** What the editor of the selected cell has, or a part of it. */
const sourceOf = (page: DomPage, part = ".cm-content") =>
  page.evaluate((selector) => {
    const editor = document.querySelector("[data-selected=true] [data-testid=source]");
    const parts = editor?.shadowRoot?.querySelectorAll(selector) ?? [];
    return [...parts].map((one) => one.textContent).join();
  }, part);

it("begins a definition with an example of its kind", async () => {
  const { page, close } = await newNotebook();
  await by(page, "add-code").last().click();
  await by(page, "source").waitFor();
  const kind = by(page, "cell-defines");
  await kind.selectOption("reward");
  await expect.poll(() => sourceOf(page)).toContain("export function reward(");
  // Once: the editor has it, and finds nothing wrong with it.
  const shown = by(page, "edit-cell").last();
  expect(await shown.textContent()).not.toContain("export function");
  await page.waitForTimeout(LINTED);
  expect(await sourceOf(page, ".cm-lintRange-error")).toBe("");
  expect(await by(page, "use-template").count()).toBe(0);
  await kind.selectOption("expert");
  await by(page, "use-template").waitFor();
  // It has the focus, and is then gone, while the editor looks for it.
  await by(page, "use-template").click();
  await expect.poll(() => sourceOf(page)).toContain("export function respond(");
  // A cell that is only read shows it, too.
  await by(page, "edit-cell").first().focus();
  await expect.poll(() => shown.textContent()).toContain("export function respond(");
  await close();
});

it("writes a panel's cursor into its cell", async () => {
  const { page, close } = await newNotebook();
  await by(page, "add-panel").last().click();
  await by(page, "edit-cell").nth(3).waitFor();
  await by(page, "run").click();
  await page.locator("[data-run-state=finished]").waitFor();
  const text = () =>
    page.evaluate(
      () =>
        document.querySelector("[data-selected=true] [data-testid=source]")?.shadowRoot
          ?.textContent,
    );
  await expect.poll(text).toContain("panel: credits");
  expect(await text()).not.toContain("at:");
  await page.locator("[data-panel=credits] [data-scope=turns]").first().focus();
  await page.keyboard.press("l");
  await expect.poll(text).toMatch(/at: .*,,2,1/);
  await close();
});

it("leaves the focus in a form that is typed into, though each key changes the cell", async () => {
  const { page, close } = await newNotebook();
  await by(page, "edit-cell").nth(1).focus();
  const field = await fieldOf(page, "Iterations");
  await field.focus();
  await field.fill("");
  await page.keyboard.type("20");
  expect(await field.inputValue()).toBe("20");
  await close();
});

it("opens one's own to write; one press runs what a change left out of date, and says what that was", async () => {
  const { page, errors, close } = await newNotebook();
  const late = by(page, "run-late");
  await expect.poll(() => late.textContent()).toBe("Nothing out of date");
  await by(page, "run").click();
  await page.locator("[data-run-state=finished]").waitFor();
  await (await fieldOf(page, "Seed")).fill("7");
  await (await fieldOf(page, "Iterations")).fill("3");
  await by(page, "changed")
    .getByText(
      "Changed since this run: Seed 1 → 7, Iterations 50 → 3. Out of date: Curves: curves.",
    )
    .waitFor();
  await expect.poll(() => late.textContent()).toBe("Run 1 out of date");
  await late.click();
  await expect.poll(() => late.isDisabled()).toBe(true);
  await page.locator("[data-run-state=finished]").waitFor();
  expect(await by(page, "changed").count()).toBe(0);
  // Code stands above what it prints.
  await by(page, "add-code").last().click();
  await by(page, "source").waitFor();
  await by(page, "edit-cell").first().focus();
  const code = by(page, "edit-cell").last();
  await code.getByRole("button", { name: "Run again" }).waitFor();
  const parts = await code
    .locator(".code-source, .code-output")
    .evaluateAll((all) => all.map(({ className }) => className));
  expect(parts).toEqual(["code-source", "code-output"]);
  const url = page.url();
  await close();
  const again = await openApp(url.slice(url.indexOf("#")));
  await by(again.page, "edit").waitFor();
  expect(errors).toEqual([]);
  await again.close();
});
