/**
 * One action on a board and what it pays, as in gym-sokoban (`gym_sokoban/envs/sokoban_env.py`,
 * step and _calc_reward).
 */
import { boxesOnTarget, isSolved, stepOf, WALL, type Action, type Board } from "./board.ts";

/**
 * Moves the player, pushing a box where one is in the way and free to go.
 * An action that changes nothing returns the same object.
 */
export function move(board: Board, action: Action): Board {
  const step = stepOf(action, board.cols);
  const next = board.player + step;
  if (board.fixed[next] === WALL) return board;
  if (!board.boxes.includes(next)) return { ...board, player: next };
  const behind = next + step;
  if (board.fixed[behind] === WALL || board.boxes.includes(behind)) return board;
  const boxes = board.boxes.map((cell) => (cell === next ? behind : cell)).sort((a, b) => a - b);
  return { ...board, player: next, boxes };
}

/**
 * Reward of one step in tenths, so that sums stay exact: -1 always, +10 or -10 when the number of
 * filled targets rose or fell, +100 when none is left. gym-sokoban remembers 0 filled targets at
 * reset whatever the board, which pays a spurious +1 on imported levels; ours counts from the
 * board, and passing `before = 0` gives theirs.
 */
export function rewardTenths(before: number, after: number, solved: boolean): number {
  return -1 + 10 * Math.sign(after - before) + (solved ? 100 : 0);
}

export interface Played {
  board: Board;
  /** The actions that were executed: all, or those up to the one that solved the level. */
  actions: Action[];
  /** Sum of their rewards. */
  reward: number;
  solved: boolean;
}

/**
 * Executes actions until the level is solved; RAGEN's `es_manager.py` drops the rest of the turn
 * then.
 */
export function play(start: Board, actions: readonly Action[]): Played {
  let board = start;
  let tenths = 0;
  const done: Action[] = [];
  let solved = false;
  for (const action of actions) {
    const next = move(board, action);
    solved = isSolved(next);
    tenths += rewardTenths(boxesOnTarget(board), boxesOnTarget(next), solved);
    done.push(action);
    board = next;
    if (solved) break;
  }
  return { board, actions: done, reward: tenths / 10, solved };
}
