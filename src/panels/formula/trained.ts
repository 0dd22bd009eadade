/** Where the log of training differs from what the recorded episodes alone give. */
import type { AdvantagePair } from "../../method/credit/givenAdvantage.ts";
import type { TurnRecord } from "../../record/runEvent.ts";
import { advantageLevel } from "../../spec/algorithmDocs/advantageFormulas.ts";
import type { BatchPlace } from "./place.ts";
import { episodeMean } from "./clipBranches.ts";

/** More than rounding in the log. */
const VISIBLE = 1e-3;

/** Training's advantage; null if it equals the formula's, or is not known. */
export function otherAdvantage(place: BatchPlace): number | null {
  const { recorded, credit } = place.all;
  if (!recorded) return null;
  const used = unitAdvantage(place, recorded);
  const own = unitAdvantage(place, { turn: credit.turnAdvantage, token: credit.tokenAdvantage });
  if (!Number.isFinite(used)) return null;
  return Math.abs(used - own) <= VISIBLE * Math.max(1, Math.abs(used)) ? null : used;
}

/** Of the unit of the row's advantages. */
function unitAdvantage(place: BatchPlace, { turn, token }: AdvantagePair): number {
  const level = advantageLevel(place.all.config);
  if (level === "trajectory") return episodeMean(token, place);
  return level === "turn" ? turn[place.k]! : token[place.n]!;
}

/** Whether training's clip cut the turn at its last use; null if the formulas agree, or it is not known. */
export function otherCut({ all, k }: BatchPlace, turn: TurnRecord): boolean | null {
  if (!all.played || turn.clipped === null) return null;
  const { tokenStart } = all.batch;
  const tokens = all.objective.tokenClipped.subarray(tokenStart[k], tokenStart[k + 1]);
  return tokens.some((cut) => cut === 1) === turn.clipped ? null : turn.clipped;
}
