/** What an estimator gives: advantages and returns, and how it came to them. */
import type { AdvantagePair } from "./givenAdvantage.ts";
import type { Trace } from "./trace.ts";

/** Advantages, returns and TD errors before normalisation. */
export interface Estimate {
  adv: AdvantagePair;
  /** Regression targets of a turn critic. [K] */
  turnReturn: Float64Array | null;
  /** Regression targets of a token critic. [N] */
  tokenReturn: Float64Array | null;
  /** TD errors of the critic's steps. [K] or [N] */
  delta: Float64Array | null;
  /** Factor of each turn's clip range, where the range adapts. [K] */
  epsScale?: Float64Array;
  /** Its intermediates. */
  trace: Trace;
}

/** What an algorithm without a critic estimates: advantages alone. */
export function criticFree(adv: AdvantagePair, trace: Trace): Estimate {
  return { adv, turnReturn: null, tokenReturn: null, delta: null, trace };
}
