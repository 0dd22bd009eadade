/** The figure that represents a lesson: its first one with handles that readers see before they answer anything. */
import { readFields } from "../../notebook/cellFields.ts";
import type { Cell, TypedCell } from "../../notebook/cell.ts";
import { seenAtFirst } from "../../notebook/cells/lesson/steps.ts";
import type { ExploreRow } from "../../panels/explore/exploration.ts";
import { explorations } from "../../panels/explore/explorations.ts";

interface LessonFigure {
  cell: TypedCell;
  /** Those that have something to draw, computed with the handles' initial settings, credit first; or one to be filled in, all 0. */
  rows: readonly ExploreRow[];
}

/** Null if a lesson has none. @param cells of the whole lesson */
export function lessonFigure(cells: readonly Cell[]): LessonFigure | null {
  const figures = cells.filter(seenAtFirst(cells)).flatMap(figureOf);
  const drawn = figures.flatMap(({ cell, rows }) => {
    const shown = rows.filter(hasShape);
    return shown.length > 0 ? [{ cell, rows: shown.toSorted(creditFirst) }] : [];
  });
  const open = figures.flatMap(({ cell, rows }) =>
    rows.filter(isOpen).map((row) => ({ cell, rows: [row] })),
  );
  return drawn[0] ?? open[0] ?? null;
}

function figureOf(cell: Cell): LessonFigure[] {
  if (cell.type !== "explore") return [];
  const fields = readFields(cell.type, cell.body).value;
  const figure = fields && explorations[fields.figure];
  if (!figure) return [];
  const start = Object.fromEntries(figure.handles.map((one) => [one.id, one.start]));
  return [{ cell, rows: figure.show({ ...start, ...fields.set }, fields.data).rows }];
}

const creditFirst = (a: ExploreRow, b: ExploreRow) =>
  Number(a.kind === "amount") - Number(b.kind === "amount");

/** More than one place, and not all 0, as before a reader has moved a handle. */
function hasShape({ values }: ExploreRow): boolean {
  const known = values.filter((one) => one !== null);
  return known.length > 1 && known.some((one) => one !== 0);
}

/** The reader's own credit, before any is given. */
function isOpen({ kind, values }: ExploreRow): boolean {
  return kind === "credit" && values.length > 1 && values.every((one) => one === 0);
}
