/** A turn's value and target, or why there is none, in words. */
import { formatSigned } from "../../numeric/format.ts";
import type { TurnRecord } from "../../record/runEvent.ts";
import { panelWords } from "../shared/strings.ts";

const words = panelWords.turns;

interface NumberSource {
  /** Shown for a number that a file or a fork lacks; null in one of our runs. */
  absent: string | null;
  /** Whether the method has a critic: then a missing value was not finite. */
  hasCritic: boolean;
}

type CriticNumbers = Pick<TurnRecord, "value" | "return">;

export function valueText({ value }: CriticNumbers, { absent, hasCritic }: NumberSource): string {
  if (value !== null && (absent === null || Number.isFinite(value))) return formatSigned(value);
  return absent ?? (hasCritic ? formatSigned(NaN) : words.noCritic);
}

export function targetText(turn: CriticNumbers, source: NumberSource): string {
  const { value, return: target } = turn;
  // Some critics have targets at some turns only.
  const isUntaught = target === null && value !== null && Number.isFinite(value);
  if (isUntaught && source.absent === null && source.hasCritic) return words.noTarget;
  return valueText({ value: target, return: null }, source);
}
