/**
 * Maps of FrozenLake: Gymnasium's two, custom ones written as text, and random ones with a path to
 * the goal.
 */
import { InputError, show } from "../../numeric/inputError.ts";
import { Draws } from "../webshop/draws.ts";
import { checkNumber, checkWhole } from "../checks.ts";

/** Rows of S start, F frozen, H hole, G goal; all of the same length. */
export type LakeMap = readonly string[];

export interface RandomMapOptions {
  /** Rows and columns. */
  size: number;
  /** Probability that a tile is frozen rather than a hole. */
  frozenProbability: number;
  /** Start top left and goal bottom right (Gymnasium), or both anywhere (RAGEN). */
  ends: "corners" | "anywhere";
}

/**
 * Directions in Gymnasium's order: the player slips to a direction's two neighbours in this circle.
 */
export const DIRECTIONS = ["Left", "Down", "Right", "Up"] as const;
export type Direction = (typeof DIRECTIONS)[number];

const STEPS: Record<Direction, readonly [number, number]> = {
  Left: [0, -1],
  Down: [1, 0],
  Right: [0, 1],
  Up: [-1, 0],
};

/** Gymnasium's named maps (`gymnasium/envs/toy_text/frozen_lake.py`). */
const NAMED: Record<string, string> = {
  "4x4": "SFFF/FHFH/FFFH/HFFG",
  "8x8": "SFFFFFFF/FFFFFFFF/FFFHFFFF/FFFFFHFF/FFFHFFFF/FHHFFFHF/FHFFHFHF/FFFHFFFG",
};

const MAX_SIZE = 20;
const ATTEMPTS = 1000;

/**
 * The map of a name, or of rows joined by slashes, such as SFF/FHF/FFG.
 * @throws InputError if it is invalid.
 */
export function readMap(text: string): LakeMap {
  const rows = (Object.hasOwn(NAMED, text) ? NAMED[text]! : text).split("/");
  const all = rows.join("");
  const even = rows.every((row) => row.length === rows[0]!.length) && rows.length <= MAX_SIZE;
  const ends = [..."SG"].every((end) => all.split(end).length === 2);
  if (even && ends && rows[0]!.length <= MAX_SIZE && /^[SFHG]+$/.test(all)) return rows;
  throw new InputError(
    `map is ${show(text)}; allowed: ${Object.keys(NAMED).join(", ")}, random, or at most ${MAX_SIZE} ` +
      "rows of equal length joined by / in the letters S F H G, with one S and one G",
  );
}

/** @throws InputError naming the option out of range. */
export function checkMapOptions({ size, frozenProbability, ends }: RandomMapOptions): void {
  checkWhole("size", size, 2, MAX_SIZE);
  checkNumber("frozenProbability", frozenProbability, 0, 1);
  if (ends !== "corners" && ends !== "anywhere") {
    throw new InputError(`ends is ${show(ends)}; allowed: corners, anywhere`);
  }
}

/**
 * The random map of a seed: tiles are drawn until the goal can be reached.
 * @throws InputError if no attempt gives such a map.
 */
export function randomMap(seed: number, options: RandomMapOptions): LakeMap {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const key = { seed, stream: "frozen-lake-map", iteration: attempt, trajectory: 0, step: 0 };
    const map = drawMap(new Draws(key), options);
    if (map && canReach(map)) return map;
  }
  throw new InputError(
    `frozenProbability is ${options.frozenProbability}; seed ${seed} gives no ` +
      `${options.size}x${options.size} map with a way to the goal in ${ATTEMPTS} attempts`,
  );
}

/** null if start and goal are the same tile. */
function drawMap(
  draws: Draws,
  { size, frozenProbability, ends }: RandomMapOptions,
): LakeMap | null {
  const count = size * size;
  const tiles = Array.from({ length: count }, (): string =>
    draws.number() < frozenProbability ? "F" : "H",
  ); // [size * size]
  const [start, goal] =
    ends === "corners" ? [0, count - 1] : [draws.below(count), draws.below(count)];
  if (start === goal) return null;
  tiles[start] = "S";
  tiles[goal] = "G";
  return Array.from({ length: size }, (_, row) =>
    tiles.slice(row * size, (row + 1) * size).join(""),
  );
}

/** Tiles are numbered row by row. */
export function startOf(map: LakeMap): number {
  return map.join("").indexOf("S");
}

export function tileAt(map: LakeMap, tile: number): string {
  return map.join("")[tile]!;
}

/** The tile that a step leads to; at the edge the player stays. */
export function neighbour(map: LakeMap, tile: number, direction: Direction): number {
  const columns = map[0]!.length;
  const [down, right] = STEPS[direction];
  const row = Math.floor(tile / columns) + down;
  const column = (tile % columns) + right;
  const outside = row < 0 || row >= map.length || column < 0 || column >= columns;
  return outside ? tile : row * columns + column;
}

/** Whether the goal can be reached from the start without crossing a hole. */
export function canReach(map: LakeMap): boolean {
  const open = [startOf(map)];
  const seen = new Set(open);
  for (let tile = open.pop(); tile !== undefined; tile = open.pop()) {
    if (tileAt(map, tile) === "G") return true;
    for (const direction of DIRECTIONS) {
      const next = neighbour(map, tile, direction);
      if (seen.has(next) || tileAt(map, next) === "H") continue;
      seen.add(next);
      open.push(next);
    }
  }
  return false;
}
