/**
 * Reverse play: from the solved room the player pulls boxes off their targets, depth first, and the
 * best scoring state becomes the level. Rules of RAGEN's `ragen/env/sokoban/utils.py`
 * (reverse_playing, depth_first_search, reverse_move), which always pulls a box that stands
 * directly behind the player.
 */
import { ACTIONS, stepOf, TARGET, WALL } from "./board.ts";

/** RAGEN stops looking at this many distinct states. */
const MAX_STATES = 300_000;

interface Pulled {
  player: number;
  /** Where the box of each target stands now. [boxes] */
  boxes: number[];
  /**
   * Whether that box has ever been pulled: RAGEN's grid then shows 3 instead of 4, so its states
   * differ.
   */
  touched: boolean[];
}

export interface ReverseResult {
  player: number;
  /** Box of each target. [boxes] */
  boxes: number[];
  /** Sum of Manhattan distances between the boxes and their own targets. */
  displacement: number;
}

/**
 * Searches from boxes on `targets` (ascending) and the given player; `searchDepth` of at least 2.
 */
export function reversePlay(
  fixed: Uint8Array,
  cols: number,
  targets: readonly number[],
  player: number,
  searchDepth: number,
): ReverseResult {
  const seen = new Set<string>();
  let bestScore = -1;
  let best: ReverseResult | undefined;
  const steps = ACTIONS.map((action) => stepOf(action, cols));

  const search = (state: Pulled, swaps: number, lastPulled: number, ttl: number): void => {
    ttl -= 1;
    if (ttl <= 0 || seen.size >= MAX_STATES) return;
    const key = keyOf(state);
    if (seen.has(key)) return;
    seen.add(key);
    const displacement = displacementOf(state.boxes, targets, cols);
    const score = allTargetsEmpty(state, fixed) ? swaps * displacement : 0;
    if (score > bestScore) {
      bestScore = score;
      best = { player: state.player, boxes: state.boxes, displacement };
    }
    for (const step of steps) {
      const { next, pulled } = pull(state, step, fixed);
      const box = pulled < 0 ? lastPulled : pulled;
      search(next, swaps + (box === lastPulled ? 0 : 1), box, ttl);
    }
  };
  const touched = targets.map(() => false);
  search({ player, boxes: [...targets], touched }, 0, -1, searchDepth);
  return best!;
}

/**
 * One reverse step: the player moves to a free cell, and a box behind it follows. `pulled` is its
 * target's index or -1.
 */
function pull(state: Pulled, step: number, fixed: Uint8Array): { next: Pulled; pulled: number } {
  const to = state.player + step;
  if (fixed[to] === WALL || state.boxes.includes(to)) return { next: state, pulled: -1 };
  const pulled = state.boxes.indexOf(state.player - step);
  if (pulled < 0) return { next: { ...state, player: to }, pulled };
  const boxes = state.boxes.slice();
  const touched = state.touched.slice();
  boxes[pulled] = state.player;
  touched[pulled] = true;
  return { next: { player: to, boxes, touched }, pulled };
}

/** Equal where RAGEN's grids are equal: which box belongs to which target does not show. */
function keyOf({ player, boxes, touched }: Pulled): string {
  const codes = boxes.map((cell, i) => cell * 2 + (touched[i] ? 1 : 0)).sort((a, b) => a - b);
  return String.fromCharCode(player, ...codes);
}

/** No box on any target, and the player on none. */
function allTargetsEmpty({ player, boxes }: Pulled, fixed: Uint8Array): boolean {
  return fixed[player] !== TARGET && boxes.every((cell) => fixed[cell] !== TARGET);
}

function displacementOf(
  boxes: readonly number[],
  targets: readonly number[],
  cols: number,
): number {
  let sum = 0;
  boxes.forEach((box, i) => {
    const target = targets[i]!;
    sum += Math.abs(Math.floor(box / cols) - Math.floor(target / cols));
    sum += Math.abs((box % cols) - (target % cols));
  });
  return sum;
}
