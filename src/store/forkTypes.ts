/** The store's types for forks. */
import type { ForkQuestion, ForkAnswer } from "../runtime/questions.ts";

export interface Fork {
  /** From 1, in order of creation. */
  number: number;
  question: ForkQuestion;
  /** Its stored episodes have the fork's number. */
  answer: ForkAnswer;
  /** Number of its episodes, all but the first, that were dropped for newer forks; absent if none. */
  released?: number;
}

export interface ForksSlice {
  forks: readonly Fork[];
  /** Number of forks created in the run: a number is not reused. */
  forksMade: number;
}
