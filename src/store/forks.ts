/** What would have happened: episodes that left a recorded one at some turn. Kept beside the log, gone with the run. */
import type { ForkAnswer, ForkQuestion } from "../runtime/questions.ts";
import type { ExperimentStore } from "./experimentStore.ts";

export interface Fork {
  /** From 1, in the order in which they were made. */
  number: number;
  question: ForkQuestion;
  answer: ForkAnswer;
}

export interface ForksSlice {
  forks: readonly Fork[];
}

export const NO_FORKS: readonly Fork[] = [];

/** Forks that are kept; the oldest goes first. */
const MOST = 50;

export function addFork(store: ExperimentStore, fork: Omit<Fork, "number">): Fork {
  const { forks } = store.getState();
  const numbered = { ...fork, number: (forks.at(-1)?.number ?? 0) + 1 };
  store.setState({ forks: [...forks, numbered].slice(-MOST) });
  return numbered;
}

export function dropFork(store: ExperimentStore, number: number): void {
  store.setState(({ forks }) => ({ forks: forks.filter((fork) => fork.number !== number) }));
}
