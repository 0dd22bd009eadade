/** What the named algorithms share: the surrogate of a batch under a configuration. */
import { broadcast, composeOffsets } from "../numeric/segments.ts";
import { tokenWeights, type Totals } from "../objective/aggregate.ts";
import { policyLoss } from "../objective/policyLoss.ts";
import { type PolicyLoss } from "../objective/policyTypes.ts";
import type { Offsets } from "../objective/ratio.ts";
import { requireColumn } from "../record/requireColumn.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/** Tokens of each turn and each trajectory. */
export function offsetsOf(batch: TrajectoryBatch): Offsets {
  const { turnStart, tokenStart } = batch;
  return { turn: tokenStart, trajectory: composeOffsets(turnStart, tokenStart) };
}

/** The configured aggregation as a weight per token. [N] */
export function lossWeights(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  totals: Totals,
): Float64Array {
  return tokenWeights(config.aggregation, offsetsOf(batch), batch.turnStart, totals);
}

/**
 * Ratio level, clip rule and aggregation as configured, on per-token advantages. adv [N]; epsScale
 * is the factor of each turn's clip range where the range adapts, null where all are 1. [K]
 */
export function surrogateLoss(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  adv: Float64Array,
  totals: Totals,
  epsScale: Float64Array | null = null,
): PolicyLoss {
  const logprob = requireColumn(batch, "logprob", config.name); // [N]
  const withoutRatio = config.ratio === "none";
  return policyLoss({
    logprob,
    oldLogprob: withoutRatio ? logprob : requireColumn(batch, "oldLogprob", config.name), // [N]
    adv,
    offsets: offsetsOf(batch),
    weight: lossWeights(config, batch, totals), // [N]
    level: config.ratio,
    clip: config,
    epsScale: epsScale && broadcast(epsScale, batch.tokenStart), // [N]
  });
}
