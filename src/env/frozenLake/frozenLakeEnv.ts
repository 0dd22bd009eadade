/**
 * FrozenLake as a text environment: Gymnasium's rules (`gymnasium/envs/toy_text/frozen_lake.py`) with
 * RAGEN's symbols and turns of several actions (`ragen/env/frozen_lake`), and GEM's prompt texts.
 */
import { uniform } from "../../numeric/rng.ts";
import type { Environment, ResetResult, StepResult } from "../environment.ts";
import { checkNumber, checkWhole } from "../checks.ts";
import { parseResponse } from "../sokoban/parseResponse.ts";
import type { PromptInfo } from "../wrappers/observationHistory.ts";
import {
  checkMapOptions,
  DIRECTIONS,
  neighbour,
  randomMap,
  readMap,
  startOf,
  tileAt,
  type Direction,
  type LakeMap,
  type RandomMapOptions,
} from "./lakeMap.ts";

interface FrozenLakeOptions extends RandomMapOptions {
  /** "4x4", "8x8", "random" (a different one for each seed), or rows joined by slashes. */
  map: string;
  /** Whether the player may slip to either side of the intended direction. */
  slippery: boolean;
  /** Probability of moving in the intended direction; the rest is split between the two sides. */
  successRate: number;
  /** Further names in one response are dropped. */
  maxActionsPerTurn: number;
  maxActions: number;
  maxTurns: number;
  /** Added once to the reward of a turn with an unknown name or without any known one. */
  formatPenalty: number;
  /** Whether a response must have a think block before its answer block. */
  think: boolean;
  /** Members of one group play the same map; different members slip differently. */
  member: number;
}

/** Gymnasium's FrozenLake-v1. */
export const FROZEN_LAKE_DEFAULTS: FrozenLakeOptions = {
  map: "4x4",
  size: 8,
  frozenProbability: 0.8,
  ends: "corners",
  slippery: true,
  successRate: 1 / 3,
  maxActionsPerTurn: 5,
  maxActions: 100,
  maxTurns: 100,
  formatPenalty: -0.1,
  think: false,
  member: 0,
};

/** RAGEN's FrozenLake, with the limits of its base configuration. */
export const RAGEN_FROZEN_LAKE: FrozenLakeOptions = {
  ...FROZEN_LAKE_DEFAULTS,
  map: "random",
  size: 4,
  frozenProbability: 0.9,
  ends: "anywhere",
  successRate: 0.8,
  maxActionsPerTurn: 2,
  maxActions: 10,
  maxTurns: 5,
};

interface FrozenLakeInfo extends PromptInfo {
  /** The directions tried in this turn. */
  actions: Direction[];
  /** The actual directions; they differ after a slip. */
  moves: Direction[];
  envReward: number;
  /** 0, or the option of that name. */
  formatPenalty: number;
  /** For a played turn: whether it was well formed, whatever the penalty is. */
  wellFormed?: boolean;
  success: boolean;
  actionsLeft: number;
  turnsLeft: number;
}

interface FrozenLakeSnapshot {
  seed: number;
  map: string[];
  /** The player's tile, numbered row by row. */
  tile: number;
  actionsLeft: number;
  turnsLeft: number;
  ended: boolean;
}

const NO_STATE: FrozenLakeSnapshot = {
  seed: 0,
  map: [],
  tile: 0,
  actionsLeft: 0,
  turnsLeft: 0,
  ended: true,
};

const LIMIT = 2 ** 32 - 1;

export class FrozenLakeEnv implements Environment<FrozenLakeInfo, FrozenLakeSnapshot> {
  readonly options: FrozenLakeOptions;
  #state = NO_STATE;

  /** @throws InputError naming the invalid option. */
  constructor(options: Partial<FrozenLakeOptions> = {}) {
    this.options = { ...FROZEN_LAKE_DEFAULTS, ...options };
    checkOptions(this.options);
  }

  reset(seed: number): ResetResult<FrozenLakeInfo> {
    checkWhole("seed", seed, 0, Number.MAX_SAFE_INTEGER);
    const { map: name, maxActions, maxTurns } = this.options;
    const map = name === "random" ? randomMap(seed, this.options) : readMap(name);
    const left = { actionsLeft: maxActions, turnsLeft: maxTurns };
    this.#state = { seed, map: [...map], tile: startOf(map), ...left, ended: false };
    return { observation: this.#observation(), info: this.#info([], [], 0) };
  }

  /** Without `chance`, slips follow from the episode's seed and the index of the action. */
  step(text: string, chance?: number): StepResult<FrozenLakeInfo> {
    if (this.#state.ended) throw new Error("the episode has ended: call reset first");
    const { known, wellFormed, penalty } = this.read(text);
    const moves = this.#walk(known, chance);
    this.#state.turnsLeft -= 1;
    const { tile, map, actionsLeft, turnsLeft } = this.#state;
    const terminated = isEnd(map, tile);
    const truncated = !terminated && (actionsLeft === 0 || turnsLeft === 0);
    this.#state.ended = terminated || truncated;
    const info = { ...this.#info(known.slice(0, moves.length), moves, penalty), wellFormed };
    const reward = info.envReward + info.formatPenalty;
    return { observation: this.#observation(), reward, terminated, truncated, info };
  }

  /** The directions that a response names, and the penalty for any other name or for none. */
  read(text: string): { known: Direction[]; wellFormed: boolean; penalty: number } {
    const { think, maxActionsPerTurn, formatPenalty } = this.options;
    const { names } = parseResponse(text, think, maxActionsPerTurn);
    const known = names.map(directionNamed).filter((name) => name !== undefined);
    const wellFormed = known.length > 0 && known.length === names.length;
    return { known, wellFormed, penalty: wellFormed ? 0 : formatPenalty };
  }

  snapshot(): FrozenLakeSnapshot {
    return structuredClone(this.#state);
  }

  restore(snapshot: FrozenLakeSnapshot): void {
    this.#state = structuredClone(snapshot);
  }

  /**
   * Moves until the actions, the budget or the lake ends; returns the actual direction of each
   * step.
   */
  #walk(wanted: Direction[], chance?: number): Direction[] {
    const state = this.#state;
    const moves: Direction[] = [];
    for (const direction of wanted) {
      if (state.actionsLeft === 0 || isEnd(state.map, state.tile)) break;
      const move = this.#slip(direction, moves.length, chance);
      moves.push(move);
      state.tile = neighbour(state.map, state.tile, move);
      state.actionsLeft -= 1;
    }
    return moves;
  }

  /** Keyed by the action's index, so that a restored lake slips in the same way. */
  #slip(wanted: Direction, nth: number, chance?: number): Direction {
    const { slippery, successRate, member, maxActions } = this.options;
    if (!slippery) return wanted;
    if (chance !== undefined) return slipTo(wanted, successRate, drawOf(chance, nth));
    const step = maxActions - this.#state.actionsLeft;
    const key = { stream: "frozen-lake-slip", iteration: 0, trajectory: member, step };
    return slipTo(wanted, successRate, uniform({ seed: this.#state.seed, ...key }));
  }

  /** The state: the map, the player's tile, and the remaining budgets. */
  get standing(): Readonly<FrozenLakeSnapshot> {
    return this.#state;
  }

  #observation(): string {
    return renderLake(this.#state.map, this.#state.tile);
  }

  #info(actions: Direction[], moves: Direction[], formatPenalty: number): FrozenLakeInfo {
    const { map, tile, actionsLeft, turnsLeft } = this.#state;
    const success = tileAt(map, tile) === "G";
    const envReward = success ? 1 : 0;
    const suffix = `You have ${actionsLeft} actions and ${turnsLeft} turns left.\n`;
    const prefix = rulesText(this.options);
    const played = { actions, moves, envReward, formatPenalty, success };
    return { ...played, actionsLeft, turnsLeft, prefix, suffix };
  }
}

/** The draw of a turn's `chance` for its step of this index. */
function drawOf(chance: number, step: number): number {
  return uniform({ seed: chance, stream: "frozen-lake-slip", iteration: 0, trajectory: 0, step });
}

/**
 * The actual direction of a step: u in [0, 1) selects the side before the intended direction, the
 * direction itself, or the side after it, in Gymnasium's order.
 */
export function slipTo(wanted: Direction, successRate: number, u: number): Direction {
  const side = (1 - successRate) / 2;
  const turn = u < side ? 3 : u < side + successRate ? 0 : 1;
  return DIRECTIONS[(DIRECTIONS.indexOf(wanted) + turn) % 4]!;
}

/** RAGEN's grid: P player, _ ice and start, O hole, G goal, X in a hole, √ on the goal. */
export function renderLake(map: LakeMap, player: number): string {
  const columns = map[0]!.length;
  return map
    .map((row, y) => [...row].map((tile, x) => symbol(tile, y * columns + x === player)).join(""))
    .join("\n");
}

function symbol(tile: string, player: boolean): string {
  const symbols: Record<string, [string, string]> = { H: ["O", "X"], G: ["G", "√"] };
  const [empty, taken] = symbols[tile] ?? ["_", "P"];
  return player ? taken : empty;
}

function isEnd(map: LakeMap, tile: number): boolean {
  return "HG".includes(tileAt(map, tile));
}

function directionNamed(name: string): Direction | undefined {
  return DIRECTIONS.find((direction) => direction.toLowerCase() === name.toLowerCase());
}

function rulesText({ slippery, maxActionsPerTurn, think }: FrozenLakeOptions): string {
  const thought = think ? "<think>...</think>" : "";
  return [
    "You stand on a frozen lake (P) and want to reach the goal (G) over the ice (_) without falling into a hole (O).",
    ...(slippery ? ["The ice is slippery: you may go to the side of where you want to go."] : []),
    `Say ${DIRECTIONS.join(", ")}; up to ${maxActionsPerTurn} in one answer, such as ${thought}<answer>Right || Down</answer>.`,
    "",
  ].join("\n");
}

function checkOptions(options: FrozenLakeOptions): void {
  checkMapOptions(options);
  if (options.map !== "random") readMap(options.map);
  checkNumber("successRate", options.successRate, 0, 1);
  checkNumber("formatPenalty", options.formatPenalty, -1e6, 1e6);
  for (const key of ["maxActionsPerTurn", "maxActions", "maxTurns"] as const) {
    checkWhole(key, options[key], 1, LIMIT);
  }
  checkWhole("member", options.member, 0, LIMIT);
}
