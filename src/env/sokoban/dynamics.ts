/**
 * One action on a board and its reward, as in gym-sokoban (`gym_sokoban/envs/sokoban_env.py`, step
 * and _calc_reward).
 */
import { boxesOnTarget, isSolved, cellOffset, WALL, type Action, type Board } from "./board.ts";

/**
 * Moves the player, pushing a box if one is in the way and can move. An action that changes nothing
 * returns the same object.
 */
export function move(board: Board, action: Action): Board {
  const step = cellOffset(action, board.cols);
  const next = board.player + step;
  if (board.fixed[next] === WALL) return board;
  if (!board.boxes.includes(next)) return { ...board, player: next };
  const behind = next + step;
  if (board.fixed[behind] === WALL || board.boxes.includes(behind)) return board;
  const boxes = board.boxes.map((cell) => (cell === next ? behind : cell)).sort((a, b) => a - b);
  return { ...board, player: next, boxes };
}

/** The configurable parts of the reward; the rest is gym-sokoban's own. */
interface Pay {
  /** Added for every action; gym-sokoban's penalty_for_step. */
  stepCost: number;
  /** Added when no target is left; gym-sokoban's reward_finished. */
  successBonus: number;
}

export const GYM_PAY: Pay = { stepCost: -0.1, successBonus: 10 };

/** Rewards are counted in integer millionths, so that sums stay exact. */
const UNITS = 1e6;

/**
 * Reward of one step in millionths: always the step cost, +1 or -1 if the number of filled targets
 * rose or fell, the bonus if none is left. gym-sokoban remembers 0 filled targets at reset whatever
 * the board, which pays a spurious +1 on imported levels; ours counts from the board, and passing
 * `before = 0` gives theirs.
 */
export function rewardUnits(
  before: number,
  after: number,
  solved: boolean,
  { stepCost, successBonus }: Pay = GYM_PAY,
): number {
  const bonus = solved ? Math.round(UNITS * successBonus) : 0;
  return Math.round(UNITS * stepCost) + UNITS * Math.sign(after - before) + bonus;
}

/** Millionths as a reward. */
export const rewardOf = (units: number): number => units / UNITS;

interface Played {
  board: Board;
  /** The executed actions: all, or those up to the one that solved the level. */
  actions: Action[];
  /** Sum of their rewards. */
  reward: number;
  solved: boolean;
}

/**
 * Executes actions until the level is solved; RAGEN's `es_manager.py` then drops the rest of the
 * turn.
 */
export function play(start: Board, actions: readonly Action[], pay: Pay = GYM_PAY): Played {
  let board = start;
  let units = 0;
  const done: Action[] = [];
  let solved = false;
  for (const action of actions) {
    const next = move(board, action);
    solved = isSolved(next);
    units += rewardUnits(boxesOnTarget(board), boxesOnTarget(next), solved, pay);
    done.push(action);
    board = next;
    if (solved) break;
  }
  return { board, actions: done, reward: rewardOf(units), solved };
}
