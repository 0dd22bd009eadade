/**
 * Numbers to colours on a signed scale: 0 is the background, positive is blue, negative red.
 */
import { largestSize } from "../numeric/lists.ts";
import { isZeroBeside } from "../numeric/format.ts";
import { signedLimit } from "../numeric/signedLimit.ts";

export interface SignedTone {
  sign: "positive" | "negative" | "zero";
  /** 0 is the background, 1 the full tone. */
  strength: number;
}

export type SignedScale = (value: number) => SignedTone;

/** `size`: the largest number in the same unit that is shown with them, else their own. */
export function signedScale(values: readonly number[], size = largestSize(values)): SignedScale {
  const limit = signedLimit(values, size);
  return (value) => {
    if (!Number.isFinite(value) || limit === 0 || isZeroBeside(value, size)) return NO_TONE;
    const strength = Math.min(1, Math.abs(value) / limit);
    return { sign: value > 0 ? "positive" : "negative", strength };
  };
}

/** CSS class; none for what counts as 0. */
export function signClass(value: number, size?: number): "plus" | "minus" | undefined {
  if (isZeroBeside(value, size)) return undefined;
  return value < 0 ? "minus" : "plus";
}

const NO_TONE: SignedTone = { sign: "zero", strength: 0 };

/** Share of the tone in the mix at full strength: text on it stays readable in both themes. */
const FULL_MIX = 50;

const TOKENS = { positive: "plus", negative: "minus" };

/** The tone as a CSS background that works in both themes. */
export function toneBackground({ sign, strength }: SignedTone): string {
  if (sign === "zero") return "transparent";
  return `color-mix(in srgb, var(--${TOKENS[sign]}) ${Math.round(strength * FULL_MIX)}%, var(--page))`;
}
