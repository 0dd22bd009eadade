/**
 * A Sokoban board as data: the fixed cells, the positions of the boxes and the player, and RAGEN's
 * symbols.
 */
import { InputError, show } from "../../numeric/inputError.ts";

export const WALL = 0;
export const FLOOR = 1;
export const TARGET = 2;

/** Immutable: a move creates a new board that shares `fixed`. The border is all wall. */
export interface Board {
  rows: number;
  cols: number;
  /** WALL, FLOOR or TARGET of each cell, row by row. [rows * cols] */
  fixed: Uint8Array;
  /** Cell index (row * cols + col). */
  player: number;
  /** Cell indices, ascending. */
  boxes: readonly number[];
}

/** Order and names of RAGEN's action ids 1..4; also the order in which searches try them. */
export const ACTIONS = ["Up", "Down", "Left", "Right"] as const;
export type Action = (typeof ACTIONS)[number];

/** The change of the cell index by a step. */
export function cellOffset(action: Action, cols: number): number {
  return { Up: -cols, Down: cols, Left: -1, Right: 1 }[action];
}

/**
 * The symbols of RAGEN's `ragen/env/sokoban/config.py` (grid_lookup): empty cell, box on it, player
 * on it.
 */
const SYMBOLS = { [WALL]: "###", [FLOOR]: "_XP", [TARGET]: "O√S" } as const;

export function symbolAt(board: Board, cell: number): string {
  const kind = board.fixed[cell] as keyof typeof SYMBOLS;
  const what = board.player === cell ? 2 : board.boxes.includes(cell) ? 1 : 0;
  return SYMBOLS[kind][what]!;
}

/** The board in RAGEN's symbols, rows joined by newline. */
export function renderBoard(board: Board): string {
  const rows: string[] = [];
  for (let r = 0; r < board.rows; r++) {
    let row = "";
    for (let c = 0; c < board.cols; c++) row += symbolAt(board, r * board.cols + c);
    rows.push(row);
  }
  return rows.join("\n");
}

/** Equal for equal boards: used to check whether a held-out level is already in a training set. */
export function boardKey(board: Board): string {
  return renderBoard(board);
}

/**
 * Parses RAGEN's symbols. Throws InputError on ragged rows, unknown symbols, open borders or a
 * player count other than 1.
 */
export function parseBoard(text: string): Board {
  const lines = text.split("\n");
  const [rows, cols] = [lines.length, lines[0]!.length];
  const fixed = new Uint8Array(rows * cols);
  const boxes: number[] = [];
  const players: number[] = [];
  lines.forEach((line, r) => {
    if (line.length !== cols)
      throw new InputError(`board row ${r} has ${line.length} cells, not ${cols}`);
    [...line].forEach((symbol, c) => {
      const kind = [WALL, FLOOR, TARGET].find((k) =>
        SYMBOLS[k as keyof typeof SYMBOLS].includes(symbol),
      );
      if (kind === undefined)
        throw new InputError(`board row ${r} has the unknown symbol ${show(symbol)}`);
      const cell = r * cols + c;
      fixed[cell] = kind;
      if ("X√".includes(symbol)) boxes.push(cell);
      if ("PS".includes(symbol)) players.push(cell);
    });
  });
  if (players.length !== 1) throw new InputError(`the board has ${players.length} players, not 1`);
  const board = { rows, cols, fixed, player: players[0]!, boxes };
  checkBorder(board);
  return board;
}

function checkBorder({ rows, cols, fixed }: Board): void {
  for (let cell = 0; cell < fixed.length; cell++) {
    const [r, c] = [Math.floor(cell / cols), cell % cols];
    const border = r === 0 || c === 0 || r === rows - 1 || c === cols - 1;
    if (border && fixed[cell] !== WALL)
      throw new InputError(`the board is open at row ${r}, column ${c}`);
  }
}

/** Number of boxes on targets. */
export function boxesOnTarget(board: Board): number {
  return board.boxes.filter((cell) => board.fixed[cell] === TARGET).length;
}

export function isSolved(board: Board): boolean {
  return boxesOnTarget(board) === board.boxes.length;
}

/**
 * A board that play may start on: a solved board leaves nothing to earn.
 * @throws InputError naming `what` it is.
 */
export function checkUnsolved(what: string, board: Board): void {
  if (!isSolved(board)) return;
  throw new InputError(
    `${what} is already solved: all its boxes (${board.boxes.length}) are on targets; at least one must not be`,
  );
}
