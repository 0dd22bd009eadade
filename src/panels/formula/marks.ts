/** What is marked in the formula panel: a term, or a cell that terms come from; and what that links to what. */
import type { Binding } from "../../method/formula/vocabulary.ts";
import type { TurnChoice } from "../../store/turnChoice.ts";
import { findNumber } from "./numbers.ts";
import type { BatchPlace } from "./place.ts";

/** One of the places in a formula where a term stands. */
interface Spot {
  formula: string;
  /** Among the same term's places in it, as `at` takes it. */
  index: number;
}

/** A term without a spot was chosen elsewhere than in a formula. */
export type Mark = { term: Binding; spot: Spot | null } | { cell: string };

/** What lines join. */
export interface Links {
  terms: readonly Binding[];
  cells: readonly string[];
  spot: Spot | null;
}

const NONE: Links = { terms: [], cells: [], spot: null };

/** Of a term the cells it came from; of a cell the terms, of those that are shown, that come from it. */
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

/** Whether both are of the same term, wherever it stands, or of the same cell. */
export function sameThing(a: Mark | null, b: Mark): boolean {
  if (a === null) return false;
  return "term" in a ? "term" in b && a.term === b.term : "cell" in b && a.cell === b.cell;
}

/** What an element of the panel stands for. */
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

/** Selector of a term's places; ids come from the vocabulary, so that they need no escaping. */
export const termSelector = (term: string) => `[data-term="${term}"]`;

/** Terms of a formula's box, each at the last of its places: a number, where it is filled in. */
export function termsOf(box: Element): Mark[] {
  const ids = [...box.querySelectorAll("[data-term]")].map((one) => one.getAttribute("data-term"));
  const formula = box.getAttribute("data-formula")!;
  return [...new Set(ids)].map((id) => ({ term: id as Binding, spot: { formula, index: -1 } }));
}

/** Where the cursor goes from a cell: to its episode, its turn, its token. */
export function cursorOf(cell: string): Pick<TurnChoice, "episode" | "turn" | "token"> {
  const [episode = 0, turn = 0, token = null] = cell
    .slice(cell.indexOf("@") + 1)
    .split(".")
    .map(Number);
  return { episode, turn, token };
}
