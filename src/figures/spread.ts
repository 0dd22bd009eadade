/** How credit is spread over the turns of one episode, in words. */
import { greatest, least } from "../numeric/lists.ts";

export const spreadWords = {
  same: "every turn the same",
  nearlySame: "nearly the same",
  largestAt: (n: number) => `turn ${n} most`,
} as const;

/** Credits within this share of the largest are called equal, or nearly equal. */
const SAME = 0.01;
const NEARLY = 0.25;

export function spreadInWords(credits: readonly number[]): string {
  const most = greatest(credits.map(Math.abs));
  const range = greatest(credits) - least(credits);
  if (range <= SAME * most) return spreadWords.same;
  if (range <= NEARLY * most) return spreadWords.nearlySame;
  return spreadWords.largestAt(bestTurn(credits) + 1);
}

/** Index of the largest. */
export function bestTurn(credits: readonly number[]): number {
  return credits.indexOf(greatest(credits));
}
