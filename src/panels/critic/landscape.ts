/** A value landscape as squares to draw, and in words. */
import { formatSigned } from "../../numeric/format.ts";
import { signedScale, type SignedTone } from "../../charts/signedScale.ts";
import { largestSize } from "../../numeric/lists.ts";
import type { ValuesAnswer } from "../../runtime/questions.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { turnValue, type Critic } from "../../reading/critics.ts";
import { readBoard, type BoardCell } from "../../reading/board.ts";
import { words } from "./words.ts";

export interface Square {
  row: number;
  column: number;
  /** The square's contents without the player. */
  cell: BoardCell;
  /** null if the player cannot be there, or V was not finite. */
  value: number | null;
  /** Relative to V of the player's square: plus is better. */
  difference: number | null;
  tone: SignedTone;
  /** Whether the player is there. */
  here: boolean;
}

export interface Landscape {
  rows: number;
  columns: number;
  squares: Square[];
  /** Which critic's V. */
  critic: string;
}

/** null if none of the run's critics answered. */
export function landscapeOf(
  answer: ValuesAnswer,
  observation: string,
  preferred: string,
): Landscape | null {
  const board = readBoard(observation);
  const critic = Object.hasOwn(answer.values, preferred)
    ? preferred
    : Object.keys(answer.values)[0];
  if (!board || critic === undefined) return null;
  const at = new Map(
    answer.squares.map((square, i) => [square, answer.values[critic]![i] ?? null]),
  );
  const here = at.get(answer.player) ?? null;
  const minus = (value: number | null) => (value === null || here === null ? null : value - here);
  const size = largestSize([...at.values()].map((value) => value ?? NaN));
  const scale = signedScale(
    [...at.values()].flatMap((value) => minus(value) ?? []),
    size,
  );
  const squares = board.rows.flatMap((cells, row) =>
    cells.map((cell, column) => {
      const square = row * answer.cols + column;
      const value = at.get(square) ?? null;
      const difference = minus(value);
      const isHere = square === answer.player;
      const tone = scale(difference ?? 0);
      return { row, column, cell: withoutPlayer(cell), value, difference, tone, here: isHere };
    }),
  );
  return { rows: answer.rows, columns: answer.cols, squares, critic };
}

function withoutPlayer(cell: BoardCell): BoardCell {
  if (cell === "player") return "floor";
  return cell === "player-on-target" ? "target" : cell;
}

type ValuedSquare = Square & { value: number };

export function valuedSquares({ squares }: Landscape): ValuedSquare[] {
  return squares.filter((square): square is ValuedSquare => square.value !== null);
}

/** The player's square, and the best and the worst one. */
export function describeLandscape(landscape: Landscape): string {
  const valued = valuedSquares(landscape);
  const here = valued.find((square) => square.here);
  if (valued.length === 0) return words.landscapeNoNumbers;
  const best = valued.reduce((a, b) => (b.value > a.value ? b : a));
  const worst = valued.reduce((a, b) => (b.value < a.value ? b : a));
  const numbers = (square: ValuedSquare) => [formatSigned(square.value), place(square)] as const;
  return [
    here ? words.standing(...numbers(here)) : "",
    words.best(...numbers(best)),
    words.worst(...numbers(worst)),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** Why the run has another V of the same turn; empty for a fork, and if it has none, or the same. */
export function describeThen(
  landscape: Landscape,
  { episodes, episode, turn, iteration, fork }: ResolvedChoice,
  critic: Critic,
): string {
  // Its turns were not played in the iteration, and the critics may have valued them later.
  if (fork !== null) return "";
  const played = episodes[episode]?.turns[turn];
  const then = played && critic.name === landscape.critic ? turnValue(played, critic) : null;
  const now = valuedSquares(landscape).find((square) => square.here)?.value;
  if (then === null || now === undefined || formatSigned(then) === formatSigned(now)) return "";
  return words.landscapeThen(formatSigned(then), iteration);
}

export function place({ row, column }: Pick<Square, "row" | "column">): string {
  return words.place(row + 1, column + 1);
}
