/** The discount that a truth or a fork was found under, in words. */
import type { Discount } from "../../../method/credit/discount.ts";
import { words } from "./words.ts";

export function sayDiscount({ gamma, steps }: Discount): string {
  return words.discount(String(Number(gamma.toPrecision(6))), steps);
}
