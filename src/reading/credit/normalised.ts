/** What a row's advantages were normalised over: all episodes that were trained on, or the recorded ones alone. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { RowCredit } from "./rowTypes.ts";
import { words } from "./words.ts";

/** Normalised numbers have a spread of 1; if all are closer to 0 than this, there was only rounding noise. */
const ROUNDING = 0.01;

/**
 * null if the row does not normalise, or if all episodes of the iteration are recorded; another
 * sentence if the log has no tokens to normalise over.
 */
export function normalisedOver(
  { whiten }: Pick<AlgorithmConfig, "whiten">,
  { whitening, batch }: RowCredit,
  played: number | null,
): string | null {
  const recorded = batch.task.length;
  if (whiten === "none") return null;
  if (whiten === "tokens" && !whitening && batch.tokenStart.at(-1) === 0)
    return words.notNormalised;
  if (played === recorded) return null;
  return whitening ? words.normalisedAsTrained(played) : words.normalisedOver(recorded, played);
}

/** Why normalised numbers would be meaningless; null if they are not. `played`: episodes that were trained on. */
export function nothingToNormalise(
  { whiten, title }: Pick<AlgorithmConfig, "whiten" | "title">,
  { whitening, batch, credit }: RowCredit,
  played: number | null,
): string | null {
  const recorded = batch.task.length;
  if (whiten === "none" || whitening || played === recorded) return null;
  if (recorded === 1) return words.oneEpisode(title);
  if (credit.kept?.some((kept) => kept === 0)) return null;
  const { turnAdvantage, tokenAdvantage } = credit;
  const flat = [turnAdvantage, tokenAdvantage].every((x) => x.every((a) => Math.abs(a) < ROUNDING));
  return flat ? words.nothingDiffers(title) : null;
}
