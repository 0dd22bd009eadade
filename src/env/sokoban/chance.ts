/**
 * What chance does in Sokoban where it is asked for: moves that slip, and cells that are shown wrongly. All follows from one
 * number a turn, so that a turn with the same number comes out the same.
 */
import { uniforms } from "../../numeric/rng.ts";
import { ACTIONS, renderBoard, symbolAt, type Action, type Board } from "./board.ts";

/** n numbers in [0, 1) of a turn's chance, for one purpose. [n] */
function drawsOf(chance: number, stream: string, n: number): Float64Array {
  return uniforms({ seed: chance, stream, iteration: 0, trajectory: 0, step: 0 }, n);
}

/** Where moves really go: each with probability `slip` in one of the three other directions, all alike. */
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
 * The board in RAGEN's symbols with each inner cell, but the player's own, shown as something else with this probability. It
 * still reads as a board: the border and the player are shown as they are.
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
