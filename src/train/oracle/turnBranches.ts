/**
 * Q(s_h, a_h) in a random environment: each branch replays the turn itself with its own randomness,
 * and the policy continues from the result. What the recorded turn led to is only one of these
 * outcomes.
 */
import { turnWeights } from "../../method/credit/discount.ts";
import { chanceOf } from "../../numeric/rng.ts";
import { rollout, type SavedTurn } from "../../rollout/rollout.ts";
import {
  discountedReturn,
  discountIn,
  type BranchOptions,
  type Player,
  type State,
} from "./branches.ts";

/** A response in a state. */
export interface SaidTurn {
  state: State;
  responseIds: number[];
}

/** The state of one branch after its turn. */
interface Led {
  reward: number;
  /** Null if the episode is over. */
  next: (State & SavedTurn) | null;
}

/**
 * Discounted returns of each turn's branches, including the turn's own reward. Branches of a state
 * use the same random draws for every response, so that two responses are compared under equal
 * luck. [K][branches]
 */
export async function turnReturns(
  player: Player,
  turns: readonly SaidTurn[],
  options: BranchOptions,
): Promise<Float64Array[]> {
  const returns: Float64Array[] = [];
  for (const [k, turn] of turns.entries()) {
    await options.gate?.();
    returns.push(
      await returnsOf(
        player,
        turn,
        options.firstDraw?.(turn.state) ?? k * options.branches,
        options,
      ),
    );
    options.work?.(k + 1, turns.length);
  }
  return returns;
}

/** The branches of one turn, in one batch. [branches] */
async function returnsOf(
  player: Player,
  turn: SaidTurn,
  first: number,
  options: BranchOptions,
): Promise<Float64Array> {
  const { branches, key, gate } = options;
  const numbers = Array.from({ length: branches }, (_, i) => first + i); // [branches]
  const led = numbers.map((number) => playOnce(player, turn, { ...key, number }));
  const open = led.flatMap(({ next }, i) => (next ? [{ next, number: numbers[i]! }] : []));
  const episodes =
    open.length === 0
      ? []
      : await rollout({
          ...player,
          tasks: open.map(({ next }) => next.task),
          from: open.map(({ next }) => next),
          key: { ...key, stream: "oracle-turn", numbers: open.map(({ number }) => number) },
          ...(gate && { gate }),
        });
  const discount = discountIn(options);
  const weight = turnWeights(discount, turn.responseIds.length);
  let o = 0;
  return Float64Array.from(led, ({ reward, next }) => {
    const later = next ? discountedReturn(episodes[o++]!, discount) : 0;
    return weight.reward * reward + weight.later * later;
  });
}

function playOnce(
  { world }: Player,
  { state, responseIds }: SaidTurn,
  { seed, iteration, number }: { seed: number; iteration: number; number: number },
): Led {
  const environment = world.create(state.task.seed);
  environment.restore(state.snapshot);
  const key = { seed, stream: "oracle-turn-chance", iteration, trajectory: number };
  const answer = world.prompter.answer(responseIds, state.info);
  const step = environment.step(answer, chanceOf({ ...key, step: state.turn }));
  const turn = state.turn + 1;
  if (step.terminated || step.truncated || turn >= world.maxTurns)
    return { reward: step.reward, next: null };
  const next = {
    task: state.task,
    turn,
    snapshot: environment.snapshot(),
    observation: step.observation,
    info: step.info,
    queryIds: world.prompter.query(step.observation, step.info, turn, responseIds, state.queryIds),
    historyIds: [...state.historyIds, ...state.queryIds, ...responseIds],
  };
  return { reward: step.reward, next };
}
