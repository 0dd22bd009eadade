/** Parses a Sokoban board from an observation's text, cell by cell. */
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

interface ShownBoard {
  rows: BoardCell[][];
  /** Lines of the observation that are not the board, e.g. the number of turns left. */
  notes: string;
}

/** Null if the text contains no board: then the text itself is shown. */
export function readBoard(observation: string): ShownBoard | null {
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
