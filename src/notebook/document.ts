/**
 * The notebook document: Markdown in which some fenced blocks are cells.
 *
 *     ```panel id=credits of=first
 *     panel: credits
 *     at: turn-ppo,26,7,3
 *     ```
 *
 * The first word after the fence is the cell's type; names and flags follow; the body belongs to
 * the cell (body.ts). Everything else is prose; `<!-- cell -->` separates two cells of prose. A
 * cell with `after=ID`, or prose with `<!-- cell after=ID -->` before it, is shown once that
 * question was answered or skipped. The reader never throws; the writer has one form, and keeps
 * bodies as they are.
 */
import { append } from "../numeric/lists.ts";
import type { Remark } from "./body.ts";
import {
  cellsWith,
  hasFact,
  isTyped,
  proseIn,
  type Cell,
  type Notebook,
  type TypedCell,
} from "./cell.ts";
import { cleanId, LONGEST_ID, readBetween, readHead, writeBetween, writeHead } from "./cellHead.ts";
import type { CellKind } from "./cells/kind.ts";
import { isCellType, kindOf, type CellType } from "./cells/kinds.ts";
import { closedCode, closesFence, openingFence } from "./fences.ts";
import { topHeading } from "./topHeading.ts";

interface ParsedNotebook {
  notebook: Notebook;
  remarks: Remark[];
  /** For each cell the line on which it begins, from 1. */
  lines: readonly number[];
}

/** Larger texts are cut: a notebook is prose. */
export const MAX_LENGTH = 1_000_000;
/** Notebooks with more cells are not opened: each cell is drawn. */
export const MAX_CELLS = 1000;
/** Each experiment is checked and drawn with its own form. */
const MAX_EXPERIMENTS = 200;

/** A cell with the line on which it begins. */
interface PlacedCell<T extends Cell = Cell> {
  cell: T;
  line: number;
}

/** Reads any text as a notebook; remarks describe what is odd about it. */
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

function few(placed: PlacedCell[], remarks: Remark[]): PlacedCell[] {
  const cells = firstOf(placed, placed, MAX_CELLS, "cells", remarks);
  const experiments = cells.filter(({ cell }) => hasFact(cell, "hasRun"));
  return firstOf(cells, experiments, MAX_EXPERIMENTS, "experiments", remarks);
}

/** `all` without the surplus of `some` of it. */
function firstOf(
  all: PlacedCell[],
  some: readonly PlacedCell[],
  most: number,
  what: string,
  remarks: Remark[],
): PlacedCell[] {
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

/** Writes a notebook; reading it again gives the same notebook. */
export function serialiseNotebook({ cells }: Pick<Notebook, "cells">): string {
  const parts = cells.flatMap((cell, i) => {
    if (isTyped(cell)) return [serialiseCell(cell)];
    const text = i < cells.length - 1 ? closedCode(cell.markdown) : cell.markdown;
    const isApart = (i > 0 && !isTyped(cells[i - 1])) || cell.after !== undefined;
    return isApart ? [writeBetween(cell.after), text] : [text];
  });
  return parts.join("\n\n") + "\n";
}

function serialiseCell(cell: TypedCell): string {
  const { type, body, of, ofWritten = of ?? undefined, ...rest } = cell;
  const head = writeHead(type, { ...rest, ...(ofWritten !== undefined && { ofWritten }) });
  // Backticks are not allowed after a fence of backticks.
  const mark = head.includes("`") ? "~" : "`";
  const fence = mark.repeat(Math.max(3, longestFence(body, mark) + 1));
  return [fence + head, ...(body === "" ? [] : [body]), fence].join("\n");
}

/** Length of the longest line that could close a fence around the body; 2 if there is none. */
function longestFence(body: string, mark: "`" | "~"): number {
  const runs = [...body.matchAll(/^ {0,3}(`{3,}|~{3,})\s*$/gm)].map((match) => match[1]!);
  return runs
    .filter((run) => run.startsWith(mark))
    .reduce((most, { length }) => Math.max(most, length), 2);
}

/** Cuts lines into prose and cells; fences of other kinds stay inside the prose, whatever they hold. */
function splitCells(lines: string[], remarks: Remark[]): PlacedCell[] {
  const cells: PlacedCell[] = [];
  let prose: string[] = [];
  let start = 0;
  let after: string | undefined;
  const endProse = (next: number) => {
    const first = prose.findIndex((line) => line.trim() !== "");
    const markdown = first < 0 ? "" : prose.slice(first).join("\n").trimEnd();
    const cell = { type: "prose", markdown, ...(after !== undefined && { after }) } as const;
    if (first >= 0) cells.push({ cell, line: start + first + 1 });
    prose = [];
    after = undefined;
    start = next;
  };
  for (let i = 0; i < lines.length; i++) {
    const fence = openingFence(lines[i]!);
    if (!fence) {
      const between = readBetween(lines[i]!);
      if (between === null) prose.push(lines[i]!);
      else {
        endProse(i + 1);
        after = between;
      }
      continue;
    }
    let end = i + 1;
    while (end < lines.length && !closesFence(lines[end]!, fence)) end++;
    const type = fence.info.split(/\s+/)[0]!;
    if (isCellType(type)) {
      endProse(end + 1);
      const body = lines.slice(i + 1, end).join("\n");
      cells.push({ cell: readCell(type, fence.info, body, i + 1, remarks), line: i + 1 });
    } else {
      append(prose, lines.slice(i, end + 1));
      // A fence that only the text's end closes gets its closing line, so that cells may follow it.
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
  const { head, problems } = readHead(type, info.split(/\s+/).slice(1));
  for (const message of problems) remarks.push({ line, message });
  return { type, of: null, ...head, body };
}

/** Gives every cell a unique id, and every view the experiment it shows. */
function resolveCells(placed: PlacedCell[], remarks: Remark[]): PlacedCell[] {
  const taken = new Map<string, number>();
  const named = placed.map(({ cell, line }) =>
    isTyped(cell) ? { cell: nameCell(cell, line, taken, remarks), line } : { cell, line },
  );
  const experiments = idsWith(named, "hasRun");
  noteLostQuestions(named, remarks);
  const [first = null] = experiments;
  let above: string | null = null;
  return named.map(({ cell, line }) => {
    if (!isTyped(cell)) return { cell, line };
    if (experiments.has(cell.id)) above = cell.id;
    const { problem, ...shown } = shownBy(cell, experiments, above ?? first);
    if (problem !== null) remarks.push({ line, message: problem });
    const { ofWritten: _, ...rest } = cell;
    return { cell: { ...rest, ...shown }, line };
  });
}

function idsWith(placed: readonly PlacedCell[], fact: keyof CellKind): Set<string> {
  const cells = placed.map(({ cell }) => cell);
  return new Set(cellsWith(cells, fact).map(({ id }) => id));
}

/** A cell that waits for an unknown question is shown at once. */
function noteLostQuestions(placed: readonly PlacedCell[], remarks: Remark[]): void {
  const questions = idsWith(placed, "isQuestion");
  for (const { cell, line } of placed) {
    if (cell.after === undefined || questions.has(cell.after)) continue;
    const name = isTyped(cell) ? `The cell ${cell.id}` : "This text";
    remarks.push({
      line,
      message: `${name} waits for "${cell.after}", which is not a question here.`,
    });
  }
}

/** What a cell shows, and what is wrong with its `of=`. */
interface ShownExperiment extends Pick<TypedCell, "of" | "ofWritten"> {
  problem: string | null;
}

/** @param nearest the experiment above the cell, or else the first of the notebook. */
function shownBy(
  { type, id, of, ofWritten }: TypedCell,
  experiments: ReadonlySet<string>,
  nearest: string | null,
): ShownExperiment {
  const { shows } = kindOf(type);
  if (shows === false)
    return { of: null, ...(ofWritten !== undefined && { ofWritten }), problem: null };
  const named = ofWritten === undefined ? of : cleanId(ofWritten);
  if (named !== null && experiments.has(named)) return { of: named, problem: null };
  const needsOne = shows === true;
  if (!needsOne && ofWritten === undefined) return { of: null, problem: null };
  if (ofWritten !== undefined)
    return {
      of: needsOne ? nearest : null,
      ofWritten,
      problem: `The cell ${id} refers to "${ofWritten}", which is not an experiment here.`,
    };
  const missing = nearest === null ? `The cell ${id} has no experiment to show.` : null;
  return { of: nearest, problem: missing };
}

/** `taken`: by id, the last number given to a cell that wanted it. */
function nameCell(
  cell: TypedCell,
  line: number,
  taken: Map<string, number>,
  remarks: Remark[],
): TypedCell {
  const wanted = cell.id === "" ? cell.type : cell.id;
  const id = freeId(wanted, taken, joinerOf(cell.type));
  if (cell.id !== "" && id !== cell.id)
    remarks.push({
      line,
      message: `The id "${cell.id}" is used twice; the second is now "${id}".`,
    });
  return { ...cell, id };
}

/** Between a name and its number: code is named in code, where a dash is a minus. */
export function joinerOf(type: CellType): "_" | "-" {
  return kindOf(type).isCode ? "_" : "-";
}

/** The wanted id, or the first variant with a free number; marks it as taken. No id exceeds the limit. */
export function freeId(wanted: string, taken: Map<string, number>, joiner = "-"): string {
  let id = wanted;
  for (let n = taken.get(wanted) ?? 1; taken.has(id);) {
    const ending = `${joiner}${++n}`;
    id = wanted.slice(0, LONGEST_ID - ending.length) + ending;
    taken.set(wanted, n);
  }
  taken.set(id, 1);
  return id;
}

/** Cells after a change: ids are unique and references are valid. Cells that need no change are the same objects. */
export function settleCells(cells: readonly Cell[]): Cell[] {
  const placed = cells.map((cell) => ({ cell, line: 0 }));
  return resolveCells(placed, []).map(({ cell }, i) => {
    const before = cells[i]!;
    if (!isTyped(cell) || !isTyped(before)) return before;
    const isSame =
      cell.id === before.id && cell.of === before.of && cell.ofWritten === before.ofWritten;
    return isSame ? before : cell;
  });
}

/** The first heading of the prose, or "Untitled". */
export function firstHeading(cells: readonly Cell[]): string {
  for (const markdown of proseIn(cells)) {
    const heading = topHeading(markdown);
    if (heading !== null) return heading;
  }
  return "Untitled";
}
