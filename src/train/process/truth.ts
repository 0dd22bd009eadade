/** The exact truth of each turn: how near the goal the states before and after it are. */
import { potentialAfter } from "../../method/credit/shaping.ts";
import { streamHash } from "../../numeric/rng.ts";
import type { Environment } from "../../env/environment.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { offsets } from "../../numeric/segments.ts";
import type { TaskFamily } from "../world.ts";

export interface Truth {
  /** Phi of the state before each turn. [K] */
  potential: Float64Array;
  /** Phi of the state after each episode's last turn, however the episode ended. [B] */
  finalPotential: Float64Array;
  /** An id for each of these states, equal for equal states. [K], [B] */
  state: Uint32Array;
  finalState: Uint32Array;
  /** [B+1] */
  turnStart: Int32Array;
  /** Whether the episode terminated with its last turn. [B] */
  terminated: boolean[];
}

/** Replays each episode in its environment and measures every state. */
export function truthOf(family: TaskFamily, episodes: Episode[]): Truth {
  const measured = episodes.map((episode) => measureStates(family, episode)); // [B][K_b + 1]
  const before = measured.flatMap((states) => states.slice(0, -1));
  const last = measured.map((states) => states.at(-1)!);
  return {
    potential: Float64Array.from(before, ({ potential }) => potential),
    finalPotential: Float64Array.from(last, ({ potential }) => potential),
    state: Uint32Array.from(before, ({ state }) => state),
    finalState: Uint32Array.from(last, ({ state }) => state),
    turnStart: offsets(episodes.map(({ turns }) => turns.length)),
    terminated: episodes.map(({ terminated }) => terminated),
  };
}

interface MeasuredState {
  potential: number;
  state: number;
}

function measureStates(
  { world, potential }: TaskFamily,
  { task, turns }: Episode,
): MeasuredState[] {
  const environment = world.create(task.seed);
  let { info } = environment.reset(task.seed);
  const now = () => ({ potential: potential(environment), state: stateNumber(environment) });
  const states = [now()];
  for (const { responseIds, chance } of turns) {
    ({ info } = environment.step(world.prompter.answer(responseIds, info), chance));
    states.push(now());
  }
  return states;
}

/** Names of random streams must be ASCII. */
function stateNumber(environment: Environment): number {
  return streamHash(encodeURIComponent(JSON.stringify(environment.snapshot())));
}

/**
 * 1 for a good turn, 0 for a bad one: a turn is good if it brings the state nearer to the goal, or
 * finishes the task without losing anything. [K]
 */
export function goodTurns(truth: Truth): Float64Array {
  const { potential, turnStart, terminated } = truth;
  const after = potentialAfter(truth);
  const good = after.map((phi, k) => Number(phi > potential[k]!)); // [K]
  terminated.forEach((finished, b) => {
    const last = turnStart[b + 1]! - 1;
    if (finished) good[last] = Number(after[last]! >= potential[last]!);
  });
  return good;
}
