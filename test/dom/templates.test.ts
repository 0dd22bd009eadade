// @vitest-environment happy-dom
/** What a new notebook, each new cell and each example of code begin with: none shows an error, read or written. */
import { expect, it, test } from "vitest";
import { words } from "../../src/app/book/words.ts";
import { cellProblems } from "../../src/cli/notebookProblems.ts";
import { computes, isTyped } from "../../src/notebook/cell.ts";
import { cellTypes } from "../../src/notebook/cells/kinds.ts";
import { parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import { blankCell, insertCell, openCells } from "../../src/notebook/edit.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { runCell } from "../../src/runtime/sandbox/cells.ts";
import { nodeQuickJs } from "../../src/runtime/sandbox/node.ts";
import { examples } from "../definitions/examples.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

/** The new notebook, with one more cell of each kind and each example of code. */
const ALL = (() => {
  const { cells } = parseNotebook(words.blank).notebook;
  const blank = cellTypes.reduce(
    (draft, type) => insertCell(draft, draft.cells.length, blankCell(type)),
    openCells(cells),
  );
  const whole = examples.reduce(
    (draft, { kind, name, source }) =>
      insertCell(draft, draft.cells.length, {
        ...{ type: "code", id: name, of: null, flags: [], defines: kind, body: source.trimEnd() },
      }),
    blank,
  );
  return serialiseNotebook({ cells: whole.cells.map(({ cell }) => cell) });
})();

test("none has a problem that a check finds", async () => {
  const { notebook, remarks, lines } = parseNotebook(ALL);
  expect(remarks).toEqual([]);
  expect(notebook.cells.filter(isTyped).length).toBe(cellTypes.length + examples.length + 2);
  expect(await cellProblems(notebook, lines, "public/notebooks/all.md")).toEqual([]);
});

test("the code of a new cell runs", async () => {
  const quickjs = await nodeQuickJs();
  const cells = parseNotebook(ALL).notebook.cells.filter(computes);
  expect(cells).toHaveLength(1);
  for (const { id, body } of cells)
    expect(await runCell(quickjs, { name: id, source: body }, { runs: {} })).toMatchObject({
      ok: true,
    });
});

/** A lesson is read step by step: without its cell all is there at once. */
const ON_ONE_PAGE = ALL.replace(/```lesson[\s\S]*?```\n\n/, "");

it.each(["read", "edit"])("none shows an error: %s", async (mode) => {
  const text = mode === "edit" ? ALL : ON_ONE_PAGE;
  const { page, errors, close } = await openApp(`#text/${notebookToWord(text)}`);
  await by(page, "edit-copy").click();
  await by(page, `mode-${mode}`).click();
  if (mode === "edit") {
    await expect
      .poll(() => by(page, "edit-cell").count())
      .toBe(parseNotebook(ALL).notebook.cells.length);
    expect(await by(page, "cell-problems").count()).toBe(0);
  }
  await by(page, "experiment").first().waitFor();
  expect(await by(page, "part-broken").count()).toBe(0);
  const alerts = page.locator(".notebook [role=alert], .notebook .notice-problem");
  expect(await alerts.allTextContents()).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
