/** What waits for a question, is hidden or is locked: read, written, exported, renamed, and not changed by accident. */
import { expect, it } from "vitest";
import { parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import {
  cellOf,
  changesLocked,
  deleteCell,
  flagCell,
  moveCell,
  openCells,
  renameCell,
  waitFor,
  writeCell,
} from "../../src/notebook/edit.ts";
import { fromJupyter, toJupyter } from "../../src/notebook/jupyter.ts";
import { lessonSteps } from "../../src/notebook/cells/lesson/steps.ts";
import { createBookStore, editBook, restoreText, textOfBook } from "../../src/store/bookStore.ts";

const TEXT = `# Title

\`\`\`quiz id=q
question: Which?
options: [a, b]
answer: 1
\`\`\`

<!-- cell after=q -->

It was the first.

## Next

<!-- cell -->

More.

\`\`\`explore id=grow after=q hide lock
figure: group
\`\`\`
`;

it("is read, and written and exported as it was", () => {
  const { notebook, remarks } = parseNotebook(TEXT);
  expect(remarks).toEqual([]);
  expect(notebook.cells.map(({ after }) => after)).toEqual([
    undefined,
    undefined,
    "q",
    undefined,
    "q",
  ]);
  expect(notebook.cells[4]).toMatchObject({ flags: ["hide", "lock"] });
  expect(serialiseNotebook(notebook)).toBe(TEXT);
  expect(fromJupyter(toJupyter(notebook))).toBe(TEXT);
  const steps = lessonSteps(notebook.cells.map((cell, key) => ({ key, cell })));
  expect(steps.map(({ cells }) => cells.map(({ cell }) => cell.after))).toEqual([
    [undefined, undefined, "q"],
    [undefined, "q"],
  ]);
});

it("says which question is not there", () => {
  const { remarks } = parseNotebook("<!-- cell after=gone -->\n\nText\n\n```turns after=x\n```\n");
  expect(remarks.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'This text waits for "gone", which is not a question here.',
      'The cell turns waits for "x", which is not a question here.',
    ]),
  );
});

const draft = openCells(parseNotebook(TEXT).notebook.cells);

it("follows when the question gets another name, and may be told to wait for none", () => {
  const renamed = renameCell(draft, 1, "first");
  expect(renamed.cells.map(({ cell }) => cell.after)).toEqual([
    ...[undefined, undefined, "first", undefined, "first"],
  ]);
  expect(cellOf(waitFor(renamed, 2, undefined), 2)).toEqual({
    type: "prose",
    markdown: "It was the first.\n\n## Next",
  });
});

it("is not changed while it is locked, unless the notebook is unlocked", () => {
  expect(changesLocked(draft, writeCell(draft, 0, "# Other"))).toBe(false);
  expect(changesLocked(draft, moveCell(draft, 4, -1))).toBe(false);
  for (const changed of [
    writeCell(draft, 4, "figure: clip"),
    deleteCell(draft, 4),
    flagCell(draft, 4, "lock"),
    waitFor(draft, 4, undefined),
  ])
    expect(changesLocked(draft, changed)).toBe(true);
  const store = createBookStore(TEXT);
  editBook(store, (now) => deleteCell(now, 4));
  expect(textOfBook(store.getState())).toBe(TEXT);
  store.setState({ unlocked: true });
  editBook(store, (now) => deleteCell(now, 4));
  expect(textOfBook(store.getState())).not.toContain("explore");
  store.setState({ unlocked: false });
  // An earlier version as a whole is the reader's choice.
  restoreText(store, TEXT);
  expect(textOfBook(store.getState())).toBe(TEXT);
});
