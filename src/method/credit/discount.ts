/** How an algorithm discounts: by which factor, and per which step. */
import { estimators, type Estimator } from "../estimators.ts";
import type { NumberSettings } from "../numbers.ts";

export interface Discount {
  /** Per step, 0 to 1. */
  gamma: number;
  /** What a step is; per token, a turn's reward is at its last one. */
  steps: "turn" | "token";
}

/** The settings that determine it. */
interface Discounting extends Pick<NumberSettings, "gamma" | "gammaTurn"> {
  estimator: Estimator;
}

/** The discount of an algorithm's returns: none if its estimator does not discount. */
export function discountOf(config: Discounting): Discount {
  const { discount } = estimators[config.estimator];
  return discount
    ? { gamma: config[discount.by], steps: discount.per }
    : { gamma: 1, steps: "turn" };
}

/** At a turn's beginning, the weight of its reward, and of each reward from the next turn on. */
export function turnWeights({ gamma, steps }: Discount, tokens: number) {
  const n = steps === "token" ? Math.max(1, tokens) : 1;
  return { reward: gamma ** (n - 1), later: gamma ** n };
}

/**
 * Whether returns under both are the same: without discounting the kind of step does not matter.
 */
export function isSameDiscount(a: Discount, b: Discount): boolean {
  return a.gamma === b.gamma && (a.gamma === 1 || a.steps === b.steps);
}
