import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellTypes } from "../../src/notebook/cells/kinds.ts";
import { textOfCell, type Cell } from "../../src/notebook/cell.ts";
import { parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import {
  blankCell,
  cellOf,
  deleteCell,
  duplicateCell,
  experimentsIn,
  flagCell,
  insertCell,
  insertWithin,
  labelOf,
  moveCell,
  openCells,
  pointCell,
  renameCell,
  writeCell,
  type BookDraft,
} from "../../src/notebook/edit.ts";
import { redone, startHistory, undone, withStep } from "../../src/notebook/history.ts";

const SOURCE = `# A title

\`\`\`experiment id=first
preset: nano
\`\`\`

\`\`\`panel id=credits of=first
panel: credits
\`\`\`

The end.
`;

const start = () => openCells(parseNotebook(SOURCE).notebook.cells);
const ids = ({ cells }: BookDraft) =>
  cells.flatMap(({ cell }) => (cell.type === "prose" ? [] : [cell.id]));
const texts = ({ cells }: BookDraft) => cells.map(({ cell }) => textOfCell(cell));

describe("changes to a notebook", () => {
  it("insert, duplicate, move and delete", () => {
    let draft = insertCell(start(), 1, { type: "prose", markdown: "New." });
    expect(texts(draft)).toEqual([
      "# A title",
      "New.",
      "preset: nano",
      "panel: credits",
      "The end.",
    ]);
    draft = duplicateCell(draft, 2);
    expect(ids(draft)).toEqual(["first", "credits", "credits-2"]);
    draft = moveCell(draft, 3, -2);
    expect(texts(draft)[3]).toBe("The end.");
    expect(moveCell(draft, draft.cells[0]!.key, -1)).toBe(draft);
    expect(texts(deleteCell(draft, 0))).not.toContain("# A title");
    expect(deleteCell(draft, 99)).toBe(draft);
  });

  it("keep the objects of cells that do not change", () => {
    const before = start();
    const after = writeCell(before, 3, "Another end.");
    expect(after.cells.slice(0, 3)).toEqual(before.cells.slice(0, 3));
    expect(after.cells[1]).toBe(before.cells[1]);
  });

  it("put a cell into the midst of a text, or in place of an empty one", () => {
    const key = 3;
    const kinds = (draft: BookDraft) =>
      draft.cells.map(({ cell }) => (cell.type === "prose" ? cell.markdown : cell.type));
    const text = "The end.\n\n/co\n\nAnd more.";
    const written = writeCell(start(), key, text);
    const code = blankCell("code");
    const around = ["The end.\n\n", "\n\nAnd more."] as const;
    const split = insertWithin(written, key, around, code);
    expect(kinds(split).slice(3)).toEqual(["The end.", "code", "And more."]);
    expect(split.cells[4]!.key).toBe(written.nextKey);
    const alone = insertWithin(written, key, ["", "\n"], code);
    expect(kinds(alone).slice(2)).toEqual(["panel", "code"]);
    expect(insertWithin(written, 99, around, code)).toBe(written);
  });

  it("rename a cell, and what shows it follows", () => {
    const draft = renameCell(start(), 1, "my run!");
    expect(experimentsIn(draft)).toEqual(["myrun"]);
    expect(cellOf(draft, 2)).toMatchObject({ of: "myrun" });
    expect(experimentsIn(renameCell(start(), 1, "credits"))).toEqual(["credits-2"]);
  });

  it("point a cell whose experiment goes to one that is there", () => {
    let draft = insertCell(start(), 0, { ...blankCell("experiment"), id: "other" } as Cell);
    draft = pointCell(draft, 2, "other");
    expect(cellOf(draft, 2)).toMatchObject({ of: "other" });
    draft = deleteCell(draft, draft.cells[0]!.key);
    expect(cellOf(draft, 2)).toMatchObject({ of: "first" });
    expect(cellOf(deleteCell(draft, 1), 2)).toMatchObject({ of: null });
  });

  it("name cells in a list", () => {
    const labels = start().cells.map(({ cell }) => labelOf(cell));
    expect(labels).toEqual(["A title", "Experiment: first", "Panel: credits", "The end."]);
  });
});

describe("any changes", () => {
  const types = fc.constantFrom<Cell["type"]>("prose", ...cellTypes);
  const name = fc.constantFrom("a", "b", "first", "credits-2", "é!", "");
  const text = fc.constantFrom("", "x", "```\ny\n```", "preset: nano", "# Head");
  const key = fc.nat({ max: 12 });
  const change = fc.oneof(
    fc.tuple(key, types).map(
      ([at, type]) =>
        (d: BookDraft) =>
          insertCell(d, at % (d.cells.length + 1), blankCell(type)),
    ),
    fc.tuple(key, fc.integer({ min: -3, max: 3 })).map(
      ([k, by]) =>
        (d: BookDraft) =>
          moveCell(d, k, by),
    ),
    key.map((k) => (d: BookDraft) => duplicateCell(d, k)),
    key.map((k) => (d: BookDraft) => deleteCell(d, k)),
    fc.tuple(key, name).map(
      ([k, to]) =>
        (d: BookDraft) =>
          renameCell(d, k, to),
    ),
    fc.tuple(key, name).map(
      ([k, to]) =>
        (d: BookDraft) =>
          pointCell(d, k, to),
    ),
    fc.tuple(key, text).map(
      ([k, to]) =>
        (d: BookDraft) =>
          writeCell(d, k, to),
    ),
    fc.tuple(key, text, text, types).map(
      ([k, before, behind, type]) =>
        (d: BookDraft) =>
          insertWithin(d, k, [before, behind], blankCell(type)),
    ),
    key.map((k) => (d: BookDraft) => flagCell(d, k, "fold")),
  );

  it("leave ids unique, references that lead somewhere, and a text that reads the same; all can be undone", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 15 }), (changes) => {
        let history = startHistory(start());
        for (const step of changes) history = withStep(history, step(history.now), "", 0);
        const { now } = history;
        expect(new Set(ids(now)).size).toBe(ids(now).length);
        expect(new Set(now.cells.map((one) => one.key)).size).toBe(now.cells.length);
        const cells = now.cells.map(({ cell }) => cell);
        for (const cell of cells)
          if (cell.type !== "prose" && cell.of !== null)
            expect(experimentsIn(now)).toContain(cell.of);
        // Empty prose is nothing to write, and some prose begins like a cell.
        const written = serialiseNotebook({ cells });
        const { notebook, remarks } = parseNotebook(written);
        expect(remarks.filter(({ message }) => !message.includes("no experiment to show"))).toEqual(
          [],
        );
        const kept = cells.filter((cell) => textOfCell(cell) !== "" || cell.type !== "prose");
        expect(notebook.cells).toEqual(kept);
        let back = history;
        for (const _step of changes) back = undone(back);
        expect(texts(back.now)).toEqual(texts(start()));
        for (const _step of changes) back = redone(back);
        expect(back.now).toBe(now);
      }),
      { numRuns: 200 },
    );
  });
});

describe("history", () => {
  it("puts together what is typed without a pause", () => {
    let history = startHistory("");
    history = withStep(history, "a", "write 1", 1000);
    history = withStep(history, "ab", "write 1", 1400);
    history = withStep(history, "abc", "write 1", 5000);
    history = withStep(history, "abc!", "write 2", 5100);
    expect(undone(history).now).toBe("abc");
    expect(undone(undone(history)).now).toBe("ab");
    expect(undone(undone(undone(history))).now).toBe("");
    expect(redone(undone(history)).now).toBe("abc!");
  });

  it("forgets what was undone once there is something new", () => {
    const history = withStep(undone(withStep(startHistory(0), 1, "", 0)), 2, "", 0);
    expect(redone(history).now).toBe(2);
    expect(undone(history).now).toBe(0);
  });
});
