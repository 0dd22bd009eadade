/**
 * RAGEN's levels, bit for bit: `reset(seed)` seeds CPython's `random` (topology, player jitter) and
 * NumPy's legacy generator (placement), then calls generate_room of `ragen/env/sokoban/utils.py`,
 * followed here.
 */
import { runWhole, type Sliced } from "../../numeric/sliced.ts";
import { InputError } from "../../numeric/inputError.ts";
import { ACTIONS, FLOOR, cellOffset, TARGET, WALL, type Board } from "./board.ts";
import { pythonRandom, type PythonRandom } from "../random/pythonRandom.ts";
import { reversePlay } from "./reversePlay.ts";
import { numpyRandint } from "../random/mt19937.ts";

export interface LevelOptions {
  /** [rows, columns] */
  size: readonly [number, number];
  boxes: number;
  /** Recursion budget of the reverse play. */
  searchDepth: number;
}

interface GeneratedLevel {
  board: Board;
  /** The seed that made it: the requested one, or the first retry that worked. */
  seed: number;
}

export const MAX_SEED = 0xffffffff;
/** Above it RAGEN itself fails: CPython's recursion limit is 1000. */
const MAX_DEPTH = 900;
const MAX_SIZE = 20;
const ROOMS_PER_SEED = 4;
const RETRIES = 200;

/**
 * The level of a seed. If RAGEN fails on a seed it continues with a seed from Python's salted
 * string hash, which differs between processes; ours is fixed: attempt n takes seed * 1000003 + n
 * modulo 2^32. Throws InputError on options out of range, and if no attempt gives a level.
 */
export function generateLevel(seed: number, options: LevelOptions): GeneratedLevel {
  return runWhole(generating(seed, options));
}

/** The same in slices: a large level takes a good part of a second. */
export function* generating(seed: number, options: LevelOptions): Sliced<GeneratedLevel> {
  checkOptions(seed, options);
  for (let attempt = 0; attempt <= RETRIES; attempt++) {
    const trySeed = attempt === 0 ? seed : (Math.imul(seed, 1000003) + attempt) >>> 0;
    const board = yield* tryRoom(trySeed, options);
    if (board) return { board, seed: trySeed };
  }
  const [rows, cols] = options.size;
  throw new InputError(
    `seed ${seed} gives no level of ${rows}x${cols} with ${options.boxes} boxes and search depth ` +
      `${options.searchDepth} in ${RETRIES} retries; a larger size or depth helps`,
  );
}

function checkOptions(
  seed: number,
  { size: [rows, cols], boxes, searchDepth }: LevelOptions,
): void {
  const within = (name: string, value: number, min: number, max: number) => {
    if (Number.isInteger(value) && value >= min && value <= max) return;
    throw new InputError(`${name} is ${value}; it must be a whole number from ${min} to ${max}`);
  };
  within("seed", seed, 0, MAX_SEED);
  within("size rows", rows, 3, MAX_SIZE);
  within("size columns", cols, 3, MAX_SIZE);
  within("search depth", searchDepth, 2, MAX_DEPTH);
  const room = (rows - 2) * (cols - 2) - 2;
  if (room < 1) throw new InputError(`size ${rows}x${cols} has no room for a player and a box`);
  within(`boxes in ${rows}x${cols}`, boxes, 1, room);
}

/** generate_room with one seed; null where RAGEN raises RuntimeError or RuntimeWarning. */
function* tryRoom(
  seed: number,
  { size: [rows, cols], boxes, searchDepth }: LevelOptions,
): Sliced<Board | null> {
  const random = pythonRandom(seed);
  const randint = numpyRandint(seed);
  for (let t = 0; t < ROOMS_PER_SEED; t++) {
    const fixed = topology(random, rows, cols);
    const placed = place(fixed, boxes, randint);
    if (!placed) return null;
    const { targets, player } = placed;
    const result = yield* reversePlay(fixed, cols, targets, player, searchDepth);
    if (result.displacement === 0) continue;
    const level = { rows, cols, fixed, player: result.player, boxes: sorted(result.boxes) };
    return { ...level, player: jitter(level, random, result.displacement === 1 ? 0.8 : 0.5) };
  }
  return null;
}

/** The 3x3 masks around the walker, row by row; `#` opens a cell. */
const MASKS = ["...###...", ".#..#..#.", "...##..#.", "...##.##.", "....##.#."];
/** Directions of the walk as [rows, columns]. */
const WALKS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
const P_TURN = 0.35;

/** room_topology_generation: a random walk stamps masks of floor; the border stays wall. */
function topology(random: PythonRandom, rows: number, cols: number): Uint8Array {
  const fixed = new Uint8Array(rows * cols);
  let direction = random.choice(WALKS);
  let row = 1 + random.below(rows - 1);
  let col = 1 + random.below(cols - 1);
  const steps = Math.trunc(1.7 * (rows + cols));
  for (let s = 0; s < steps; s++) {
    if (random.random() < P_TURN) direction = random.choice(WALKS);
    row = clamp(row + direction[0], rows - 2);
    col = clamp(col + direction[1], cols - 2);
    const mask = random.choice(MASKS);
    for (let i = 0; i < 9; i++) {
      const [r, c] = [row - 1 + Math.floor(i / 3), col - 1 + (i % 3)];
      const inside = r > 0 && c > 0 && r < rows - 1 && c < cols - 1;
      if (mask[i] === "#" && inside) fixed[r * cols + c] = FLOOR;
    }
  }
  return fixed;
}

function clamp(value: number, max: number): number {
  return Math.max(Math.min(value, max), 1);
}

/**
 * place_boxes_and_player: player, then targets, uniformly on free floor; null if there is not
 * enough floor.
 */
function place(fixed: Uint8Array, boxes: number, randint: (n: number) => number) {
  const free: number[] = [];
  fixed.forEach((kind, cell) => kind === FLOOR && free.push(cell));
  if (free.length <= boxes + 1) return null;
  const take = () => free.splice(randint(free.length), 1)[0]!;
  const player = take();
  const targets = sorted(Array.from({ length: boxes }, take));
  for (const cell of targets) fixed[cell] = TARGET;
  return { player, targets };
}

/**
 * add_random_player_movement: with probability `p`, one to three steps over free cells, never back.
 */
function jitter(board: Board, random: PythonRandom, p: number): number {
  let player = board.player;
  if (random.random() > p) return player;
  const been = [player];
  for (let step = 1; step <= 3; step++) {
    const cells = ACTIONS.map((action) => player + cellOffset(action, board.cols)).filter(
      (cell) => board.fixed[cell] !== WALL && !board.boxes.includes(cell) && !been.includes(cell),
    );
    if (cells.length === 0) break;
    player = random.choice(cells);
    been.push(player);
    if (step === 3 || random.random() > 0.5) break;
  }
  return player;
}

function sorted(cells: readonly number[]): number[] {
  return [...cells].sort((a, b) => a - b);
}
