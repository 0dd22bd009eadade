/**
 * Reverse play: from the solved room the player pulls boxes off their targets, depth first, and the
 * state with the best score becomes the level. Rules of RAGEN's `ragen/env/sokoban/utils.py`
 * (reverse_playing, depth_first_search, reverse_move), which always pulls a box directly behind the
 * player.
 */
import type { Sliced } from "../../numeric/sliced.ts";
import { ACTIONS, cellOffset, TARGET, WALL } from "./board.ts";

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

/** A set of short rows of small integers: hundreds of thousands of them, without a string for each. */

const FIRST_ROWS = 1024;

class StateSet {
  #width: number;
  /** The rows in insertion order. [capacity, width] */
  #rows: Uint16Array;
  /** 1 + the row that hashes here, 0 for an empty slot; at most half of the slots are used. [2 x capacity] */
  #places: Int32Array;
  #size = 0;

  constructor(width: number) {
    this.#width = width;
    this.#rows = new Uint16Array(FIRST_ROWS * width);
    this.#places = new Int32Array(2 * FIRST_ROWS);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether the row is new. */
  add(row: Uint16Array): boolean {
    const mask = this.#places.length - 1;
    let place = hashOf(row, 0, this.#width) & mask;
    for (let at = this.#places[place]!; at !== 0; at = this.#places[place]!) {
      if (this.#equals(row, (at - 1) * this.#width)) return false;
      place = (place + 1) & mask;
    }
    const start = this.#size * this.#width;
    for (let i = 0; i < this.#width; i++) this.#rows[start + i] = row[i]!;
    this.#places[place] = ++this.#size;
    if (2 * this.#size >= this.#places.length) this.#grow();
    return true;
  }

  #equals(row: Uint16Array, start: number): boolean {
    for (let i = 0; i < this.#width; i++) if (this.#rows[start + i] !== row[i]) return false;
    return true;
  }

  #grow(): void {
    const rows = new Uint16Array(2 * this.#rows.length);
    rows.set(this.#rows);
    this.#rows = rows;
    this.#places = new Int32Array(2 * this.#places.length);
    const mask = this.#places.length - 1;
    for (let n = 0; n < this.#size; n++) {
      let place = hashOf(rows, n * this.#width, this.#width) & mask;
      while (this.#places[place] !== 0) place = (place + 1) & mask;
      this.#places[place] = n + 1;
    }
  }
}

/** FNV-1a over the numbers, mixed so that the low bits depend on all of them. */
function hashOf(numbers: Uint16Array, start: number, width: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < start + width; i++) hash = Math.imul(hash ^ numbers[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}
