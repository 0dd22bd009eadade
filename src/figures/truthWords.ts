/** Words about true values: which policy played them, and under which discount. */
import type { Discount } from "../method/credit/discount.ts";
import { counted } from "../numeric/counted.ts";

/** The policy after so many iterations of training, in words. */
export const policyName = (trained: number) =>
  trained === 0
    ? "the initial policy, before any training"
    : `the policy after ${counted(trained, "iteration")}`;

/**
 * Says which policies the true values are of, where they did not play the episodes; null where the same policy did.
 * `trained`: as `otherPolicy` has it, of each truth that is shown.
 */
export function otherPolicies(trained: readonly number[]): string | null {
  const all = [...new Set(trained)].sort((a, b) => a - b);
  if (all.length === 0) return null;
  return `True values are of ${all.map(policyName).join(" and ")}, which did not play this.`;
}

/** The discount that a truth or a fork was found under. */
export const sayDiscount = ({ gamma, steps }: Discount) =>
  `discount γ = ${Number(gamma.toPrecision(6))} per ${steps}`;
