/** What pasted text becomes as cells: a link an experiment, a table data in code, Markdown with cells its cells. */
import { csvItems } from "../interchange/container/csv.ts";
import { RefusedError } from "../interchange/import/refused.ts";
import { isRecord } from "../spec/jsonText.ts";
import { decodeLink } from "../spec/link.ts";
import type { Cell } from "./cell.ts";
import { isTyped } from "./cell.ts";
import { withExperiment } from "./cells/experiment/experiment.ts";
import { blankCell } from "./edit.ts";
import { parseNotebook } from "./document.ts";
import { notebookFromWord, wordOfLink } from "./sharedText.ts";

/** A picture in Markdown. @param data its address: `data:image/…;base64,…` */
export function pictureCell(data: string, name: string): Cell {
  return { type: "prose", markdown: `![${name.replace(/[[\]\n]/g, " ")}](${data})` };
}

/** @throws InputError if it is a link whose notebook cannot be read. */
export function pastedCells(text: string): readonly Cell[] {
  const clean = text.replace(/^\s*\n|\s*\n$/g, "");
  return linkedCells(clean.trim()) ?? tableCells(clean) ?? parseNotebook(clean).notebook.cells;
}

/** Of a link to an experiment, or of one that holds a whole notebook; null of other text. */
function linkedCells(text: string): readonly Cell[] | null {
  const word = wordOfLink(text);
  if (word !== null) return parseNotebook(notebookFromWord(word)).notebook.cells;
  const [hash] = /#v1\/\S+$/.exec(/^\S+$/.exec(text)?.[0] ?? "") ?? [];
  if (hash === undefined) return null;
  const { spec } = decodeLink(hash);
  const cell = blankCell("experiment");
  return isTyped(cell) ? [{ ...cell, body: withExperiment("", spec) }] : null;
}

/** Rows of text with the same number of fields, two or more, as a list of objects in code; null of other text. */
function tableCells(text: string): readonly Cell[] | null {
  const rows = SEPARATORS.map((separator) => rowsOf(text, separator)).find((one) => one !== null);
  const cell = blankCell("code");
  if (!rows || !isTyped(cell)) return null;
  const lines = rows.map((row) => `  ${JSON.stringify(row)},\n`);
  return [{ ...cell, id: "data", body: `[\n${lines.join("")}]` }];
}

const SEPARATORS = ["\t", ",", ";"];

/** Null where lines differ in their number of fields, or have but one. */
function rowsOf(text: string, separator: string): object[] | null {
  try {
    const items = [...csvItems([new TextEncoder().encode(text)], separator)];
    const rows = items.flatMap(({ value }) => (isRecord(value) ? [value] : []));
    const isTable = rows.length === items.length && Object.keys(rows[0] ?? {}).length > 1;
    return isTable ? rows : null;
  } catch (error) {
    if (error instanceof RefusedError) return null;
    throw error;
  }
}
