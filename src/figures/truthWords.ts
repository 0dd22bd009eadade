/** Words about true values: which policy they are of, and under which discount. */
import type { Discount } from "../method/credit/discount.ts";
import { formatPercent, formatSignedFixed } from "../numeric/format.ts";
import type { TurnTruth } from "../reading/truths.ts";
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
  unsure: (turn: number) => `Whether turn ${turn} earned anything is uncertain.`,
} as const;

/**
 * Why a turn has its true credit, wherever that is shown: the shares of continuations that solve the task before and
 * after it; where they are unknown what it earned, and if another turn was guessed what that one did. Turns from 0.
 * `other`: as in `otherPolicy`.
 */
export function whyTurn(
  turns: readonly Pick<TurnTruth, "advantage" | "solved">[],
  turn: number,
  { guess = turn, other = null }: { guess?: number; other?: number | null } = {},
): string {
  const said = whyOf(turns, turn, guess);
  return other === null ? `${said}.` : `${said}, under ${policyName(other)}.`;
}

function whyOf(
  turns: readonly Pick<TurnTruth, "advantage" | "solved">[],
  turn: number,
  guess: number,
): string {
  const { advantage, solved } = turns[turn]!;
  if (solved) return solvedWords(turn + 1, formatPercent(solved[0]), formatPercent(solved[1]));
  const own = formatSignedFixed(advantage, 2);
  const verb = advantage > 0 ? "raised" : "changed";
  const first = `Turn ${turn + 1} ${verb} the expected reward by ${own}`;
  const other = formatSignedFixed(turns[guess]!.advantage, 2);
  return guess === turn ? first : `${first}; turn ${guess + 1} changed it by ${other}`;
}

const solvedWords = (turn: number, before: string, after: string) =>
  `Before turn ${turn}, ${before} of continuations solve the task, after it ${after}`;

/** The discount of a truth or a fork. */
export const sayDiscount = ({ gamma, steps }: Discount) =>
  `discount γ = ${Number(gamma.toPrecision(6))} per ${steps}`;

/** Where true values are not known. */
export const ASK_FOR_TRUTH =
  "No true values yet. In a live run, press “Estimate true values” above.";
