/**
 * Logged states as tasks of one turn: the state is everything that the policy saw before it
 * answered, the answer ends the episode, and its reward is Q.
 */
import type { Environment } from "../../env/environment.ts";
import { append } from "../../numeric/lists.ts";
import { rollout, type Episode } from "../../rollout/rollout.ts";
import type { TurnInfo, World } from "../../rollout/world.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { PromptAdapter } from "../../text/promptAdapter.ts";
import type { IterationContext } from "../context.ts";
import type { IterativeLearner } from "./learner.ts";

/** The turns of the episodes, each as its own episode, in order. Rewards are still the environment's. [K] */
export function singleTurns(episodes: Episode[], context: ExperimentSpec["context"]): Episode[] {
  const singles = episodes.flatMap(({ task, turns, success }) =>
    turns.map((turn, h) => {
      const seen = context === "full" ? turns.slice(0, h) : [];
      const before = seen.flatMap(({ queryIds, responseIds }) => [...queryIds, ...responseIds]);
      return {
        task: { name: `${task.name}:${h}`, seed: task.seed },
        turns: [{ ...turn, queryIds: [...before, ...turn.queryIds] }],
        terminated: true,
        truncated: false,
        success,
        finalObservation: "",
        finalQueryIds: [],
      };
    }),
  );
  return singles.map((single, k) => ({ ...single, trajectory: k }));
}

/** The same episodes with these rewards, in the environment's units. [K] */
export function paidBy(singles: Episode[], reward: Float64Array): Episode[] {
  return singles.map((single, k) => ({
    ...single,
    turns: [{ ...single.turns[0]!, reward: reward[k]! }],
  }));
}

/** States answered per batch; responses do not depend on it. */
const CHUNK = 128;

/** New responses of the current policy in the same states. [K] */
export async function answerAgain(
  { spec, family, gate }: IterationContext,
  learner: IterativeLearner,
  singles: Episode[],
  { iteration, round }: { iteration: number; round: number },
): Promise<Episode[]> {
  const world = worldOf(singles, family.world.prompter);
  const again: Episode[] = [];
  for (let first = 0; first < singles.length; first += CHUNK) {
    const chunk = singles.slice(first, first + CHUNK);
    const answered = await rollout({
      model: learner.actor,
      world,
      tasks: chunk.map(({ task }, i) => ({ name: task.name, seed: first + i })),
      // A state is one query, whatever its content.
      context: "turn",
      sampling: spec.sampling,
      key: { seed: spec.seed, stream: `iterative-${round}`, iteration, first },
      ...(gate && { gate }),
    });
    append(
      again,
      answered.map((one, i) => ({ ...one, trajectory: first + i })),
    );
  }
  return again;
}

interface StateInfo extends TurnInfo {
  queryIds: number[];
}

/** A task's seed is the index of its state. */
function worldOf(states: Episode[], prompter: PromptAdapter<never>): World {
  const world: World<StateInfo> = {
    create: () => new LoggedState(states),
    prompter: {
      query: (_, { queryIds }) => queryIds,
      answer: () => "",
      display: (ids) => prompter.display(ids),
      tokenText: (id) => prompter.tokenText(id),
      respond: () => [],
      stopIds: prompter.stopIds,
    },
    maxTurns: 1,
  };
  return world as unknown as World;
}

/** Shows a logged state and ends with the answer. */
class LoggedState implements Environment<StateInfo, number> {
  #states: Episode[];
  #number = 0;

  constructor(states: Episode[]) {
    this.#states = states;
  }

  reset(seed: number) {
    this.#number = seed;
    const { observation, queryIds } = this.#states[seed]!.turns[0]!;
    return { observation, info: { queryIds } };
  }

  step() {
    const info = { queryIds: [] };
    return { observation: "", reward: 0, terminated: true, truncated: false, info };
  }

  snapshot(): number {
    return this.#number;
  }

  restore(seed: number): void {
    this.#number = seed;
  }
}
