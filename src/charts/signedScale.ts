/**
 * Numbers to colour on a signed scale: 0 is the background, positive goes to blue, negative to red. The ends are
 * the 2 and 98 % quantiles, the same distance from 0, so that one outlier does not bleach the rest; the largest where nearly
 * all are 0.
 */
import { greatest } from "../numeric/lists.ts";
import { quantile } from "../numeric/statistics.ts";

export interface SignedTone {
  sign: "positive" | "negative" | "zero";
  /** 0 is the background, 1 the full tone. */
  strength: number;
}

export type SignedScale = (value: number) => SignedTone;

export function signedScale(values: readonly number[]): SignedScale {
  const limit = signedLimit(values);
  return (value) => {
    if (!Number.isFinite(value) || value === 0 || limit === 0) return { sign: "zero", strength: 0 };
    const strength = Math.min(1, Math.abs(value) / limit);
    return { sign: value > 0 ? "positive" : "negative", strength };
  };
}

/** Distance from 0 that gets the full tone. */
export function signedLimit(values: readonly number[]): number {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return 0;
  const ends = Math.max(Math.abs(quantile(finite, 0.02)), Math.abs(quantile(finite, 0.98)));
  return ends > 0 ? ends : greatest(finite.map(Math.abs));
}

/** Share of the tone in the mix at full strength: text on it stays readable in both themes. */
const FULL_MIX = 55;

const TOKENS = { positive: "plus", negative: "minus" };

/** The tone as a CSS background that works in both themes. */
export function toneBackground({ sign, strength }: SignedTone): string {
  if (sign === "zero") return "transparent";
  return `color-mix(in srgb, var(--${TOKENS[sign]}) ${Math.round(strength * FULL_MIX)}%, var(--page))`;
}
