/** Why a row cannot be computed from what is recorded, in plain words. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { InputError } from "../../spec/inputError.ts";
import { words } from "./words.ts";

/** What a missing number is called in the message, the longer paths first. */
const MISSING: readonly (readonly [RegExp, (title: string) => string])[] = [
  // Where there are no tokens at all, the first one's place is none.
  [/\[NaN\]/, words.noTokens],
  [/tokens\[\d+\]\.(old)?[lL]ogprob is missing/, words.noLogprobs],
  [/tokens\[\d+\]\.refLogprob is missing/, words.noReference],
  [/tokens\[\d+\]\.value is missing/, words.noTokenValues],
  [/turns\[\d+\]\.value is missing/, words.noTurnValues],
  [/greedyScore is missing/, words.noGreedy],
  [/\.gain is missing/, words.noGains],
  [/^trajectories\[/, words.noNumbers],
];

/** @throws what is no InputError: that is a defect, and no reason. */
export function reasonOf(error: unknown, { title }: Pick<AlgorithmConfig, "title">): string {
  if (!(error instanceof InputError)) throw error;
  const known = MISSING.find(([pattern]) => pattern.test(error.message));
  return known ? known[1](title) : error.message;
}
