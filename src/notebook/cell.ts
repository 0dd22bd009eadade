/** A cell of a notebook, and queries for cells by properties of their kind (`cells/kind.ts`). */
import type { Definition, DefinitionKind } from "../spec/definitions.ts";
import type { Flag } from "./cellHead.ts";
import type { CellKind } from "./cells/kind.ts";
import { kindOf, type CellType } from "./cells/kinds.ts";

interface ProseCell {
  type: "prose";
  markdown: string;
  /** Id of the question that it waits for. */
  after?: string;
}

export interface TypedCell {
  type: CellType;
  /** Unique in the document; letters, digits, `-` and `_`. */
  id: string;
  /** Id of the experiment the cell shows; null for experiments, and if there is none. */
  of: string | null;
  /** The value of `of=` if it is not an experiment here; it is kept, in case there is one again. */
  ofWritten?: string;
  flags: readonly Flag[];
  /** For code that experiments train with: what it defines. Absent: the code computes a value. */
  defines?: DefinitionKind;
  /** Id of the question that it waits for. */
  after?: string;
  /** Unknown words after the type, as written: another version may know them. */
  others?: readonly string[];
  /** Its lines, as written. */
  body: string;
}

export type Cell = ProseCell | TypedCell;

export interface Notebook {
  /** First heading, or "Untitled". */
  title: string;
  cells: readonly Cell[];
}

/** All but prose. */
export function typedCells(cells: readonly Cell[]): TypedCell[] {
  return cells.filter(isTyped);
}

export function isTyped(cell: Cell | undefined): cell is TypedCell {
  return cell !== undefined && cell.type !== "prose";
}

/** Whether a cell's kind has a property, such as `hasRun`. */
export function hasFact(cell: Cell | undefined, fact: keyof CellKind): cell is TypedCell {
  return isTyped(cell) && kindOf(cell.type)[fact] !== undefined;
}

/** The cells whose kind has the property, in order. */
export function cellsWith(cells: readonly Cell[], fact: keyof CellKind): TypedCell[] {
  return cells.filter((cell) => hasFact(cell, fact));
}

/** The experiment that a cell shows; undefined if it is missing. */
export function experimentShownBy(
  cells: readonly Cell[],
  { of }: Pick<TypedCell, "of">,
): TypedCell | undefined {
  return cellsWith(cells, "hasRun").find(({ id }) => id === of);
}

/** Whether it is code that computes a value: definitions are run by experiments. */
export function computes(cell: Cell | undefined): cell is TypedCell {
  return hasFact(cell, "isCode") && !cell.defines;
}

/** Whether it trains something. */
export function trains(cell: Cell | undefined): cell is TypedCell {
  return hasFact(cell, "starts") && !hasFact(cell, "isCode");
}

/** What the code cells of a notebook define. */
export function definitionsIn(cells: readonly Cell[]): Definition[] {
  return typedCells(cells).flatMap(({ defines, id, body }) =>
    defines ? [{ kind: defines, name: id, source: body }] : [],
  );
}

/** A cell's name among others. */
export function nameOfCell({ type, id }: TypedCell): string {
  return `${kindOf(type).title}: ${id}`;
}

/** A cell's own text: prose, or the body. */
export function textOfCell(cell: Cell): string {
  return cell.type === "prose" ? cell.markdown : cell.body;
}

/** The texts of the prose, in order. */
export function proseIn(cells: readonly Cell[]): string[] {
  return cells.flatMap((cell) => (cell.type === "prose" ? [cell.markdown] : []));
}
