/** The part of a board worth drawing. */
import { greatest, least } from "../../numeric/lists.ts";
import { readBoard } from "../../reading/board.ts";

/**
 * Rows and columns that contain more than wall on any of the boards, with half a wall around them.
 */
export interface Crop {
  top: number;
  left: number;
  width: number;
  height: number;
}

const RIM = 0.5;

export function cropOf(boards: readonly string[]): Crop | null {
  const open = boards.flatMap((text) =>
    (readBoard(text)?.rows ?? []).flatMap((row, r) =>
      row.flatMap((cell, c) => (cell === "wall" ? [] : [{ r, c }])),
    ),
  );
  if (open.length === 0) return null;
  const [top, left] = [least(open.map(({ r }) => r)), least(open.map(({ c }) => c))];
  const [bottom, right] = [greatest(open.map(({ r }) => r)), greatest(open.map(({ c }) => c))];
  const [width, height] = [right - left + 1 + 2 * RIM, bottom - top + 1 + 2 * RIM];
  return { top: top - RIM, left: left - RIM, width, height };
}
