/** A notebook being edited: its cells, and changes to them as pure functions. */
import {
  hasFact,
  isTyped,
  nameOfCell,
  textOfCell,
  computes,
  type Cell,
  type TypedCell,
} from "./cell.ts";
import { ROW_KINDS } from "../spec/definitions.ts";
import { cleanId } from "./cellHead.ts";
import { kindOf, type CellType } from "./cells/kinds.ts";
import { freeId, joinerOf, settleCells } from "./document.ts";
import { renameScalars } from "./body.ts";

/** A cell that stays itself whatever is changed in it, its id included. */
export interface KeyedCell {
  key: number;
  cell: Cell;
}

export interface BookDraft {
  cells: readonly KeyedCell[];
  /** The key of the next new cell. */
  nextKey: number;
}

export function openCells(cells: readonly Cell[]): BookDraft {
  return { cells: cells.map((cell, key) => ({ key, cell })), nextKey: cells.length };
}

/** Other cells instead of all that are there; typed ones of the same kind and name stay themselves. */
export function replaceCells(draft: BookDraft, cells: readonly Cell[]): BookDraft {
  const nameOf = (cell: Cell) => (isTyped(cell) ? `${cell.type} ${cell.id}` : null);
  const known = new Map(draft.cells.map(({ key, cell }) => [nameOf(cell), key]));
  let { nextKey } = draft;
  const keyOf = (cell: Cell) => (isTyped(cell) ? known.get(nameOf(cell)) : undefined);
  const keyed = cells.map((cell) => ({ key: keyOf(cell) ?? nextKey++, cell }));
  return { cells: keyed, nextKey };
}

/** Gives the notebook another title: its first heading, or a new one at its top. */
export function retitle(draft: BookDraft, title: string): BookDraft {
  const heading = /^#\s+(.+)$/m;
  const line = `# ${title.replace(/\s+/g, " ").trim()}`;
  const titled = draft.cells.find(({ cell }) => !isTyped(cell) && heading.test(cell.markdown));
  if (titled && !isTyped(titled.cell))
    return writeCell(
      draft,
      titled.key,
      titled.cell.markdown.replace(heading, () => line),
    );
  return insertCell(draft, 0, { type: "prose", markdown: line });
}

export function indexOfKey({ cells }: BookDraft, key: number): number {
  return cells.findIndex((one) => one.key === key);
}

export function cellOf(draft: BookDraft, key: number): Cell | undefined {
  return draft.cells[indexOfKey(draft, key)]?.cell;
}

/** The key of the cell with an id. */
export function keyOfCell({ cells }: BookDraft, id: string): number | null {
  return cells.find(({ cell }) => isTyped(cell) && cell.id === id)?.key ?? null;
}

/** A new cell of a kind, as it is before anybody wrote in it. */
export function blankCell(type: Cell["type"]): Cell {
  if (type === "prose") return { type, markdown: "" };
  return { type, id: "", of: null, flags: [], body: kindOf(type).blank };
}

/** Puts a cell before the one at `index`, or at the end. */
export function insertCell(draft: BookDraft, index: number, cell: Cell): BookDraft {
  const named = isTyped(cell)
    ? { ...cell, id: freeIdIn(draft, cell.type, cell.id || cell.type) }
    : cell;
  const added = { key: draft.nextKey, cell: named };
  const cells = [...draft.cells.slice(0, index), added, ...draft.cells.slice(index)];
  return settled({ cells, nextKey: draft.nextKey + 1 });
}

function freeIdIn({ cells }: BookDraft, type: CellType, wanted: string): string {
  const taken = new Map(cells.flatMap(({ cell }) => (isTyped(cell) ? [[cell.id, 1]] : [])));
  return freeId(wanted, taken, joinerOf(type));
}

/**
 * A cell in the midst of a text cell: what stands before and behind it in the text stays before and behind it, and a text
 * with nothing before it makes room. The new cell's key is the draft's next one.
 */
export function insertWithin(
  draft: BookDraft,
  key: number,
  [before, behind]: readonly [string, string],
  cell: Cell,
): BookDraft {
  const at = indexOfKey(draft, key);
  if (at < 0) return draft;
  const added = insertCell(draft, at + 1, cell);
  const more: Cell = { type: "prose", markdown: behind.trim() };
  const whole = more.markdown === "" ? added : insertCell(added, at + 2, more);
  return before.trim() === "" ? deleteCell(whole, key) : writeCell(whole, key, before.trimEnd());
}

/** `by`: places down, or up where negative; at an end it stays. */
export function moveCell(draft: BookDraft, key: number, by: number): BookDraft {
  const from = indexOfKey(draft, key);
  const to = Math.min(Math.max(from + by, 0), draft.cells.length - 1);
  if (from < 0 || from === to) return draft;
  const others = draft.cells.filter((one) => one.key !== key);
  const cells = [...others.slice(0, to), draft.cells[from]!, ...others.slice(to)];
  return settled({ ...draft, cells });
}

/** A second one behind it. */
export function duplicateCell(draft: BookDraft, key: number): BookDraft {
  const index = indexOfKey(draft, key);
  return index < 0 ? draft : insertCell(draft, index + 1, draft.cells[index]!.cell);
}

export function deleteCell(draft: BookDraft, key: number): BookDraft {
  const cells = draft.cells.filter((one) => one.key !== key);
  return cells.length === draft.cells.length ? draft : settled({ ...draft, cells });
}

/** The cell with another text: prose, or the body. The same draft if the text is unchanged: there is nothing to undo. */
export function writeCell(draft: BookDraft, key: number, text: string): BookDraft {
  const before = cellOf(draft, key);
  if (!before || textOfCell(before) === text) return draft;
  return changeCell(draft, key, (cell) =>
    isTyped(cell) ? { ...cell, body: text } : { ...cell, markdown: text },
  );
}

/** The id that a cell gets where this one is wanted for it: another where it is taken. Null where it keeps its own. */
export function idWanted(draft: BookDraft, key: number, wanted: string): string | null {
  const cell = cellOf(draft, key);
  if (!isTyped(cell)) return null;
  const clean = hasFact(cell, "isCode") ? identifierOf(wanted) : cleanId(wanted);
  return clean === "" || clean === cell.id ? null : freeIdIn(draft, cell.type, clean);
}

/** What can name code: it begins with a letter, and a dash is a minus there. */
function identifierOf(wanted: string): string {
  return cleanId(
    wanted
      .trim()
      .replace(/-/g, "_")
      .replace(/^[^A-Za-z]+/, ""),
  ).slice(0, 32);
}

/**
 * Gives a cell another id; what names it follows. An id that is taken gets a number.
 * @param code cells of code that read it, rewritten: by their text before.
 */
export function renameCell(
  draft: BookDraft,
  key: number,
  wanted: string,
  code?: ReadonlyMap<string, string>,
): BookDraft {
  const cell = cellOf(draft, key);
  const id = idWanted(draft, key, wanted);
  if (!isTyped(cell) || id === null) return draft;
  const renaming = { cell, to: id, ...(code && { code }) };
  const cells = draft.cells.map((one) => {
    const now = one.key === key ? { ...cell, id } : followRename(one.cell, renaming);
    return now === one.cell ? one : { key: one.key, cell: now };
  });
  return settled({ ...draft, cells });
}

/** Lets a cell show another experiment. */
export function pointCell(draft: BookDraft, key: number, of: string): BookDraft {
  return changeCell(draft, key, (cell) => {
    if (!isTyped(cell)) return cell;
    const { ofWritten: _, ...rest } = cell;
    return { ...rest, of };
  });
}

/** Sets or takes away a flag. */
export function flagCell(
  draft: BookDraft,
  key: number,
  flag: TypedCell["flags"][number],
): BookDraft {
  return changeCell(draft, key, (cell) => {
    if (!isTyped(cell)) return cell;
    const others = cell.flags.filter((one) => one !== flag);
    return { ...cell, flags: others.length < cell.flags.length ? others : [...others, flag] };
  });
}

/** Lets a cell wait for a question; undefined for none. */
export function waitFor(draft: BookDraft, key: number, after: string | undefined): BookDraft {
  return changeCell(draft, key, (cell) => {
    const { after: _, ...rest } = cell;
    return after === undefined ? rest : { ...rest, after };
  });
}

/** Whether a change would change or delete a cell that is locked. */
export function changesLocked(before: BookDraft, now: BookDraft): boolean {
  return before.cells.some(({ key, cell }) => {
    if (!isTyped(cell) || !cell.flags.includes("lock")) return false;
    const same = cellOf(now, key);
    if (!isTyped(same)) return true;
    const isSame = same.id === cell.id && same.body === cell.body && same.defines === cell.defines;
    return !isSame || same.after !== cell.after || same.flags.join() !== cell.flags.join();
  });
}

/** Makes code something that experiments train with, or a computation again. Its name is one that code can have. */
export function defineCell(
  draft: BookDraft,
  key: number,
  kind: TypedCell["defines"] | undefined,
): BookDraft {
  const changed = changeCell(draft, key, (cell) => {
    if (!hasFact(cell, "isCode")) return cell;
    const { defines: _, ...code } = cell;
    return kind ? { ...code, defines: kind } : code;
  });
  const cell = cellOf(changed, key);
  return kind && isTyped(cell) ? renameCell(changed, key, cell.id) : changed;
}

function changeCell(draft: BookDraft, key: number, change: (cell: Cell) => Cell): BookDraft {
  const cells = draft.cells.map((one) => (one.key === key ? { key, cell: change(one.cell) } : one));
  return settled({ ...draft, cells });
}

/** Cells that did not change keep their objects, so that only what changed is drawn. */
function settled({ cells, nextKey }: BookDraft): BookDraft {
  const now = settleCells(cells.map(({ cell }) => cell));
  return {
    nextKey,
    cells: cells.map((one, i) => (one.cell === now[i] ? one : { key: one.key, cell: now[i]! })),
  };
}

/** Ids of the experiments, in their order. */
export function experimentsIn({ cells }: BookDraft): string[] {
  return cells.flatMap(({ cell }) => (hasFact(cell, "hasRun") ? [cell.id] : []));
}

/** What a cell is called in a list: its heading, or its kind and id. */
export function labelOf(cell: Cell): string {
  if (isTyped(cell)) return nameOfCell(cell);
  const line = cell.markdown.split("\n").find((one) => one.trim() !== "") ?? "";
  return line
    .replace(/^#+\s*/, "")
    .replace(/!\[(.*?)\]\(.*?\)/g, "$1")
    .replace(/[*_`]/g, "")
    .slice(0, 60);
}

/** Fields of experiments whose value is the name of a definition. */
const NAMING = ["reward", "segmentation", "expert", "definition"];

/** From one name to another. */
interface Renaming {
  /** The cell as it was. */
  cell: TypedCell;
  to: string;
  /** Code that reads the cell, with the new name in it: by its text before. See runtime/sandbox/freeNames.ts. */
  code?: ReadonlyMap<string, string>;
}

/** Another cell, with the new name where it had the old one; the same object where it had not. */
function followRename(one: Cell, renaming: Renaming): Cell {
  const { cell, to } = renaming;
  const waits = kindOf(cell.type).isQuestion && one.after === cell.id;
  if (waits) return followRename({ ...one, after: to }, renaming);
  if (!isTyped(one)) return one;
  const of = one.of === cell.id ? to : one.of;
  const body = bodyAfter(one, renaming);
  return of === one.of && body === one.body ? one : { ...one, of, body };
}

function bodyAfter(one: TypedCell, { cell, to, code }: Renaming): string {
  const { type, body } = one;
  if (computes(one)) return code?.get(body) ?? body;
  const { names } = kindOf(type);
  if (names === "definitions" && cell.defines)
    return renameScalars(body, (text, path) => inExperiment(text, path, cell.id, to));
  if (names === "experiments" && hasFact(cell, "hasRun"))
    return renameScalars(body, (text, path) => inList(text, path, cell.id, to));
  return body;
}

/** `turn-ppo@mine` in names and values, and the name alone where a field takes one. */
function inExperiment(text: string, path: readonly string[], from: string, to: string): string {
  const kinds = `((?:${ROW_KINDS.join("|")})-)?`;
  const rows = text.replace(new RegExp(`@${kinds}${from}(?![\\w-])`, "g"), `@$1${to}`);
  const field = path.at(-1)?.split(".").at(-1) ?? "";
  if (NAMING.includes(field) && unquoted(rows) === from) return rows.replace(from, to);
  // An environment as one text of JSON.
  const named = new RegExp(`("(?:${NAMING.join("|")})"\\s*:\\s*)"${from}"`, "g");
  return rows.replace(named, `$1"${to}"`);
}

/** Experiments of a comparison. */
function inList(text: string, path: readonly string[], from: string, to: string): string {
  if (path[0] !== "experiments") return text;
  return text.replace(new RegExp(`(?<![\\w-])${from}(?![\\w-])`, "g"), to);
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, "$2");
}
