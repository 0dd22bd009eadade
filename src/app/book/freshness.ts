/** Whether what a cell shows was computed from what the notebook says now. */
import { isTyped, type Cell, type TypedCell } from "../../notebook/cell.ts";
import { kindOf } from "../../notebook/cells/kinds.ts";
import { isOutOfDate } from "../../store/experimentState.ts";
import type { Experiments } from "../experiments.ts";
import { screenOf } from "./cells/screens.ts";
import type { OpenBook } from "./openBook.ts";

export type Freshness = "fresh" | "late";

/** Null of what has not run here, and of what shows no run. */
export function freshnessOf({ experiments, code }: OpenBook, cell: Cell): Freshness | null {
  if (!isTyped(cell)) return null;
  if (kindOf(cell.type).isCode) return ofCode(code.store.getState().views[cell.id]?.state);
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
  const own = kindOf(cell.type).showsRun && cell.of !== null ? [cell.of] : [];
  return screenOf(cell.type).shown?.(cell, experiments) ?? own;
}
