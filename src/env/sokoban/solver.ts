/**
 * Solutions with the fewest moves: A* over (player, boxes) that never pushes a box onto a dead
 * square. Of all shortest solutions, it returns the one that a breadth-first search with neighbour
 * order Up, Down, Left, Right finds first: the lexicographically first in that order.
 */
import { textOfCodes } from "../../numeric/lists.ts";
import { runWhole, type Sliced } from "../../numeric/sliced.ts";
import { InputError } from "../../numeric/inputError.ts";
import {
  ACTIONS,
  isSolved,
  type Action,
  type Board,
  FLOOR,
  TARGET,
  WALL,
  cellOffset,
  boardKey,
} from "./board.ts";
import { move } from "./dynamics.ts";

interface SolverOptions {
  /** Maximum number of distinct states to search. */
  maxStates?: number;
}

const MAX_STATES = 1_000_000;
/** States searched between two yields. */
const STATES_AT_ONCE = 512;

/**
 * Actions of the shortest solution, or null if there is none. Throws InputError beyond `maxStates`.
 */
export function solveActions(board: Board, options: SolverOptions = {}): Action[] | null {
  return runWhole(solving(board, options));
}

/** The same in slices. */
export function* solving(board: Board, options: SolverOptions = {}): Sliced<Action[] | null> {
  const bound = lowerBound(board);
  const length = yield* shortestLength(board, bound, options);
  return length === null ? null : yield* firstPath(board, bound, length);
}

/** The same as a LURD string: lower case moves, upper case pushes. */
export function solveLurd(board: Board, options: SolverOptions = {}): string | null {
  const actions = solveActions(board, options);
  return actions && toLurd(board, actions);
}

/** Fewest moves to the solution from here: 0 if solved, null if it can no longer be solved. */
export function distanceToGo(board: Board, options: SolverOptions = {}): number | null {
  return runWhole(shortestLength(board, lowerBound(board), options));
}

/** Writes actions as a LURD string: a push is where the boxes changed. */
export function toLurd(start: Board, actions: readonly Action[]): string {
  let board = start;
  let lurd = "";
  for (const action of actions) {
    const next = move(board, action);
    lurd += next.boxes === board.boxes ? action[0]!.toLowerCase() : action[0]!;
    board = next;
  }
  return lurd;
}

type LowerBound = (board: Board) => number;

/**
 * Minimum number of pushes that the boxes need: never an overestimate, and changes by at most 1 per
 * move.
 */
function lowerBound(level: Board): LowerBound {
  const distance = pushDistances(level);
  return (board) => board.boxes.reduce((sum, cell) => sum + distance[cell]!, 0);
}

function keyOf(board: Board): string {
  return textOfCodes([board.player, ...board.boxes]);
}

/** A*: states in order of (moves so far + bound), the deepest first among equals. */
function* shortestLength(
  start: Board,
  bound: LowerBound,
  options: SolverOptions,
): Sliced<number | null> {
  let looked = 0;
  const best = new Map<string, number>([[keyOf(start), 0]]);
  const open: { board: Board; moves: number }[][] = [];
  const add = (board: Board, moves: number) => {
    const estimate = moves + bound(board);
    if (estimate !== Infinity) (open[estimate] ??= []).push({ board, moves });
  };
  add(start, 0);
  // `open` grows during the loop: an estimate is never below its parent's.
  for (let estimate = 0; estimate < open.length; estimate++) {
    const level = open[estimate];
    for (let node = level?.pop(); node; node = level?.pop()) {
      const { board, moves } = node;
      if (++looked % STATES_AT_ONCE === 0) yield;
      if (best.get(keyOf(board))! < moves) continue;
      if (isSolved(board)) return moves;
      for (const action of ACTIONS) {
        const next = move(board, action);
        const key = keyOf(next);
        if ((best.get(key) ?? Infinity) <= moves + 1) continue;
        best.set(key, moves + 1);
        add(next, moves + 1);
      }
      checkStates(best.size, options);
    }
  }
  return null;
}

function checkStates(count: number, { maxStates = MAX_STATES }: SolverOptions): void {
  if (count <= maxStates) return;
  throw new InputError(`the level is too hard for the solver: it looked at ${maxStates} states`);
}

/** A state on the path to the solution, and the next direction to try. */
interface SearchStep {
  board: Board;
  next: number;
}

/** The first solution of exactly `length` moves, trying Up, Down, Left, Right at each step. */
function* firstPath(start: Board, bound: LowerBound, length: number): Sliced<Action[]> {
  // The fewest moves after which a state was found not to lead to the end in time.
  const failedAfter = new Map<string, number>();
  const path: SearchStep[] = [];
  const enter = (board: Board): void => {
    const [key, moves] = [keyOf(board), path.length];
    if (moves + bound(board) > length || (failedAfter.get(key) ?? Infinity) <= moves) return;
    failedAfter.set(key, moves);
    path.push({ board, next: 0 });
  };
  enter(start);
  for (let looked = 1; path.length > 0; looked++) {
    if (looked % STATES_AT_ONCE === 0) yield;
    const step = path.at(-1)!;
    if (isSolved(step.board)) return actionsOf(path);
    const action = ACTIONS[step.next++];
    if (action === undefined) path.pop();
    else {
      const next = move(step.board, action);
      if (next !== step.board) enter(next);
    }
  }
  throw new Error(`no solution of ${length} moves, although A* found one`);
}

/** The direction taken from each state except the last. */
function actionsOf(path: readonly SearchStep[]): Action[] {
  return path.slice(0, -1).map(({ next }) => ACTIONS[next - 1]!);
}

/**
 * Fewest pushes from each cell to the nearest goal, ignoring other boxes; Infinity if a box there
 * is stuck. Computed by pulling from the goals: a pull needs the box's new cell and one more behind
 * it for the player.
 */
function pushDistances({ fixed, cols }: Pick<Board, "fixed" | "cols">): Float64Array {
  const distance = new Float64Array(fixed.length).fill(Infinity);
  const queue: number[] = [];
  fixed.forEach((kind, cell) => kind === TARGET && queue.push(cell));
  for (const cell of queue) distance[cell] = 0;
  for (const cell of queue) {
    for (const action of ACTIONS) {
      const from = cell + cellOffset(action, cols);
      const player = from + cellOffset(action, cols);
      const free = fixed[from] !== WALL && (fixed[player] ?? WALL) !== WALL;
      if (!free || distance[from] !== Infinity) continue;
      distance[from] = distance[cell]! + 1;
      queue.push(from);
    }
  }
  return distance;
}

/** Floor cells from which a box can never reach a goal, ascending. */
export function deadSquares(board: Board): number[] {
  const distance = pushDistances(board);
  return [...distance.keys()].filter(
    (cell) => board.fixed[cell] === FLOOR && distance[cell] === Infinity,
  );
}

/** Maximum cached boards; beyond it the cache is cleared. */
const MOST_KNOWN = 65_536;

/**
 * Phi(board) = -(fewest moves to the solution), 0 if solved. A board with no solution, or one of
 * more than `limit` moves, has the minimum -(limit + 1), so that a deadlock costs no more than
 * being out of reach. Boards are cached: rollouts of one level reach the same ones again and again.
 * @throws InputError if a board is too hard for the solver.
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
