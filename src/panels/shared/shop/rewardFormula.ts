/** The reward's formula with a purchase's numbers. */
import { formatNumber } from "../../../numeric/format.ts";
import type { Reward } from "../../../env/webshop/reward.ts";
import { words } from "./words.ts";

/** E.g. "0.75 = 1 × (2 + 1 + 0) ÷ (2 + 1 + 1)". */
export function rewardInNumbers(reward: Reward): string {
  const { rType, numAttrMatches, numOptionMatches, rPrice, matches } = reward;
  const got = [numAttrMatches, ...ifAny(matches.options, numOptionMatches), rPrice ? 1 : 0];
  const wanted = [matches.attributes.length, ...ifAny(matches.options, matches.options.length), 1];
  const total = formatNumber(reward.reward);
  return `${words.reward.total} ${total} = ${rType} × (${got.join(" + ")}) ÷ (${wanted.join(" + ")})`;
}

/** A goal without options lacks this term. */
function ifAny(options: readonly unknown[], term: number): number[] {
  return options.length > 0 ? [term] : [];
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
