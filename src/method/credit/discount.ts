/** How an algorithm discounts: by how much, and per what. */
import { estimators, type Estimator } from "../estimators.ts";
import type { NumberSettings } from "../numbers.ts";

export interface Discount {
  /** Per step, 0 to 1. */
  gamma: number;
  /** What a step is; per token a turn's reward is paid at its last one. */
  steps: "turn" | "token";
}

/** The part of an algorithm's settings that says it. */
interface Discounting extends Pick<NumberSettings, "gamma" | "gammaTurn"> {
  estimator: Estimator;
}

/** What the returns of an algorithm are under: plain sums where its estimator discounts nothing. */
export function discountOf(config: Discounting): Discount {
  const { discount } = estimators[config.estimator];
  return discount
    ? { gamma: config[discount.by], steps: discount.per }
    : { gamma: 1, steps: "turn" };
}

/** At a turn's beginning, what its reward is worth, and what each reward from the next turn on. */
export function turnWeights({ gamma, steps }: Discount, tokens: number) {
  const n = steps === "token" ? Math.max(1, tokens) : 1;
  return { reward: gamma ** (n - 1), later: gamma ** n };
}

/** Whether returns under both are the same thing: where nothing is discounted, steps are all one. */
export function isSameDiscount(a: Discount, b: Discount): boolean {
  return a.gamma === b.gamma && (a.gamma === 1 || a.steps === b.steps);
}
