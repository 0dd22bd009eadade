/** Why a row cannot be computed from the recorded data, in plain words. */
import { MissingColumnError } from "../../method/requireColumn.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { InputError } from "../../numeric/inputError.ts";
import { words } from "./words.ts";

type MissingColumn = MissingColumnError["column"];

const MISSING: Readonly<Record<MissingColumn, (title: string) => string>> = {
  tokens: words.noTokens,
  logprob: words.noLogprobs,
  oldLogprob: words.noLogprobs,
  refLogprob: words.noReference,
  tokenValue: words.noTokenValues,
  turnValue: words.noTurnValues,
  tokenNewValue: words.noNumbers,
  turnNewValue: words.noNumbers,
  success: words.noSuccess,
  greedyScore: words.noGreedy,
  turnGain: words.noGains,
  turnFormat: words.noFormat,
  rolloutLogprob: words.noSampler,
  sumPiSquared: words.noSquares,
  anchor: words.noNumbers,
  action: words.noActions,
};

/** @throws any error that is not an InputError: it is a defect, not a reason. */
export function reasonOf(error: unknown, { title }: Pick<AlgorithmConfig, "title">): string {
  if (error instanceof MissingColumnError) return MISSING[error.column](title);
  if (error instanceof InputError) return error.message;
  throw error;
}
