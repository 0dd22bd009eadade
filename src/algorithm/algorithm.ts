/** What an estimator's lesson is made of, in the order in which it runs, and what comes of it. */
import type { Estimate } from "../method/credit/estimate.ts";
import type { Trace } from "../method/credit/trace.ts";
import type { LossTotals } from "../method/objective/aggregate.ts";
import type { ValueLoss } from "../method/objective/valueLoss.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

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
  /** How the advantages came to be, before any normalisation. */
  trace: Trace;
}

export interface Lesson {
  /**
   * From rewards and values to advantages and returns. @throws InputError naming a missing number.
   */
  estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate;
  /** The value loss and dL/dV; null without a critic or without new values. */
  criticLoss(
    config: AlgorithmConfig,
    batch: TrajectoryBatch,
    credit: Credit,
    totals: LossTotals,
  ): ValueLoss | null;
}
