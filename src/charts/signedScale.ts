/**
 * Numbers to colour on a signed scale: 0 is the background, positive goes to blue, negative to red. The ends are
 * the 2 and 98 % quantiles, the same distance from 0, so that one outlier does not bleach the rest; the largest where nearly
 * all are 0.
 */
import { greatest } from "../numeric/lists.ts";
import { quantile } from "../numeric/statistics.ts";
import { isZeroBeside, zeroBeside } from "../numeric/format.ts";

export interface SignedTone {
  sign: "positive" | "negative" | "zero";
  /** 0 is the background, 1 the full tone. */
  strength: number;
}

export type SignedScale = (value: number) => SignedTone;

/** `size`: of the largest number in the same unit that they stand beside, else of their own. */
export function signedScale(values: readonly number[], size = largestSize(values)): SignedScale {
  const limit = signedLimit(values, size);
  return (value) => {
    if (!Number.isFinite(value) || limit === 0 || isZeroBeside(value, size)) return NO_TONE;
    const strength = Math.min(1, Math.abs(value) / limit);
    return { sign: value > 0 ? "positive" : "negative", strength };
  };
}

/** As classes of styles have it; none for what counts as 0. */
export function signClass(value: number, size?: number): "plus" | "minus" | undefined {
  if (isZeroBeside(value, size)) return undefined;
  return value < 0 ? "minus" : "plus";
}

const NO_TONE: SignedTone = { sign: "zero", strength: 0 };

/** The largest of them, whatever its sign; 0 of none. */
export function largestSize(values: readonly number[]): number {
  return greatest([0, ...values.filter(Number.isFinite).map(Math.abs)]);
}

/** The full tone is worth this many of what counts as 0, or more: what hardly differs from 0 is pale. */
const FULL_TONE = 10;

/** Distance from 0 that gets the full tone; 0 where there is none. */
export function signedLimit(values: readonly number[], size = largestSize(values)): number {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0 || isZeroBeside(size)) return 0;
  const ends = Math.max(Math.abs(quantile(finite, 0.02)), Math.abs(quantile(finite, 0.98)));
  return Math.max(ends > 0 ? ends : largestSize(finite), FULL_TONE * zeroBeside(size));
}

/** Share of the tone in the mix at full strength: text on it stays readable in both themes. */
const FULL_MIX = 55;

const TOKENS = { positive: "plus", negative: "minus" };

/** The tone as a CSS background that works in both themes. */
export function toneBackground({ sign, strength }: SignedTone): string {
  if (sign === "zero") return "transparent";
  return `color-mix(in srgb, var(--${TOKENS[sign]}) ${Math.round(strength * FULL_MIX)}%, var(--page))`;
}
