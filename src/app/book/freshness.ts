/** Whether what a cell shows was computed from what the notebook says now. */
import { readFields } from "../../notebook/cellFields.ts";
import type { Cell, TypedCell } from "../../notebook/document.ts";
import type { Experiments } from "../experiments.ts";
import { isOutOfDate, SHOWS_RUN } from "./isOutOfDate.ts";
import type { OpenBook } from "./openBook.ts";

export type Freshness = "fresh" | "late";

/** Null of what has not run here, and of what shows no run. */
export function freshnessOf({ experiments, code }: OpenBook, cell: Cell): Freshness | null {
  if (cell.type === "prose") return null;
  if (cell.type === "code") return ofCode(code.store.getState().views[cell.id]?.state);
  const { map } = experiments.getState();
  const shown = shownIn(cell, map).flatMap((id) => {
    const state = map.get(id)?.store.getState();
    return state && state.runSpec !== null ? [isOutOfDate(state)] : [];
  });
  if (shown.length === 0) return null;
  return shown.includes(true) ? "late" : "fresh";
}

function ofCode(state: string | undefined): Freshness | null {
  return state === "fresh" || state === "late" ? state : null;
}

/** Ids of the experiments whose runs the cell shows. */
function shownIn(cell: TypedCell, experiments: Experiments): readonly string[] {
  if (cell.type === "experiment") return [cell.id];
  if (cell.type === "compare")
    return readFields(cell.type, cell.body).value?.experiments ?? [...experiments.keys()];
  return SHOWS_RUN.includes(cell.type) && cell.of !== null ? [cell.of] : [];
}
