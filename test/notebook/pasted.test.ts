/** What is pasted into a notebook becomes cells. */
import { expect, it } from "vitest";
import { isTyped } from "../../src/notebook/cell.ts";
import { readExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import { labelOf } from "../../src/notebook/edit.ts";
import { pastedCells, pictureCell } from "../../src/notebook/pasted.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { encodeLink } from "../../src/spec/link.ts";
import { presetSpec } from "../../src/spec/presets.ts";

const kinds = (text: string) => pastedCells(text).map(({ type }) => type);
const bodyOf = (text: string) => {
  const [cell] = pastedCells(text);
  return isTyped(cell) ? cell.body : "";
};

it("makes an experiment of a link, with the link's settings", () => {
  const spec = { ...presetSpec("nano"), seed: 7 };
  const link = `https://example.org/turnbook/${encodeLink(spec)}`;
  expect(kinds(link)).toEqual(["experiment"]);
  expect(readExperiment(bodyOf(link)).spec).toEqual(spec);
});

it("makes cells of a notebook's link, and of Markdown with cells", () => {
  const text = "# A\n\n```code id=a\n1 + 1\n```\n\nAnd text.\n";
  expect(kinds(`https://example.org/#text/${notebookToWord(text)}`)).toEqual([
    "prose",
    "code",
    "prose",
  ]);
  expect(kinds(text)).toEqual(["prose", "code", "prose"]);
});

it.each([
  ["commas", 'method,reward,note\ngrpo,0.5,"a, b"\nturn-ppo,-1e-3,\n'],
  ["tabs", "method\treward\tnote\ngrpo\t0.5\ta, b\nturn-ppo\t-1e-3\t"],
  ["semicolons", "method;reward;note\ngrpo;0.5;a, b\nturn-ppo;-1e-3;"],
])("makes data of a table with %s", (_, text) => {
  expect(kinds(text)).toEqual(["code"]);
  // What code cells run is JavaScript: this is a list in both.
  const rows: unknown = JSON.parse(bodyOf(text).replace(/,\n\]$/, "]"));
  expect(rows).toEqual([
    { method: "grpo", reward: 0.5, note: "a, b" },
    { method: "turn-ppo", reward: -0.001, note: null },
  ]);
});

it.each([
  "Two lines, one comma\nand none",
  "a,b",
  "no table",
  "# Title\n\nOne, two.\n\nThree, four, five.",
])("leaves words words: %j", (text) => expect(kinds(text)).toEqual(["prose"]));

it("keeps a picture in the notebook's own text", () => {
  const cell = pictureCell("data:image/png;base64,iVBORw0KGgo=", "a [plot]");
  expect(parseNotebook(serialiseNotebook({ cells: [cell] })).notebook.cells).toEqual([cell]);
});

it("names a picture's cell by its text, not by its data", () => {
  expect(labelOf(pictureCell("data:image/png;base64,AAAA", "my plot"))).toBe("my plot");
});
