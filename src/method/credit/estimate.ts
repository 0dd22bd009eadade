/** An estimator's result: advantages and returns, and their intermediates. */
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
  /** Factor of each turn's clip range, if the range adapts. [K] */
  epsScale?: Float64Array;
  /** Its intermediates. */
  trace: Trace;
}

/** The estimate of an algorithm without a critic: advantages only. */
export function criticFree(adv: AdvantagePair, trace: Trace): Estimate {
  return { adv, turnReturn: null, tokenReturn: null, delta: null, trace };
}
