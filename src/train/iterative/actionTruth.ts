/**
 * Whether Q distinguishes actions, or only states. Explained variance does not show it: a Q that
 * returns V(s) for every response explains as much as V does and improves nothing. Two responses in
 * one state do show it.
 */
import { mean, pearson } from "../../numeric/statistics.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { Episode } from "../../rollout/rollout.ts";
import type { TaskFamily } from "../world.ts";

/** One response to each logged turn, and its Q. */
export interface Answers {
  /** Single turns, in the order of the logged ones. [K] */
  singles: Episode[];
  /** [K] */
  q: Float64Array;
}

/**
 * Correlation of Q's difference between two responses in the same state with that of the exact
 * potential; absent if either is constant. 0 means that the policy improves only by chance.
 */
export function actionCorrelation(
  family: TaskFamily,
  episodes: Episode[],
  first: Answers,
  second: Answers,
): Metrics {
  const [before, after] = [first, second].map(({ singles }) =>
    potentialsAfter(family, episodes, singles),
  ) as [number[], number[]];
  const truth = after.map((phi, k) => phi - before[k]!); // [K]
  const difference = second.q.map((q, k) => q - first.q[k]!); // [K]
  const r = pearson(difference, truth);
  return {
    ...(Number.isFinite(r) && { "q/action_correlation": r }),
    // Above 0 if the second responses are truly better: the exact counterpart of q/gain.
    "q/true_gain": mean(truth),
  };
}

/** Phi of the state that each answer leads to from the logged state of its turn. [K] */
function potentialsAfter(
  { world, potential }: TaskFamily,
  episodes: Episode[],
  singles: Episode[],
): number[] {
  const answers = singles.map(({ turns }) => turns[0]!);
  let k = 0;
  return episodes.flatMap(({ task, turns }) => {
    const environment = world.create(task.seed);
    let { info } = environment.reset(task.seed);
    return turns.map(({ responseIds, chance }) => {
      const here = environment.snapshot();
      const said = answers[k++]!;
      environment.step(world.prompter.answer(said.responseIds, info), said.chance);
      const phi = potential(environment);
      environment.restore(here);
      ({ info } = environment.step(world.prompter.answer(responseIds, info), chance));
      return phi;
    });
  });
}
