/** The steps that a turn takes on its board, for arrows. */
import { move } from "../../env/sokoban/dynamics.ts";
import { cellOffset, parseBoard, type Board } from "../../env/sokoban/board.ts";
import { actionNamed } from "../../env/sokoban/parseResponse.ts";

export interface MoveStep {
  /** Column and row of the player. */
  x: number;
  y: number;
  /** Direction: each -1, 0 or 1. */
  dx: number;
  dy: number;
  /** Whether a wall or a box blocks it, so that nothing moves. */
  blocked: boolean;
}

/** Empty if the text shows no board, or not one of Sokoban's. */
export function movesOf(observation: string, actions: readonly string[]): MoveStep[] {
  let board = boardIn(observation);
  if (!board) return [];
  const steps: MoveStep[] = [];
  for (const name of actions) {
    const action = actionNamed(name);
    if (!action) continue;
    const next: Board = move(board, action);
    const by = cellOffset(action, board.cols);
    const sideways = Math.abs(by) === 1;
    steps.push({
      x: board.player % board.cols,
      y: Math.floor(board.player / board.cols),
      dx: sideways ? by : 0,
      dy: sideways ? 0 : Math.sign(by),
      blocked: next === board,
    });
    board = next;
  }
  return steps;
}

const ROW = /^[#_OX√PS]{3,}$/;

function boardIn(observation: string): Board | null {
  const rows = observation.split("\n").filter((line) => ROW.test(line));
  try {
    return rows.length === 0 ? null : parseBoard(rows.join("\n"));
  } catch {
    return null;
  }
}
