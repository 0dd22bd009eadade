/** What a named algorithm is made of: three pure functions, in the order in which they run. */
import type { AdvantagePair } from "../credit/givenAdvantage.ts";
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import type { ValueLoss } from "../objective/valueLoss.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

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
}

/** What an algorithm without a critic estimates: advantages alone. */
export function criticFree(adv: AdvantagePair): Estimate {
  return { adv, turnReturn: null, tokenReturn: null, delta: null };
}

/** An estimate whose advantages are normalised: what the objective takes as constants. */
export interface Credit {
  /** [K] */
  turnAdvantage: Float64Array;
  /** [N] */
  tokenAdvantage: Float64Array;
  /** [K] */
  turnReturn: Float64Array | null;
  /** [N] */
  tokenReturn: Float64Array | null;
  /** [K] or [N] */
  delta: Float64Array | null;
  /** Factor of each turn's clip range; null where all are 1. [K] */
  epsScale: Float64Array | null;
  /** 1 for the trajectories that take part in the updates; null where all do. [B] */
  kept: Uint8Array | null;
}

export interface Algorithm {
  /**
   * From rewards and values to advantages and returns. @throws InputError naming a missing number.
   */
  estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate;
  /** The policy loss and dL/dlogprob. @throws InputError naming a missing number. */
  actorLoss(
    config: AlgorithmConfig,
    batch: TrajectoryBatch,
    credit: Credit,
    totals: Totals,
  ): PolicyLoss;
  /** The value loss and dL/dV; null without a critic or without new values. */
  criticLoss(
    config: AlgorithmConfig,
    batch: TrajectoryBatch,
    credit: Credit,
    totals: Totals,
  ): ValueLoss | null;
}
