/** How near a Sokoban board is to its solution, by exact search. */
import { boardKey, type Board } from "./board.ts";
import { distanceToGo } from "./solver.ts";

/** Boards remembered; beyond it all are forgotten and searched again. */
const MOST_KNOWN = 65_536;

/**
 * Phi(board) = -(fewest moves to the solution), 0 when solved. A board with no solution, or one of more than `limit`
 * moves, is at the floor -(limit + 1): no board is lower, so that a deadlock costs no more than being out of reach.
 * Boards are remembered: rollouts of one level meet the same ones again and again.
 * @throws InputError when a board is too hard for the solver.
 */
export function sokobanPotential(limit: number): (board: Board) => number {
  const known = new Map<string, number>();
  return (board) => {
    const key = boardKey(board);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= MOST_KNOWN) known.clear();
    const moves = Math.min(limit + 1, distanceToGo(board) ?? Infinity);
    const potential = moves === 0 ? 0 : -moves; // not -0
    known.set(key, potential);
    return potential;
  };
}
