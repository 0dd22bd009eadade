/**
 * The notebook document: Markdown in which some fenced blocks are cells.
 *
 *     ```curves id=curves of=first
 *     metrics = reward, success
 *     ```
 *
 * The first word after the fence is the cell's type, the rest are attributes; the body is `key = value` lines
 * (or one JSON object). Everything else is prose. The reader never throws; the writer has one form.
 */
import { jsonOrNothing, readJson } from "../spec/jsonText.ts";

import { append } from "../numeric/lists.ts";
const CELL_TYPES = ["experiment", "curves", "turns"] as const;
type CellType = (typeof CELL_TYPES)[number];

interface ProseCell {
  type: "prose";
  markdown: string;
}

export interface TypedCell {
  type: CellType;
  /** Unique in the document; letters, digits, `-` and `_`. */
  id: string;
  /** Id of the experiment the cell shows; null for experiments, and where there is none. */
  of: string | null;
  fields: [key: string, value: string][];
}

export type Cell = ProseCell | TypedCell;

export interface Notebook {
  /** First heading, or "Untitled". */
  title: string;
  cells: Cell[];
}

/** Larger texts are cut: a notebook is prose. */
const MAX_LENGTH = 1_000_000;

/** Reads any text as a notebook; what is odd about it is said in the warnings. */
export function parseNotebook(source: string): { notebook: Notebook; warnings: string[] } {
  const warnings: string[] = [];
  let text = source.replace(/\r\n?/g, "\n");
  if (text.length > MAX_LENGTH) {
    text = text.slice(0, MAX_LENGTH);
    warnings.push(`The notebook is longer than ${MAX_LENGTH} characters; the rest is left out.`);
  }
  const cells = resolveCells(splitCells(text.split("\n"), warnings), warnings);
  return { notebook: { title: titleOf(cells), cells }, warnings };
}

/** Writes a notebook; reading it again gives the same notebook. */
export function serialiseNotebook(notebook: Notebook): string {
  return notebook.cells.map(serialiseCell).join("\n\n") + "\n";
}

function serialiseCell(cell: Cell): string {
  if (cell.type === "prose") return cell.markdown;
  const of = cell.of === null ? "" : ` of=${cell.of}`;
  const lines = cell.fields.map(([key, value]) => `${key} = ${quoteIfNeeded(value)}`);
  return ["```" + `${cell.type} id=${cell.id}${of}`, ...lines, "```"].join("\n");
}

/** Values that would not survive trimming, line breaks or comments are written as JSON strings. */
function quoteIfNeeded(value: string): string {
  return value === value.trim() && !/[\n"\u2028\u2029]/.test(value) ? value : JSON.stringify(value);
}

interface Fence {
  indent: number;
  marker: string;
  info: string;
}

function openingFence(line: string): Fence | null {
  const match = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line);
  if (!match) return null;
  const [, indent, marker, info] = match as unknown as [string, string, string, string];
  // Backticks in the info string make it inline code.
  if (marker.startsWith("`") && info.includes("`")) return null;
  return { indent: indent.length, marker, info: info.trim() };
}

function closes(line: string, fence: Fence): boolean {
  const match = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line);
  return match !== null && match[1]!.startsWith(fence.marker);
}

/** Cuts lines into prose and cells; fences of other kinds stay inside the prose, whatever they hold. */
function splitCells(lines: string[], warnings: string[]): Cell[] {
  const cells: Cell[] = [];
  let prose: string[] = [];
  const endProse = () => {
    const markdown = trimBlankLines(prose);
    if (markdown !== "") cells.push({ type: "prose", markdown });
    prose = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const fence = openingFence(lines[i]!);
    if (!fence) {
      prose.push(lines[i]!);
      continue;
    }
    let end = i + 1;
    while (end < lines.length && !closes(lines[end]!, fence)) end++;
    const type = fence.info.split(/\s+/)[0]!;
    if (isCellType(type)) {
      endProse();
      cells.push(readCell(type, fence.info, lines.slice(i + 1, end), warnings));
    } else {
      append(prose, lines.slice(i, end + 1));
      // A fence that the text's end closes is given its closing line, so that cells may follow it.
      if (end >= lines.length) prose.push(fence.marker);
    }
    i = end;
  }
  endProse();
  return cells;
}

function trimBlankLines(lines: string[]): string {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first < 0 ? "" : lines.slice(first).join("\n").trimEnd();
}

function isCellType(type: string): type is CellType {
  return (CELL_TYPES as readonly string[]).includes(type);
}

function readCell(type: CellType, info: string, body: string[], warnings: string[]): TypedCell {
  const attributes = new Map<string, string>();
  for (const word of info.split(/\s+/).slice(1)) {
    const eq = word.indexOf("=");
    if (eq > 0) attributes.set(word.slice(0, eq), word.slice(eq + 1));
    else warnings.push(`"${word}" after ${type} does not have the form name=value.`);
  }
  const id = cleanId(attributes.get("id") ?? "");
  return {
    type,
    id,
    of: cleanId(attributes.get("of") ?? "") || null,
    fields: readBody(body, warnings),
  };
}

function cleanId(id: string): string {
  return id.replace(/[^\w-]/g, "").slice(0, 64);
}

function readBody(lines: string[], warnings: string[]): [string, string][] {
  const text = lines.join("\n").trim();
  if (text.startsWith("{")) return readJsonBody(text, warnings);
  const fields: [string, string][] = [];
  for (const line of lines) {
    if (line.trim() === "" || line.trim().startsWith("#")) continue;
    const eq = line.indexOf("=");
    const key = line.slice(0, Math.max(eq, 0)).trim();
    if (!isPlainKey(key))
      warnings.push(`The line "${line.trim().slice(0, 60)}" does not have the form key = value.`);
    else fields.push([key, unquote(line.slice(eq + 1).trim())]);
  }
  return fields;
}

function unquote(value: string): string {
  if (!/^".*"$/.test(value)) return value;
  const text = jsonOrNothing(value);
  return text === undefined ? value : String(text);
}

function readJsonBody(text: string, warnings: string[]): [string, string][] {
  const { value, problem } = readJson(text);
  if (problem === null) return flatten(value, "", 0);
  warnings.push(`A cell's body starts with { but ${problem}; it is left out.`);
  return [];
}

/** {"a": {"b": 1}} as a.b = 1; lists are joined with commas. */
function flatten(value: unknown, path: string, depth: number): [string, string][] {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || depth > 8)
    return [[path, Array.isArray(value) ? value.join(", ") : String(value)]];
  return Object.entries(value)
    .filter(([key]) => isPlainKey(key))
    .flatMap(([key, item]) => flatten(item, path === "" ? key : `${path}.${key}`, depth + 1));
}

/** Other keys are not kept: written out again, some would read as JSON or as a comment. */
function isPlainKey(key: string): boolean {
  return /^[\w-][\w.-]*$/.test(key);
}

/** Gives every cell an id of its own, and every view the experiment it shows. */
function resolveCells(cells: Cell[], warnings: string[]): Cell[] {
  const taken = new Map<string, number>();
  const named = cells.map((cell) =>
    cell.type === "prose" ? cell : nameCell(cell, taken, warnings),
  );
  const experiments = new Set(
    named.flatMap((cell) => (cell.type === "experiment" ? [cell.id] : [])),
  );
  const [first = null] = experiments;
  let above: string | null = null;
  return named.map((cell) => {
    if (cell.type === "prose") return cell;
    if (cell.type === "experiment") {
      above = cell.id;
      return { ...cell, of: null };
    }
    const nearest = above ?? first;
    if (cell.of !== null && experiments.has(cell.of)) return cell;
    if (cell.of !== null)
      warnings.push(`The cell ${cell.id} refers to "${cell.of}", which is not an experiment here.`);
    else if (nearest === null) warnings.push(`The cell ${cell.id} has no experiment to show.`);
    return { ...cell, of: nearest };
  });
}

/** `taken`: by id, the number that the last cell got which wanted it. */
function nameCell(cell: TypedCell, taken: Map<string, number>, warnings: string[]): TypedCell {
  const wanted = cell.id === "" ? cell.type : cell.id;
  let id = wanted;
  for (let n = taken.get(wanted) ?? 1; taken.has(id);) {
    id = `${wanted}-${++n}`;
    taken.set(wanted, n);
  }
  taken.set(id, 1);
  if (cell.id !== "" && id !== cell.id)
    warnings.push(`The id "${cell.id}" is used twice; the second is now "${id}".`);
  return { ...cell, id };
}

function titleOf(cells: Cell[]): string {
  for (const cell of cells) {
    const heading = cell.type === "prose" ? /^#\s+(.+)$/m.exec(cell.markdown) : null;
    if (heading) return heading[1]!.trim();
  }
  return "Untitled";
}

/** The value of a cell's field; the last one counts. */
export function fieldOf(cell: TypedCell, key: string): string | undefined {
  return cell.fields.findLast(([name]) => name === key)?.[1];
}
