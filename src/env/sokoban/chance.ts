/**
 * Optional randomness in Sokoban: moves that slip, and cells that are shown wrongly. Everything
 * follows from one number per turn, so that a turn with the same number has the same result.
 */
import { uniforms } from "../../numeric/rng.ts";
import { ACTIONS, renderBoard, symbolAt, type Action, type Board } from "./board.ts";

/** n numbers in [0, 1) from a turn's `chance`, for one purpose. [n] */
function drawsOf(chance: number, stream: string, n: number): Float64Array {
  return uniforms({ seed: chance, stream, iteration: 0, trajectory: 0, step: 0 }, n);
}

/** The actual moves: each goes in one of the three other directions with probability `slip`, uniformly. */
export function slipped(wanted: readonly Action[], slip: number, chance: number): Action[] {
  const draws = drawsOf(chance, "sokoban-slip", wanted.length); // [wanted]
  return wanted.map((action, i) => {
    const u = draws[i]!;
    if (u >= slip) return action;
    const others = ACTIONS.filter((other) => other !== action);
    return others[Math.floor((u / slip) * others.length)]!;
  });
}

/** What an inner cell without the player may be shown as. */
const SHOWN = ["#", "_", "O", "X", "√"];

/**
 * The board in RAGEN's symbols with each inner cell, except the player's own, replaced by another
 * symbol with this probability. It still parses as a board: the border and the player are shown
 * correctly.
 */
export function noisyBoard(board: Board, noise: number, chance: number): string {
  const { rows, cols, player } = board;
  const draws = drawsOf(chance, "sokoban-observation", rows * cols); // [rows * cols]
  const lines = renderBoard(board)
    .split("\n")
    .map((line) => [...line]);
  for (let cell = 0; cell < rows * cols; cell++) {
    const [r, c] = [Math.floor(cell / cols), cell % cols];
    const inner = r > 0 && c > 0 && r < rows - 1 && c < cols - 1;
    const u = draws[cell]!;
    if (!inner || cell === player || u >= noise) continue;
    const others = SHOWN.filter((symbol) => symbol !== symbolAt(board, cell));
    lines[r]![c] = others[Math.floor((u / noise) * others.length)]!;
  }
  return lines.map((line) => line.join("")).join("\n");
}
