/** Forks as the store holds them. */
import type { ForkQuestion, ForkAnswer } from "../runtime/questions.ts";

export interface Fork {
  /** From 1, in the order in which they were made. */
  number: number;
  question: ForkQuestion;
  /** Its kept episodes have the fork's number. */
  answer: ForkAnswer;
  /** Of its kept episodes those, all but the first, that made room for newer forks; absent where none did. */
  released?: number;
}

export interface ForksSlice {
  forks: readonly Fork[];
  /** How many were made in the run: a number is not given twice. */
  forksMade: number;
}
