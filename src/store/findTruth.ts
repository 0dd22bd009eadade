/** Asks a live run's oracle about a recorded episode and stores the result outside the log. */
import type { TruthAnswer } from "../runtime/questions.ts";
import type { Asking } from "./asking.ts";
import { forkKey } from "./forks.ts";
import type { ExperimentHandle } from "./hooks.ts";
import { truthKey, type EpisodeTruth } from "../reading/truths.ts";
import { addTruths } from "./truths.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";

/** Continuations from each turn when a reader asks for true values. */
export const TRUTH_BRANCHES = 64;

interface TruthWanted {
  algorithm: string;
  iteration: number;
  episode: EpisodeRecord;
  /** Continuations from each state. */
  branches: number;
}

export function findTruth(
  { store, session }: ExperimentHandle,
  { algorithm, iteration, episode, branches }: TruthWanted,
  onProgress: (done: number, total: number) => void,
): Asking<EpisodeTruth> {
  const { log } = store.getState().view;
  const question = { kind: "truth", algorithm, iteration, episode, branches } as const;
  const { answer, withdraw } = session.ask(question, onProgress);
  const kept = answer.then((results) => {
    const truth = truthOf(results);
    const key = truthKey(algorithm, iteration, episode.trajectory, forkKey(episode));
    // Another run may be shown by now; the result does not apply to it.
    if (store.getState().view.log === log) addTruths(store, { [key]: truth });
    return truth;
  });
  return { answer: kept, withdraw };
}

function truthOf(answer: TruthAnswer): EpisodeTruth {
  const { value, advantage, solved, trained, branches, gamma, steps } = answer;
  return {
    turns: value.map((V, h) => ({
      value: V.mean,
      valueInterval: [V.low, V.high] as const,
      advantage: advantage[h]!.mean,
      advantageInterval: [advantage[h]!.low, advantage[h]!.high] as const,
      ...(solved[h] && { solved: solved[h] }),
    })),
    found: { trained, branches, gamma, steps },
  };
}
