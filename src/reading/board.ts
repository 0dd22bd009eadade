/** A Sokoban board out of an observation's text: cells to draw, and the same in words. */

import { greatest } from "../numeric/lists.ts";
export type BoardCell =
  "wall" | "floor" | "target" | "box" | "box-on-target" | "player" | "player-on-target";

/** RAGEN's symbols. */
const CELLS: Record<string, BoardCell> = {
  "#": "wall",
  _: "floor",
  O: "target",
  X: "box",
  "√": "box-on-target",
  P: "player",
  S: "player-on-target",
};

interface Board {
  rows: BoardCell[][];
  /** Lines of the observation that are not the board, e.g. how many turns are left. */
  notes: string;
}

/** Null when the text holds no board: then the text itself is what there is to show. */
export function readBoard(observation: string): Board | null {
  const lines = observation.split("\n");
  const isRow = (line: string) =>
    line.length > 1 && [...line].every((c) => Object.hasOwn(CELLS, c));
  const start = lines.findIndex(isRow);
  if (start < 0) return null;
  let end = start;
  while (end < lines.length && isRow(lines[end]!)) end++;
  const rows = lines.slice(start, end).map((line) => [...line].map((c) => CELLS[c]!));
  const notes = [...lines.slice(0, start), ...lines.slice(end)].join("\n").trim();
  return { rows, notes };
}

/** For example: "6 by 6 board. Player at row 2, column 3. Box at row 4, column 3. Target at row 5, column 3." */
export function describeBoard({ rows }: Board): string {
  const width = greatest(rows.map((row) => row.length));
  const parts = [
    place(rows, "Player", ["player", "player-on-target"]),
    place(rows, "Box", ["box"]),
    place(rows, "Box on target", ["box-on-target"]),
    place(rows, "Target", ["target", "player-on-target"]),
  ];
  return [`${rows.length} by ${width} board.`, ...parts.filter((part) => part !== "")].join(" ");
}

function place(rows: BoardCell[][], name: string, kinds: BoardCell[]): string {
  const places = rows.flatMap((row, r) =>
    row.flatMap((cell, c) => (kinds.includes(cell) ? [`row ${r + 1}, column ${c + 1}`] : [])),
  );
  return places.length === 0 ? "" : `${name} at ${places.join(" and ")}.`;
}
