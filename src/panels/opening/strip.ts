/** The opening figure's sentences about its episode, turn by turn, and its credits; each follows from the numbers. */
import { formatSignedFixed } from "../../numeric/format.ts";
import { bestTurn, spreadInWords, spreadWords } from "../../figures/spread.ts";
import type { BoardCell } from "../../reading/board.ts";
import { readBoard } from "../../reading/board.ts";
import type { Opening } from "../../reading/opening.ts";
import { OPENING_METHODS } from "../../reading/openingMethods.ts";
import { openingWords as words } from "./words.ts";

/** The board before each turn, and the one after the last. */
export function boardsOf({ turns, finalObservation }: Opening): string[] {
  return [...turns.map(({ observation }) => observation), finalObservation];
}

/** A turn's effect on the board; "" without a board. */
export function happened(before: string, after: string): string {
  const [a, b] = [readBoard(before), readBoard(after)];
  if (!a || !b) return "";
  const boxes = (rows: BoardCell[][]) => placesOf(rows, ["box", "box-on-target"]);
  const solved = (rows: BoardCell[][]) => placesOf(rows, ["box"]) === "";
  const player = (rows: BoardCell[][]) => placesOf(rows, ["player", "player-on-target"]);
  if (solved(b.rows) && !solved(a.rows)) return words.moves.target;
  if (boxes(a.rows) !== boxes(b.rows)) return words.moves.push;
  return player(a.rows) === player(b.rows) ? words.moves.wall : words.moves.walk;
}

function placesOf(rows: BoardCell[][], kinds: readonly BoardCell[]): string {
  return rows
    .flatMap((row, r) => row.flatMap((cell, c) => (kinds.includes(cell) ? [`${r},${c}`] : [])))
    .join(" ");
}

/** Always two decimals. */
export const signedCredit = (value: number, digits = 2) => formatSignedFixed(value, digits);

/** Names of the methods that give every turn the same credit. */
export function evenMethods({ credits }: Opening): string[] {
  return OPENING_METHODS.filter((name) => spreadInWords(credits[name] ?? []) === spreadWords.same);
}

/** What the figure shows once the true credit is visible. `titles`: of methods, by name. */
export function statementOf(opening: Opening, titles: Readonly<Record<string, string>>): string {
  const count = opening.turns.length;
  const paid = evenMethods(opening).map((name) => words.paid(titles[name] ?? name, count));
  return words.statement(bestTurn(opening.truth.advantage) + 1, paid.join(""));
}
