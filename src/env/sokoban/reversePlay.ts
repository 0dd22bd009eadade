/**
 * Reverse play: from the solved room the player pulls boxes off their targets, depth first, and the
 * state with the best score becomes the level. Rules of RAGEN's `ragen/env/sokoban/utils.py`
 * (reverse_playing, depth_first_search, reverse_move), which always pulls a box directly behind the
 * player.
 */
import type { Sliced } from "../../numeric/sliced.ts";
import { ACTIONS, cellOffset, TARGET, WALL } from "./board.ts";
import { StateSet } from "./stateSet.ts";

/** RAGEN stops looking at this many distinct states. */
const MAX_STATES = 300_000;
/** Moves tried between two yields. */
const MOVES_AT_ONCE = 2048;

interface Pulled {
  player: number;
  /** Current cell of each target's box. [boxes] */
  boxes: Int16Array;
  /** 1 if that box has ever been pulled: RAGEN's grid then shows 3 instead of 4, so its states differ. [boxes] */
  touched: Uint8Array;
  /** How often the pulled box changed. */
  swaps: number;
  /** Target of the box that was pulled last; -1 before the first. */
  lastPulled: number;
  /** Next direction to try. */
  step: number;
}

interface ReverseResult {
  player: number;
  /** Box of each target. [boxes] */
  boxes: number[];
  /** Sum of Manhattan distances between the boxes and their own targets. */
  displacement: number;
}

/**
 * Searches from boxes on `targets` (ascending) and the given player; `searchDepth` of at least 2.
 * The states on the path to the current one are on an explicit stack, so that the search can pause
 * anywhere.
 */
export function* reversePlay(
  fixed: Uint8Array,
  cols: number,
  targets: readonly number[],
  player: number,
  searchDepth: number,
): Sliced<ReverseResult> {
  const steps = ACTIONS.map((action) => cellOffset(action, cols));
  const seen = new StateSet(targets.length + 1);
  const key = new Uint16Array(targets.length + 1);
  const path = [rootOf(player, targets)];
  let bestScore = -1;
  let best: ReverseResult | undefined;
  /** Enters the state at this depth; returns whether it is new. */
  const enter = (depth: number): boolean => {
    const state = path[depth]!;
    writeKey(state, key);
    if (!seen.add(key)) return false;
    const displacement = displacementOf(state.boxes, targets, cols);
    const score = allTargetsEmpty(state, fixed) ? state.swaps * displacement : 0;
    if (score > bestScore) {
      bestScore = score;
      best = { player: state.player, boxes: [...state.boxes], displacement };
    }
    return true;
  };
  enter(0);
  let moves = 0;
  for (let depth = 0; depth >= 0 && seen.size < MAX_STATES;) {
    if (++moves % MOVES_AT_ONCE === 0) yield;
    const state = path[depth]!;
    if (state.step === steps.length) depth -= 1;
    else {
      const step = steps[state.step++]!;
      // The root is at depth 0 and uses one unit of the budget, the deepest state has one left.
      if (depth + 2 >= searchDepth) continue;
      const next = (path[depth + 1] ??= rootOf(player, targets));
      if (pull(state, step, fixed, next) && enter(depth + 1)) depth += 1;
    }
  }
  return best!;
}

function rootOf(player: number, targets: readonly number[]): Pulled {
  const boxes = Int16Array.from(targets);
  const touched = new Uint8Array(targets.length);
  return { player, boxes, touched, swaps: 0, lastPulled: -1, step: 0 };
}

/**
 * One reverse step, written into `next`: the player moves to a free cell, and a box behind it
 * follows. False if it cannot move.
 */
function pull(state: Pulled, step: number, fixed: Uint8Array, next: Pulled): boolean {
  const to = state.player + step;
  if (fixed[to] === WALL || boxAt(state, to) >= 0) return false;
  next.player = to;
  for (let i = 0; i < state.boxes.length; i++) {
    next.boxes[i] = state.boxes[i]!;
    next.touched[i] = state.touched[i]!;
  }
  next.swaps = state.swaps;
  next.lastPulled = state.lastPulled;
  next.step = 0;
  const pulled = boxAt(state, state.player - step);
  if (pulled < 0) return true;
  next.boxes[pulled] = state.player;
  next.touched[pulled] = 1;
  next.swaps += pulled === state.lastPulled ? 0 : 1;
  next.lastPulled = pulled;
  return true;
}

/**
 * Target of the box on this cell, or -1. A loop: called millions of times with a few boxes each.
 */
function boxAt({ boxes }: Pulled, cell: number): number {
  for (let i = 0; i < boxes.length; i++) if (boxes[i] === cell) return i;
  return -1;
}

/** Equal if RAGEN's grids are equal: which box belongs to which target is not visible. */
function writeKey({ player, boxes, touched }: Pulled, key: Uint16Array): void {
  key[0] = player;
  for (let i = 0; i < boxes.length; i++) {
    const code = boxes[i]! * 2 + touched[i]!;
    let at = i + 1;
    for (; at > 1 && key[at - 1]! > code; at--) key[at] = key[at - 1]!;
    key[at] = code;
  }
}

/** No box on any target, and the player on none. */
function allTargetsEmpty({ player, boxes }: Pulled, fixed: Uint8Array): boolean {
  if (fixed[player] === TARGET) return false;
  for (let i = 0; i < boxes.length; i++) if (fixed[boxes[i]!] === TARGET) return false;
  return true;
}

function displacementOf(boxes: Int16Array, targets: readonly number[], cols: number): number {
  let sum = 0;
  for (let i = 0; i < boxes.length; i++) {
    const [box, target] = [boxes[i]!, targets[i]!];
    sum += Math.abs(Math.floor(box / cols) - Math.floor(target / cols));
    sum += Math.abs((box % cols) - (target % cols));
  }
  return sum;
}
