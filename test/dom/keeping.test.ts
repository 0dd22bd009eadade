// @vitest-environment happy-dom
/** Notebooks kept in the browser: the list, renaming, earlier versions, what goes next, and a storage that is full. */
import * as fake from "fake-indexeddb";
import { deleteDB } from "idb";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { shelf } from "../../src/app/book/openBook.ts";
import { records } from "../../src/app/keptRuns.ts";
import type { KeptRun } from "../../src/runtime/shelf/keptRuns.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { openApp, usesApp } from "./app.tsx";
import type { DomPage } from "./page.ts";

/** What a document without a browser lacks; others must not find it. */
const { default: factory, ...classes } = fake;
const globals: Record<string, unknown> = { ...classes, indexedDB: factory };
const before = new Map<string, unknown>();

beforeAll(() => {
  for (const [name, value] of Object.entries(globals)) {
    before.set(name, Reflect.get(globalThis, name));
    Reflect.set(globalThis, name, value);
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const { id } of await shelf.list()) await shelf.drop(id);
  await Promise.all([deleteDB("turnbook-notebooks"), deleteDB("turnbook-runs")]);
});
afterAll(() => {
  for (const [name, value] of before)
    if (value === undefined) Reflect.deleteProperty(globalThis, name);
    else Reflect.set(globalThis, name, value);
});
// Here: what is set up last is undone first, so a page is closed, and keeps what it has not kept yet, before its storage is emptied.
usesApp();

/** A new notebook of the reader's own, open to be edited, with its id. */
async function newNotebook(): Promise<{ page: DomPage; id: string }> {
  const { page } = await openApp("#notebooks");
  await page.getByTestId("new-notebook").click();
  await page.getByTestId("mode-edit").click();
  await page.getByTestId("edit").waitFor();
  return { page, id: /#book\/(\w+)/.exec(page.url())![1]! };
}

const addPanel = (page: DomPage) =>
  page.locator(".add-bar").last().getByTestId("add-panel").click();
const cells = (page: DomPage) => page.getByTestId("edit-cell");
const keeping = (page: DomPage, state: string) =>
  page.locator(`[data-testid=keeping][data-state=${state}]`).waitFor();

const keptRun = (n: number, place: string, more: Partial<KeptRun> = {}): KeptRun => ({
  ...{ id: `run-${n}`, place, spec: presetSpec("nano"), state: "finished", iteration: 50 },
  ...{ bytes: 400_000, checkpointBytes: 600_000, begun: "" },
  ...{ changed: new Date(Date.now() - n * 1000).toISOString(), ...more },
});

const curves = {
  measure: "heldout" as const,
  lines: [
    { method: "grpo", x: [0, 5, 10], y: [0.1, null, 0.3] },
    { method: "turn-ppo", x: [0, 5, 10], y: [0.1, 0.2, 0.4] },
  ],
};

const keep = (run: KeptRun) => records.write({ run, lines: [], from: 0, checkpoint: null });

const QUIZ = "# Asked\n\n```quiz id=q\nquestion: Which?\noptions: [one, two]\nanswer: 2\n```\n";

it("what was answered and what a sweep has trained stay with the notebook, and come along in its copy", async () => {
  await shelf.put({ id: "asked", title: "Asked", text: QUIZ, created: "", changed: "" });
  await keep(keptRun(1, "#book/asked/~abc", { name: "rates, seed 1" }));
  await keep(keptRun(2, "#book/asked/~def", { state: "running" }));
  const { page } = await openApp("#book/asked");
  await page.getByLabel("two").click();
  await page.getByRole("button", { name: "Check" }).click();
  const answered = (where: DomPage) =>
    expect.poll(() => where.getByTestId("quiz").getAttribute("data-verdict")).toBe("right");
  await answered(page);
  await expect.poll(async () => (await shelf.answers("asked")).length).toBe(1);
  const again = (await openApp("#book/asked")).page;
  await answered(again);
  await again.getByTestId("book-menu").click();
  await again.getByTestId("duplicate-book").click();
  await expect.poll(() => again.url()).not.toContain("asked");
  await answered(again);
  const home = /#book\/\w+/.exec(again.url())![0];
  const copies = (await records.list()).filter(({ place }) => place.startsWith(`${home}/`));
  expect(copies.map(({ place, checkpointBytes }) => [place, checkpointBytes])).toEqual([
    [`${home}/~abc`, 0],
  ]);
  await again.getByTestId("to-gallery").click();
  await again.getByText(/^Saved runs: \d+ of 12/).click();
  await again.getByTestId("kept-runs").getByText("Asked / rates, seed 1").first().waitFor();
});

describe("the list", () => {
  it("shows each notebook's size, with its runs, and a picture of the newest one", async () => {
    const { page, id } = await newNotebook();
    await page.getByTestId("to-gallery").click();
    const card = page.getByTestId("notebook-card");
    const picture = card.getByTestId("notebook-picture");
    await expect.poll(() => picture.getAttribute("data-shows")).toBe("cells");
    await expect.poll(() => card.getByTestId("notebook-size").textContent()).toMatch(/^\d+\sB$/);
    await keep(keptRun(1, `#book/${id}/first`, { curves }));
    await keep(keptRun(2, `#book/${id}/first`));
    await keep(keptRun(3, "#book/other/first"));
    const again = (await openApp("#notebooks")).page;
    await expect
      .poll(() => again.getByTestId("notebook-size").textContent())
      .toMatch(/^\d+\sB, and 2\.0\sMB for 2 runs$/);
    const drawn = again.getByTestId("notebook-card").getByTestId("notebook-picture");
    await expect.poll(() => drawn.getAttribute("data-shows")).toBe("heldout");
    await expect.poll(() => drawn.getAttribute("aria-label")).toContain("held-out success");
    // A number that was not finite breaks its line.
    const paths = await drawn
      .locator("path")
      .evaluateAll((all) => all.map((one) => one.getAttribute("d")!.replace(/[^ML]/g, "")));
    expect(paths).toEqual(["MM", "MLL"]);
  });

  it("renames a notebook, open or not: its first heading says the new title", async () => {
    const { page } = await newNotebook();
    await page.getByTestId("to-gallery").click();
    const rename = async (title: string) => {
      await page.getByTestId("rename-notebook").click();
      await page.getByTestId("notebook-title").fill(title);
      await page.getByTestId("save-title").click();
    };
    await rename("What does the clip cut?");
    const card = page.getByTestId("notebook-card");
    await card.getByText("What does the clip cut?").waitFor();
    const [kept] = await shelf.list();
    expect(kept!.text).toMatch(/^# What does the clip cut\?\n\nWrite here\.\n/);
    await shelf.drop(kept!.id);
    await shelf.put({ ...kept!, id: "closed", text: "No heading.\n", title: "Untitled" });
    const again = (await openApp("#notebooks")).page;
    await again.getByTestId("rename-notebook").click();
    await again.getByTestId("notebook-title").fill("$& twice");
    await again.getByTestId("save-title").click();
    await again.getByTestId("notebook-card").getByText("$& twice").waitFor();
    expect((await shelf.get("closed"))!.text).toBe("# $& twice\n\n<!-- cell -->\n\nNo heading.\n");
    await again.getByTestId("notebook-card").getByRole("link").click();
    await expect.poll(() => again.title()).toContain("$& twice");
  });

  it("says which runs the next one removes, before it does; any can be dropped", async () => {
    for (let n = 0; n < 12; n++) await keep(keptRun(n, `#book/abcd/part-${n}`));
    const { page } = await openApp("#notebooks");
    const notice = page.getByTestId("runs-leaving");
    await expect.poll(() => notice.textContent()).toContain("removes Shared notebook / part-11.");
    await page.getByText("Saved runs: 12 of 12, 12").click();
    const rows = page.getByTestId("kept-runs").locator("tbody tr");
    expect(await rows.count()).toBe(12);
    expect(await rows.last().textContent()).toContain("Until the next run");
    expect(await rows.first().textContent()).toMatch(/Until \d/);
    await rows.first().getByTestId("drop-run").click();
    await expect.poll(() => rows.count()).toBe(11);
    await expect.poll(() => notice.count()).toBe(0);
    expect(await records.list()).toHaveLength(11);
  });

  it("says how full the storage is, and warns from 80 %", async () => {
    let usage = 100e6;
    const storage = { estimate: async () => ({ usage, quota: 1e9 }), persisted: async () => true };
    Object.defineProperty(navigator, "storage", { value: storage, configurable: true });
    const { page } = await openApp("#notebooks");
    await expect
      .poll(() => page.getByTestId("storage-use").textContent())
      .toMatch(/100\sMB of 1\.0\sGB/);
    expect(await page.getByTestId("nearly-full").count()).toBe(0);
    usage = 850e6;
    const again = (await openApp("#notebooks")).page;
    await expect
      .poll(() => again.getByTestId("nearly-full").textContent())
      .toMatch(/nearly full: 850\sMB of 1\.0\sGB used.*from 80 %/);
    await again.getByTestId("new-notebook").click();
    await again.getByTestId("book-bar").getByTestId("nearly-full").waitFor();
    Reflect.deleteProperty(navigator, "storage");
  });
});

describe("earlier versions", () => {
  it("are listed with time and size, read without running anything, and put back, which undo takes back", async () => {
    const { page } = await newNotebook();
    const count = await cells(page).count();
    await addPanel(page);
    await keeping(page, "saved");
    await page.getByTestId("book-menu").press("Enter");
    await page.getByTestId("book-versions").click();
    const row = page.getByTestId("version-list").locator("tbody tr");
    await expect.poll(() => row.count()).toBe(1);
    expect(await row.textContent()).toMatch(/\d{4}.*Untitled.*\d\sB/);
    await row.getByTestId("read-version").click();
    await page.getByTestId("version").getByText("preset: nano").waitFor();
    expect(await page.getByTestId("version").getByTestId("run").count()).toBe(0);
    await row.getByTestId("restore-version").click();
    await expect.poll(() => cells(page).count()).toBe(count);
    await expect
      .poll(() => page.getByTestId("book-said").textContent())
      .toMatch(/^Restored the version of/);
    await page.getByTestId("undo").click();
    await expect.poll(() => cells(page).count()).toBe(count + 1);
  });
});

describe("a full storage", () => {
  it("is said from the start; nothing typed is lost, and it can be downloaded", async () => {
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
      this: IDBObjectStore,
      value: unknown,
      key?: IDBValidKey,
    ) {
      if (this.name !== "notebooks") return put.call(this, value, key);
      throw new DOMException("No room.", "QuotaExceededError");
    });
    const { page } = await newNotebook();
    await keeping(page, "memory");
    expect(await page.getByTestId("not-kept").textContent()).toContain(
      "the browser's storage is full",
    );
    const count = await cells(page).count();
    await addPanel(page);
    await page.getByTestId("to-gallery").click();
    const card = page.getByTestId("notebook-card");
    await card.getByText("Not saved: the browser's storage is full.").waitFor();
    await card.getByRole("link").click();
    await expect.poll(() => cells(page).count()).toBe(count + 1);
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
    const file = await page.download(() =>
      page.getByTestId("not-kept").getByRole("button").click(),
    );
    expect(file.name).toBe("Untitled.turnbook.md");
    expect(await file.text()).toContain("```panel");
    // There is room again: the next change is kept, and that is said.
    vi.restoreAllMocks();
    await page.getByTestId("undo").click();
    await keeping(page, "saved");
  });
});
