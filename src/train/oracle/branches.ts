/**
 * Branches: from each saved state K continuations under a policy, many states in one batch. Branch
 * i of state s draws from its own stream, s * K + i, so that neither the order nor the size of the
 * chunks changes a return; with `firstDraw`, neither do the other states asked about, nor K.
 */
import { turnWeights, type Discount } from "../../method/credit/discount.ts";
import type { EngineModel } from "../../engine/engine.ts";
import { append, least } from "../../numeric/lists.ts";
import {
  rollout,
  type Episode,
  type RolloutRequest,
  type SavedTurn,
  type Task,
} from "../../rollout/rollout.ts";
import type { World } from "../../rollout/world.ts";
import { InputError } from "../../numeric/inputError.ts";

/** What an oracle plays with: the policy in its world. */
export interface Player {
  model: EngineModel;
  world: World;
  context: RolloutRequest["context"];
  sampling: RolloutRequest["sampling"];
}

export interface BranchOptions {
  /** Continuations per state, K: at least 2. */
  branches: number;
  /** Discount per step, 0 to 1. */
  gamma: number;
  /** What a step is; default: a turn. */
  steps?: Discount["steps"];
  key: { seed: number; iteration: number };
  /** Number of a state's first draw, at most 2^32 - K; default: s * K. */
  firstDraw?: (state: State) => number;
  /** Rows played per batch; does not change results. */
  chunk?: number;
  /** Receives each continuation with the indices of its state and its branch. */
  onEpisode?: (state: number, branch: number, episode: Episode) => void;
  /** Branches done, and in total. */
  progress?: (done: number, total: number) => void;
  /** The same after each turn: half-played branches count half. */
  work?: (done: number, total: number) => void;
  /** Awaited before each turn; rejects to cancel. */
  gate?: () => Promise<void>;
}

/** A saved state with its task. */
export interface State extends SavedTurn {
  task: Task;
}

/** In full context each row's cache holds a whole episode. */
const CHUNK = { turn: 1024, full: 128 };
/** Draw numbers have 32 bits. */
const MOST_ROWS = 2 ** 32;

/**
 * The states before each turn of an episode, found by replaying its responses.
 * @throws Error if the environment answers differently.
 */
export function statesOf(world: World, { task, turns }: Episode): State[] {
  const environment = world.create(task.seed);
  let { observation, info } = environment.reset(task.seed);
  const historyIds: number[] = [];
  return turns.map(({ queryIds, responseIds, reward, chance }, turn) => {
    const snapshot = environment.snapshot();
    const state = {
      task,
      turn,
      snapshot,
      observation,
      info,
      queryIds,
      historyIds: [...historyIds],
    };
    const step = environment.step(world.prompter.answer(responseIds, info), chance);
    if (step.reward !== reward)
      throw new Error(`task ${task.name} paid ${step.reward} in turn ${turn + 1}, not ${reward}`);
    ({ observation, info } = step);
    append(historyIds, [...queryIds, ...responseIds]);
    return state;
  });
}

/** Equal for states with the same future: the environment's state and what the policy sees. */
export function stateKey(state: State, context: Player["context"]): string {
  const { task, turn, snapshot, queryIds, historyIds } = state;
  const seen = context === "full" ? [...historyIds, ...queryIds] : queryIds;
  return JSON.stringify([task.seed, turn, snapshot, seen]);
}

/**
 * Discounted returns of each state's branches. [S][K]
 * @throws InputError naming an option that is out of range.
 */
export async function branchReturns(
  player: Player,
  states: readonly State[],
  options: BranchOptions,
): Promise<Float64Array[]> {
  checkOptions(options, states.length);
  const { branches: K, chunk = CHUNK[player.context], key, gate, onEpisode } = options;
  const { progress, work } = options;
  const draws = states.map((state, s) => options.firstDraw?.(state) ?? s * K); // [S]
  const total = states.length * K;
  const returns = states.map(() => new Float64Array(K)); // [S][K]
  for (let first = 0; first < total; first += chunk) {
    const rows = Array.from({ length: Math.min(chunk, total - first) }, (_, i) => first + i);
    const from = rows.map((row) => states[Math.floor(row / K)]!); // [rows]
    const tasks = from.map(({ task }) => task);
    const numbers = rows.map((row) => draws[Math.floor(row / K)]! + (row % K)); // [rows]
    const drawn = { ...key, stream: "oracle", numbers };
    const most = player.world.maxTurns - least(from.map(({ turn }) => turn));
    let turns = 0;
    const onTurn = () => work?.(first + (rows.length * ++turns) / most, total);
    const request = { ...player, tasks, from, key: drawn, onTurn, ...(gate && { gate }) };
    const played = await rollout(request);
    played.forEach((episode, i) => {
      const [state, branch] = [Math.floor((first + i) / K), (first + i) % K];
      returns[state]![branch] = discountedReturn(episode, discountIn(options));
      onEpisode?.(state, branch, episode);
    });
    progress?.(first + rows.length, total);
    work?.(first + rows.length, total);
  }
  return returns;
}

/** The discount given by the options. */
export function discountIn({ gamma, steps = "turn" }: BranchOptions): Discount {
  return { gamma, steps };
}

/** sum_j gamma^j r_j over the turns played; per token, j counts the tokens up to the point where a reward is paid. */
export function discountedReturn({ turns }: Episode, discount: Discount): number {
  return turns.reduceRight((G, { reward, responseIds }) => {
    const weight = turnWeights(discount, responseIds.length);
    return weight.reward * reward + weight.later * G;
  }, 0);
}

function checkOptions({ branches, gamma, chunk = 1 }: BranchOptions, states: number): void {
  const most = Math.floor(MOST_ROWS / Math.max(1, states));
  if (!Number.isInteger(branches) || branches < 2 || branches > most)
    throw new InputError(`branches is ${branches}; it must be a whole number from 2 to ${most}`);
  if (!(gamma >= 0 && gamma <= 1))
    throw new InputError(`gamma is ${gamma}; it must be a number from 0 to 1`);
  if (!Number.isInteger(chunk) || chunk < 1)
    throw new InputError(`chunk is ${chunk}; it must be a whole number of at least 1`);
}
