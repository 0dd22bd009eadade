/** Tables as text (RFC 4180), by comma or tab: the rows of a `.csv` or `.tsv` file, with its first row as names. */
import { ROW_NAMES } from "../import/choices.ts";
import type { PlacedItem } from "../import/items.ts";
import { RefusedError } from "../import/refused.ts";
import { words } from "../import/words.ts";
import { isRecord, jsonOrNothing } from "../../spec/jsonText.ts";
import { pythonLiteral } from "./pythonLiteral.ts";

/** Maximum characters of a row. */
const LONGEST = 256 << 20;

interface CsvRecord {
  cells: string[];
  /** Where the next one begins. */
  next: number;
}

/** The record at `at`; null if it may go on after the text. @throws RefusedError if it is not of RFC 4180 */
function recordAt(text: string, at: number, separator: string, line: number): CsvRecord | null {
  const cells: string[] = [];
  for (;;) {
    let end = at;
    if (text[at] === '"') {
      do {
        end = text.indexOf('"', end + 1);
        if (end < 0) return null;
      } while (text[end + 1] === '"' && ++end);
      cells.push(text.slice(at + 1, end++).replaceAll('""', '"'));
    } else {
      while (end < text.length && text[end] !== separator && text[end] !== "\n") end++;
      cells.push(text.slice(at, end).replace(/\r$/, ""));
    }
    if (text[end] === "\r" && end + 1 < text.length) end++;
    if (end >= text.length || text[end] === "\r") return null;
    if (text[end] === "\n") return { cells, next: end + 1 };
    if (text[end] !== separator) throw new RefusedError(words.refused.quotes(line));
    at = end + 1;
  }
}

/** Rows as objects of the columns' names; a row with other than as many cells is undefined. @throws RefusedError */
export function* csvItems(chunks: Iterable<Uint8Array>, separator: string): Generator<PlacedItem> {
  const decoder = new TextDecoder();
  let [text, number, line] = ["", 0, 1];
  let names: string[] | null = null;
  const take = function* (): Generator<PlacedItem> {
    let at = 0;
    for (;;) {
      const found = at < text.length ? recordAt(text, at, separator, line) : null;
      if (!found) break;
      const from = line;
      for (let i = text.indexOf("\n", at); i >= 0 && i < found.next; i = text.indexOf("\n", i + 1))
        line++;
      at = found.next;
      if (found.cells.length === 1 && found.cells[0] === "") continue;
      if (names === null) names = found.cells;
      else yield rowOf(names, found.cells, from);
      number++;
    }
    text = text.slice(at);
    if (text.length > LONGEST)
      throw new RefusedError(words.refused.longLine(number + 1, LONGEST >> 20));
  };
  for (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    yield* take();
  }
  // The last record may lack its end.
  text += `${decoder.decode()}\n`;
  yield* take();
  if (text.trim() !== "") throw new RefusedError(words.refused.quotes(line));
}

/** Cells of a row as they stand in the file. */
const WRITTEN = new WeakMap<object, { names: readonly string[]; cells: readonly string[] }>();

/** The text of a cell, where rows are text; undefined for rows of other files. */
export function writtenCell(row: object, name: string): string | undefined {
  const written = WRITTEN.get(row);
  return written?.cells[written.names.indexOf(name)];
}

/** Columns whose cells are texts, whatever they look like. */
const TEXTS = new Set<string>([...ROW_NAMES.prompt, ...ROW_NAMES.completion, "text"]);
const NUMBERED = /^(?:input|output)_\d+$/;

function rowOf(names: readonly string[], cells: readonly string[], number: number): PlacedItem {
  const place = { kind: "line", number } as const;
  if (cells.length !== names.length)
    return { ...place, value: undefined, notFinite: 0, problem: words.oddCells };
  const entries = names.map((name, i) => {
    const isText = TEXTS.has(name.toLowerCase()) || NUMBERED.test(name);
    return [name, isText ? saidIn(cells[i]!) : valueIn(cells[i]!)] as const;
  });
  const value = Object.fromEntries(entries) as Record<string, unknown>;
  WRITTEN.set(value, { names, cells });
  const notFinite = entries.filter(([, value]) => Number.isNaN(value)).length;
  return { ...place, value, notFinite };
}

/** A text, or messages. */
function saidIn(cell: string): unknown {
  const value = /^\s*\[\s*\{/.test(cell) ? jsonOrNothing(cell) : undefined;
  return Array.isArray(value) && value.every((one) => isRecord(one) && "role" in one)
    ? value
    : cell;
}

/** A number, true or false, a list or object of JSON or Python, or a text; null if it is empty. */
function valueIn(cell: string): unknown {
  if (cell === "") return null;
  if (/^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === "true";
  if (/^[+-]?(?:nan|inf(?:inity)?)$/i.test(cell)) return NaN;
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(cell)) {
    const number = Number(cell);
    return Number.isFinite(number) ? number : NaN;
  }
  return /^\s*[[{]/.test(cell) ? (jsonOrNothing(cell) ?? pythonLiteral(cell) ?? cell) : cell;
}
