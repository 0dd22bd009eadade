/** Words about true values: which policy they are of, and under which discount. */
import type { Discount } from "../method/credit/discount.ts";
import { counted } from "../numeric/counted.ts";

/** The policy after that many iterations of training, in words. */
export const policyName = (trained: number) =>
  trained === 0
    ? "the initial policy, before any training"
    : `the policy after ${counted(trained, "iteration")}`;

/** After a name. */
export const ofPolicy = (trained: number) => `of ${policyName(trained)}`;

/**
 * Says which policies the true values are of, if those did not play the episodes; null if the same
 * policy did. `trained`: as in `otherPolicy`, of each truth that is shown.
 */
export function otherPolicies(trained: readonly number[]): string | null {
  const all = [...new Set(trained)].sort((a, b) => a - b);
  if (all.length === 0) return null;
  return `True values are of ${all.map(policyName).join(" and ")}, which did not play this.`;
}

/** Guess first, then the true credit. Turns from 1. */
export const guessWords = {
  hides: "the true credit",
  guessFirst: "your guess first",
  guess: (n: number) => `Guess turn ${n}`,
  askKeys: (n: number) => `or press 1 to ${n}`,
  askThen: "Then you see the true credit.",
  right: (n: number) => `Yes: turn ${n}.`,
  wrong: (n: number, best: number) => `Not turn ${n}: turn ${best} earned most.`,
  worth: (best: number, most: string, guess: number, own: string) =>
    guess === best
      ? `Turn ${best} raised the expected reward by ${most}.`
      : `Turn ${best} raised the expected reward by ${most}; turn ${guess} changed it by ${own}.`,
} as const;

/** The discount of a truth or a fork. */
export const sayDiscount = ({ gamma, steps }: Discount) =>
  `discount γ = ${Number(gamma.toPrecision(6))} per ${steps}`;

/** Where true values are not known. */
export const ASK_FOR_TRUTH =
  "No true values yet. In a live run, press “Estimate true values” above.";
