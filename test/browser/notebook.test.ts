/** A notebook of one's own in real Chromium: written, kept, opened again. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { axeFaults } from "./axe.ts";
import { atRest, launch, openPage, type ServedPage, servePage } from "./support.ts";
import { EVERY } from "../every.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake" });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

const TEXT = `# Out and back

\`\`\`experiment id=one
preset: nano
\`\`\`

\`\`\`experiment id=two
preset: nano
seed: 2
\`\`\`

\`\`\`compare id=both
experiments: [one, two]
\`\`\`

\`\`\`code id=sum
1 + 1
\`\`\`
`;
const word = notebookToWord(TEXT);

/** A new notebook, in edit mode. */
async function newNotebook() {
  const opened = await openPage(browser, `${site.url}#notebooks`);
  await opened.page.getByTestId("new-notebook").click();
  await opened.page.getByTestId("edit").waitFor();
  return opened;
}

const cells = (page: Page) => page.getByTestId("edit-cell");
const source = (page: Page) => page.locator(".cm-content");
const saved = (page: Page) => page.locator("[data-testid=keeping][data-state=saved]").waitFor();

/** Replaces the text of the selected cell. */
async function write(page: Page, text: string): Promise<void> {
  await source(page).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

describe("a notebook of one's own", () => {
  it("is written, kept and there after a reload", async () => {
    const { page, errors, close } = await newNotebook();
    await cells(page).first().click();
    await write(page, "# What does the clip cut?\n\nHow often, and *whom*?");
    await page.getByRole("heading", { name: "What does the clip cut?" }).waitFor();
    await saved(page);
    await page.reload();
    await page.getByRole("heading", { name: "What does the clip cut?" }).waitFor();
    await expect.poll(() => page.locator(".prose em").textContent()).toBe("whom");
    await expect.poll(() => page.title()).toContain("What does the clip cut?");
    await page.getByTestId("to-gallery").click();
    const card = page.getByTestId("notebook-card");
    await expect.poll(() => card.textContent()).toContain("What does the clip cut?");
    await page.getByTestId("delete-notebook").click();
    await page.getByTestId("removed").getByRole("button", { name: "Undo" }).click();
    await card.getByRole("link").click();
    await page.getByRole("heading", { name: "What does the clip cut?" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("has form and text of an experiment as two views of one thing", async () => {
    const { page, errors, close } = await newNotebook();
    await cells(page).nth(1).click();
    await page.getByTestId("settings").click();
    await page.getByLabel("Seed", { exact: true }).fill("7");
    await expect.poll(() => source(page).innerText()).toContain("seed: 7");
    await write(page, "preset: nano\nseed: 9\nsede: 1\n");
    await expect.poll(() => page.getByLabel("Seed", { exact: true }).inputValue()).toBe("9");
    await expect
      .poll(() => page.getByTestId("cell-problems").textContent())
      .toContain("Line 3: sede");
    expect(errors).toEqual([]);
    await close();
  });

  it("completes a field's name, which arrows choose and Enter accepts", async () => {
    const { page, errors, close } = await newNotebook();
    await cells(page).nth(1).click();
    await write(page, "preset: nano\n");
    await page.keyboard.type("se");
    const offered = page.locator(".cm-tooltip-autocomplete");
    const chosen = offered.locator("[role=option][aria-selected=true] .cm-completionLabel");
    await chosen.waitFor();
    // The editor takes no key for a moment after its list has come: the arrow is pressed until it leads on.
    const first = await chosen.textContent();
    await expect
      .poll(async () => {
        await page.keyboard.press("ArrowDown");
        return chosen.textContent();
      })
      .not.toBe(first);
    await expect
      .poll(async () => {
        if ((await chosen.textContent()) !== "seed") await page.keyboard.press("ArrowDown");
        return chosen.textContent();
      })
      .toBe("seed");
    await page.keyboard.press("Enter");
    await expect.poll(() => source(page).innerText()).toMatch(/^preset: nano\nseed: ?$/);
    await page.keyboard.type("7");
    await expect.poll(() => page.getByLabel("Seed", { exact: true }).inputValue()).toBe("7");
    expect(errors).toEqual([]);
    await close();
  });

  it("takes panels of the lens, moves, copies and deletes cells by keyboard, and takes it all back", async () => {
    const { page, errors, close } = await newNotebook();
    await page.getByTestId("edit").locator(".add-bar").last().getByTestId("add-panel").click();
    await expect.poll(() => cells(page).count()).toBe(4);
    await page.locator("[data-panel=credits]").waitFor();
    await source(page).waitFor();
    // The new cell is selected, and has the focus.
    await expect.poll(() => cells(page).nth(3).getAttribute("data-selected")).toBe("true");
    await cells(page).nth(3).focus();
    await page.keyboard.press("Control+ArrowUp");
    await expect.poll(() => cells(page).nth(2).getAttribute("aria-label")).toBe("Panel: panel");
    await page.keyboard.press("Control+Shift+D");
    await expect.poll(() => cells(page).count()).toBe(5);
    await page.keyboard.press("Delete");
    await expect.poll(() => cells(page).count()).toBe(4);
    for (let i = 0; i < 4; i++) await page.keyboard.press("Control+z");
    await expect.poll(() => cells(page).count()).toBe(3);
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(() => cells(page).count()).toBe(4);
    expect(errors).toEqual([]);
    await close();
  });

  it("is clean for axe, by day and by night, wide and narrow", async () => {
    const { page, close } = await newNotebook();
    await page.getByTestId("add-panel").last().click();
    await page.getByTestId("cell-settings").click();
    await source(page).waitFor();
    for (const [colorScheme, width] of [
      ["light", 1440],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.locator("body").evaluate(atRest);
      expect(await axeFaults(page)).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
    }
    await close();
  });

  it("is written by one tab, which another follows until it closes", async () => {
    const { page, close } = await newNotebook();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.locator("[data-testid=keeping][data-state=other]").waitFor();
    await expect.poll(() => second.getByTestId("mode-edit").isDisabled()).toBe(true);
    await cells(page).first().click();
    await write(page, "# Both see this");
    await second.getByRole("heading", { name: "Both see this" }).waitFor();
    await page.close();
    await second.locator("[data-testid=keeping][data-state=saved]").waitFor();
    await second.getByTestId("mode-edit").click();
    await second.getByTestId("edit").waitFor();
    await close();
  });

  // ../dom/keeping.test.ts, notebookFiles.test.ts and sharedRun.test.ts say the same of these without a browser.
  if (EVERY)
    it("is gone with the page where storage is forbidden, which it says, and can be downloaded", async () => {
      const opened = await openPage(browser, "about:blank");
      const { page } = opened;
      await page.addInitScript(() => {
        indexedDB.open = () => {
          throw new DOMException("The operation is insecure.", "SecurityError");
        };
      });
      await page.goto(`${site.url}#notebooks`);
      await page.getByTestId("new-notebook").click();
      await page.getByTestId("mode-edit").click();
      await cells(page).first().click();
      await write(page, "# Only here");
      const notice = page.getByTestId("not-kept");
      await notice.waitFor();
      await expect.poll(() => notice.textContent()).toContain("the browser forbids storage here");
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        notice.getByRole("button").click(),
      ]);
      expect(file.suggestedFilename()).toBe("Only-here.turnbook.md");
      await opened.close();
    });

  if (EVERY)
    it("opens from a file, and from the opening page as a copy with what its form says", async () => {
      const { page, errors, close } = await openPage(browser, `${site.url}#notebooks`);
      await page.getByTestId("notebook-file").setInputFiles({
        name: "a.turnbook.md",
        mimeType: "text/markdown",
        buffer: Buffer.from("# From a file\n\n```experiment id=one\npreset: nano\n```\n"),
      });
      await page.getByRole("heading", { name: "From a file" }).waitFor();
      await page.goto(`${site.url}#v1/nano?seed=5`);
      await page.getByTestId("edit-copy").click();
      await page.getByTestId("edit").waitFor();
      expect(page.url()).toContain("#book/");
      await cells(page)
        .filter({ has: page.getByTestId("experiment") })
        .click();
      await expect.poll(() => source(page).innerText()).toContain("seed: 5");
      expect(errors).toEqual([]);
      await close();
    });

  if (EVERY)
    it("leaves as Markdown and as a Jupyter notebook, comes back from both, and is duplicated", async () => {
      const { page, errors, close } = await openPage(browser, `${site.url}#text/${word}`);
      await page.getByTestId("edit-copy").click();
      await page.getByTestId("edit").waitFor();
      const first = page.url();
      for (const [entry, name] of [
        ["download-book", "Out-and-back.turnbook.md"],
        ["export-jupyter", "Out-and-back.ipynb"],
      ] as const) {
        await page.getByTestId("book-menu").click();
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          page.getByTestId(entry).click(),
        ]);
        expect(file.suggestedFilename()).toBe(name);
        await page.getByTestId("to-gallery").click();
        const buffer = readFileSync(await file.path());
        await page
          .getByTestId("notebook-file")
          .setInputFiles({ name, mimeType: "text/plain", buffer });
        await page.getByTestId("book-bar").waitFor();
        await page.getByTestId("compare-cell").waitFor();
        expect(page.url()).not.toBe(first);
        // What came back leaves as the same text.
        await page.getByTestId("book-menu").click();
        const [again] = await Promise.all([
          page.waitForEvent("download"),
          page.getByTestId("download-book").click(),
        ]);
        expect(readFileSync(await again.path(), "utf8")).toBe(TEXT);
      }
      const before = page.url();
      await page.getByTestId("book-menu").click();
      await page.getByTestId("duplicate-book").click();
      await expect.poll(() => page.url()).not.toBe(before);
      await page.getByTestId("compare-cell").waitFor();
      await page.getByTestId("to-gallery").click();
      await expect.poll(() => page.getByTestId("notebook-card").count()).toBe(4);
      expect(errors).toEqual([]);
      await close();
    });

  if (EVERY)
    it("travels whole in a link, which opens pristine in another profile and keeps nothing", async () => {
      const { page, close } = await newNotebook();
      await cells(page).first().click();
      await write(page, "# Sent along");
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByTestId("book-menu").click();
      await page.getByTestId("copy-book-link").click();
      await expect
        .poll(() => page.getByTestId("book-said").textContent())
        .toMatch(/^Link copied: \d+/);
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(link.length).toBeLessThan(site.url.length + 300);
      await close();
      const other = await openPage(browser, link);
      await other.page.getByRole("heading", { name: "Sent along" }).waitFor();
      await expect.poll(() => other.page.getByTestId("book-bar").count()).toBe(0);
      await other.page.getByTestId("to-lens").click();
      await other.page.getByTestId("lens").waitFor();
      expect(other.page.url()).toContain("#text/");
      await other.page.getByTestId("to-gallery").click();
      await other.page.getByTestId("gallery").waitFor();
      await expect.poll(() => other.page.getByTestId("notebook-card").count()).toBe(0);
      await other.page.goto(`${link.slice(0, -9)}`);
      await other.page.getByText("cut short").waitFor();
      expect(other.errors).toEqual([]);
      await other.close();
    });
});
