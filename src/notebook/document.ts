/**
 * The notebook document: Markdown in which some fenced blocks are cells.
 *
 *     ```panel id=credits of=first
 *     panel: credits
 *     at: turn-ppo,26,7,3
 *     ```
 *
 * The first word after the fence is the cell's type; names and flags follow; the body belongs to the cell (body.ts). All
 * else is prose; `<!-- cell -->` stands between two cells of prose. The reader never throws; the writer has one form, and
 * keeps bodies as they are.
 */
import { append } from "../numeric/lists.ts";
import { DEFINITION_KINDS, type DefinitionKind } from "../spec/definitions.ts";
import { show } from "../spec/inputError.ts";
import { isCellType, isFlag, showsExperiment, type CellType, type Flag } from "./cellTypes.ts";

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
  flags: readonly Flag[];
  /** Of code that experiments train with: what it defines. Absent: the code computes a value. */
  defines?: DefinitionKind;
  /** Its lines, as written. */
  body: string;
}

export type Cell = ProseCell | TypedCell;

export interface Notebook {
  /** First heading, or "Untitled". */
  title: string;
  cells: readonly Cell[];
}

/** What is odd about a text, and where. */
export interface Remark {
  /** From 1. */
  line: number;
  message: string;
}

interface ParsedNotebook {
  notebook: Notebook;
  remarks: Remark[];
  /** For each cell the line on which it begins, from 1. */
  lines: readonly number[];
}

/** Larger texts are cut: a notebook is prose. */
export const MAX_LENGTH = 1_000_000;
/** More cells than this are not opened: each is drawn. */
const MAX_CELLS = 1000;
/** Each experiment is checked and drawn with a form of its own. */
const MAX_EXPERIMENTS = 200;

/** A cell with the line on which it begins. */
interface Placed<T extends Cell = Cell> {
  cell: T;
  line: number;
}

/** Reads any text as a notebook; what is odd about it is said in the remarks. */
export function parseNotebook(source: string): ParsedNotebook {
  const remarks: Remark[] = [];
  let text = source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (text.length > MAX_LENGTH) {
    text = text.slice(0, MAX_LENGTH);
    const message = `The notebook is longer than ${MAX_LENGTH} characters; the rest is left out.`;
    remarks.push({ line: text.split("\n").length, message });
  }
  const placed = resolveCells(few(splitCells(text.split("\n"), remarks), remarks), remarks);
  const cells = placed.map(({ cell }) => cell);
  return {
    notebook: { title: firstHeading(cells), cells },
    remarks: remarks.sort((a, b) => a.line - b.line),
    lines: placed.map(({ line }) => line),
  };
}

function few(placed: Placed[], remarks: Remark[]): Placed[] {
  const cells = firstOf(placed, placed, MAX_CELLS, "cells", remarks);
  const experiments = cells.filter(({ cell }) => cell.type === "experiment");
  return firstOf(cells, experiments, MAX_EXPERIMENTS, "experiments", remarks);
}

/** `all` without what is too much of `some` of it. */
function firstOf(
  all: Placed[],
  some: readonly Placed[],
  most: number,
  what: string,
  remarks: Remark[],
): Placed[] {
  const beyond = some.slice(most);
  if (beyond.length === 0) return all;
  const message = `The notebook has ${some.length} ${what}; the first ${most} are opened.`;
  remarks.push({ line: beyond[0]!.line, message });
  const left = new Set(beyond);
  return all.filter((one) => !left.has(one));
}

/** Remarks as sentences. */
export function inLines(remarks: readonly Remark[]): string[] {
  return remarks.map(({ line, message }) => `Line ${line}: ${message}`);
}

/** Stands between two cells of prose, which would be one without it. */
const BETWEEN = "<!-- cell -->";

/** Writes a notebook; reading it again gives the same notebook. */
export function serialiseNotebook({ cells }: Pick<Notebook, "cells">): string {
  const parts = cells.flatMap((cell, i) =>
    cell.type === "prose" && cells[i - 1]?.type === "prose"
      ? [BETWEEN, cell.markdown]
      : [serialiseCell(cell)],
  );
  return parts.join("\n\n") + "\n";
}

function serialiseCell(cell: Cell): string {
  if (cell.type === "prose") return cell.markdown;
  const { type, id, of, flags, defines, body } = cell;
  const fence = "`".repeat(Math.max(3, longestFence(body) + 1));
  const names = [
    `id=${id}`,
    ...(of === null ? [] : [`of=${of}`]),
    ...(defines === undefined ? [] : [`defines=${defines}`]),
  ];
  const head = [type, ...names, ...flags].join(" ");
  return [fence + head, ...(body === "" ? [] : [body]), fence].join("\n");
}

/** Backticks of the longest line that could close a fence around the body; 2 where there is none. */
function longestFence(body: string): number {
  const runs = [...body.matchAll(/^ {0,3}(`{3,})\s*$/gm)].map((match) => match[1]!.length);
  return runs.reduce((most, length) => Math.max(most, length), 2);
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
function splitCells(lines: string[], remarks: Remark[]): Placed[] {
  const cells: Placed[] = [];
  let prose: string[] = [];
  let start = 0;
  const endProse = (next: number) => {
    const first = prose.findIndex((line) => line.trim() !== "");
    const markdown = first < 0 ? "" : prose.slice(first).join("\n").trimEnd();
    if (first >= 0) cells.push({ cell: { type: "prose", markdown }, line: start + first + 1 });
    prose = [];
    start = next;
  };
  for (let i = 0; i < lines.length; i++) {
    const fence = openingFence(lines[i]!);
    if (!fence) {
      if (lines[i]!.trimEnd() === BETWEEN) endProse(i + 1);
      else prose.push(lines[i]!);
      continue;
    }
    let end = i + 1;
    while (end < lines.length && !closes(lines[end]!, fence)) end++;
    const type = fence.info.split(/\s+/)[0]!;
    if (isCellType(type)) {
      endProse(end + 1);
      const body = lines.slice(i + 1, end).join("\n");
      cells.push({ cell: readCell(type, fence.info, body, i + 1, remarks), line: i + 1 });
    } else {
      append(prose, lines.slice(i, end + 1));
      // A fence that the text's end closes is given its closing line, so that cells may follow it.
      if (end >= lines.length) prose.push(fence.marker);
    }
    i = end;
  }
  endProse(lines.length);
  return cells;
}

function readCell(
  type: CellType,
  info: string,
  body: string,
  line: number,
  remarks: Remark[],
): TypedCell {
  const attributes = new Map<string, string>();
  const flags: Flag[] = [];
  for (const word of info.split(/\s+/).slice(1)) {
    const eq = word.indexOf("=");
    if (eq > 0) attributes.set(word.slice(0, eq), word.slice(eq + 1));
    else if (isFlag(word)) flags.push(word);
    else remarks.push({ line, message: `"${word}" after ${type} is no flag and no name=value.` });
  }
  const allowed = type === "code" ? ["id", "of", "defines"] : ["id", "of"];
  for (const name of attributes.keys())
    if (!allowed.includes(name))
      remarks.push({ line, message: `${type} has no "${name}="; allowed: ${allowed.join(", ")}.` });
  const id = cleanId(attributes.get("id") ?? "");
  const of = cleanId(attributes.get("of") ?? "") || null;
  const defines = type === "code" ? definedBy(attributes.get("defines"), line, remarks) : undefined;
  return { type, id, of, flags: [...new Set(flags)], ...(defines && { defines }), body };
}

function definedBy(
  kind: string | undefined,
  line: number,
  remarks: Remark[],
): DefinitionKind | undefined {
  const known = DEFINITION_KINDS.find((one) => one === kind);
  if (kind !== undefined && !known) {
    const message = `defines is ${show(kind)}; it must be one of ${DEFINITION_KINDS.join(", ")}.`;
    remarks.push({ line, message });
  }
  return known;
}

/** What can be a cell's id: other characters are left out. */
export function cleanId(id: string): string {
  return id.replace(/[^\w-]/g, "").slice(0, 64);
}

/** Gives every cell an id of its own, and every view the experiment it shows. */
function resolveCells(placed: Placed[], remarks: Remark[]): Placed[] {
  const taken = new Map<string, number>();
  const named = placed.map(({ cell, line }) =>
    cell.type === "prose" ? { cell, line } : { cell: nameCell(cell, line, taken, remarks), line },
  );
  const experiments = new Set(
    named.flatMap(({ cell }) => (cell.type === "experiment" ? [cell.id] : [])),
  );
  const [first = null] = experiments;
  let above: string | null = null;
  return named.map(({ cell, line }) => {
    if (cell.type === "prose") return { cell, line };
    if (cell.type === "experiment") above = cell.id;
    const { of, problem } = shownBy(cell, experiments, above ?? first);
    if (problem !== null) remarks.push({ line, message: problem });
    return { cell: { ...cell, of }, line };
  });
}

/** @param nearest the experiment above the cell, or else the first of the notebook. */
function shownBy(
  { type, id, of }: TypedCell,
  experiments: ReadonlySet<string>,
  nearest: string | null,
): { of: string | null; problem: string | null } {
  if (!showsExperiment(type)) return { of: null, problem: null };
  if (of !== null && experiments.has(of)) return { of, problem: null };
  if (of !== null)
    return {
      of: nearest,
      problem: `The cell ${id} refers to "${of}", which is not an experiment here.`,
    };
  const missing = nearest === null ? `The cell ${id} has no experiment to show.` : null;
  return { of: nearest, problem: missing };
}

/** `taken`: by id, the number that the last cell got which wanted it. */
function nameCell(
  cell: TypedCell,
  line: number,
  taken: Map<string, number>,
  remarks: Remark[],
): TypedCell {
  const wanted = cell.id === "" ? cell.type : cell.id;
  const id = freeId(wanted, taken);
  if (cell.id !== "" && id !== cell.id)
    remarks.push({
      line,
      message: `The id "${cell.id}" is used twice; the second is now "${id}".`,
    });
  return { ...cell, id };
}

/** The id that is wanted, or the first of it with a number that is not taken; then it is. */
export function freeId(wanted: string, taken: Map<string, number>): string {
  let id = wanted;
  for (let n = taken.get(wanted) ?? 1; taken.has(id);) {
    id = `${wanted}-${++n}`;
    taken.set(wanted, n);
  }
  taken.set(id, 1);
  return id;
}

/** Cells after a change: ids are unique and references lead somewhere. Cells that need no change are the same objects. */
export function settleCells(cells: readonly Cell[]): Cell[] {
  const placed = cells.map((cell) => ({ cell, line: 0 }));
  return resolveCells(placed, []).map(({ cell }, i) => {
    const before = cells[i]!;
    if (cell.type === "prose" || before.type === "prose") return before;
    return cell.id === before.id && cell.of === before.of ? before : cell;
  });
}

/** The first heading of the prose, or "Untitled". */
export function firstHeading(cells: readonly Cell[]): string {
  for (const cell of cells) {
    const heading = cell.type === "prose" ? /^#\s+(.+)$/m.exec(cell.markdown) : null;
    if (heading) return heading[1]!.trim();
  }
  return "Untitled";
}
