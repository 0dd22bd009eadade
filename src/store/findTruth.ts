/** Asks a live run's oracle about a recorded episode and keeps what it says beside the log. */
import type { TruthAnswer } from "../runtime/questions.ts";
import type { Asking } from "./asking.ts";
import { forkKey } from "./forks.ts";
import type { ExperimentHandle } from "./hooks.ts";
import { truthKey, type EpisodeTruth } from "../reading/truths.ts";
import { addTruths } from "./truths.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";

/** Continuations from each turn that a reader's truth is found by. */
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
    // Meanwhile another run may be shown, of which it says nothing.
    if (store.getState().view.log === log) addTruths(store, { [key]: truth });
    return truth;
  });
  return { answer: kept, withdraw };
}

function truthOf({ value, advantage, trained, branches, gamma, steps }: TruthAnswer): EpisodeTruth {
  return {
    turns: value.map((V, h) => ({
      value: V.mean,
      valueInterval: [V.low, V.high] as const,
      advantage: advantage[h]!.mean,
      advantageInterval: [advantage[h]!.low, advantage[h]!.high] as const,
    })),
    found: { trained, branches, gamma, steps },
  };
}
