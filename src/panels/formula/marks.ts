/** What is marked in the formula panel: a term, or a cell that terms come from; and what is linked to it. */
import type { Binding } from "../../method/formula/vocabulary.ts";
import type { TurnChoice } from "../../store/turnChoice.ts";
import { findNumber } from "./numbers.ts";
import type { BatchPlace } from "./place.ts";

/** One of a term's places in a formula. */
interface Spot {
  formula: string;
  /** Index among the same term's places in it, as in `at`. */
  index: number;
}

/** A term without a spot was chosen outside a formula. */
export type Mark = { term: Binding; spot: Spot | null } | { cell: string };

/** The ends of lines. */
export interface Links {
  terms: readonly Binding[];
  cells: readonly string[];
  spot: Spot | null;
}

const NONE: Links = { terms: [], cells: [], spot: null };

/** For a term, the cells it came from; for a cell, the shown terms that come from it. */
export function linksOf(mark: Mark | null, terms: readonly Binding[], place: BatchPlace): Links {
  if (mark === null) return NONE;
  if ("term" in mark)
    return terms.includes(mark.term)
      ? { terms: [mark.term], cells: findNumber(mark.term, place).cells, spot: mark.spot }
      : NONE;
  const users = terms.filter((id) => findNumber(id, place).cells.includes(mark.cell));
  return users.length === 0 ? NONE : { terms: users, cells: [mark.cell], spot: null };
}

export function sameMark(a: Mark | null, b: Mark | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether both are the same term, at any place, or the same cell. */
export function sameThing(a: Mark | null, b: Mark): boolean {
  if (a === null) return false;
  return "term" in a ? "term" in b && a.term === b.term : "cell" in b && a.cell === b.cell;
}

/** The mark of an element of the panel. */
export function markAt(element: Element): Mark | null {
  const spot = element.closest("[data-term]");
  if (spot) return { term: spot.getAttribute("data-term") as Binding, spot: spotOf(spot) };
  const row = element.closest("[data-binding]");
  if (row) return { term: row.getAttribute("data-binding") as Binding, spot: null };
  const cell = element.closest("[data-cell]");
  return cell && { cell: cell.getAttribute("data-cell")! };
}

function spotOf(term: Element): Spot | null {
  const box = term.closest("[data-formula]");
  if (!box) return null;
  const same = [...box.querySelectorAll(termSelector(term.getAttribute("data-term")!))];
  return { formula: box.getAttribute("data-formula")!, index: same.indexOf(term) };
}

/** Selector of a term's places; ids come from the vocabulary, so they need no escaping. */
export const termSelector = (term: string) => `[data-term="${term}"]`;

/** Terms of a formula's box, each at the last of its places: a number, if it is filled in. */
export function termsOf(box: Element): Mark[] {
  const ids = [...box.querySelectorAll("[data-term]")].map((one) => one.getAttribute("data-term"));
  const formula = box.getAttribute("data-formula")!;
  return [...new Set(ids)].map((id) => ({ term: id as Binding, spot: { formula, index: -1 } }));
}

/** The cursor's target from a cell: its episode, turn or token. */
export function cursorOf(cell: string): Pick<TurnChoice, "episode" | "turn" | "token"> {
  const [episode = 0, turn = 0, token = null] = cell
    .slice(cell.indexOf("@") + 1)
    .split(".")
    .map(Number);
  return { episode, turn, token };
}
