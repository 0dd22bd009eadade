/** The part that all rows share: the surrogate of a batch under a configuration (axes E to G). */
import { broadcast } from "../numeric/segments.ts";
import { tokenWeights, type LossTotals } from "../method/objective/aggregate.ts";
import { policyLoss } from "../method/objective/policyLoss.ts";
import { type PolicyLoss } from "../method/objective/policyTypes.ts";
import { offsetsOf } from "../method/objective/ratio.ts";
import { samplerWeights } from "../method/objective/sampler.ts";
import { requireColumn } from "../method/requireColumn.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { ownObjective, ownWeights } from "./ownObjective.ts";
import type { Credit } from "../method/estimator/estimator.ts";

/** The configured aggregation as a weight per token. [N] */
export function lossWeights(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  totals: LossTotals,
): Float64Array {
  if (config.own?.aggregation !== undefined) return ownWeights(config, batch, totals);
  return tokenWeights(config.aggregation, offsetsOf(batch), batch.turnStart, totals);
}

/** The same times the correction for the sampler's gap, which pulls towards other policies do not have. [N] */
function policyWeights(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  totals: LossTotals,
): Float64Array {
  const weight = lossWeights(config, batch, totals); // [N]
  const factor = samplerWeights(config, batch); // [N]
  return factor ? weight.map((w, t) => w * factor[t]!) : weight;
}

/**
 * The policy loss of every row: ratio level, clip rule and aggregation as configured, on the advantages of tokens. A
 * clip range that adapts has a factor per turn. @throws InputError naming a missing number.
 */
export function surrogateLoss(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  { tokenAdvantage, epsScale }: Pick<Credit, "tokenAdvantage" | "epsScale">,
  totals: LossTotals,
): PolicyLoss {
  const logprob = requireColumn(batch, "logprob", config.name); // [N]
  const withoutRatio = config.ratio === "none";
  const own = ownObjective(config);
  return policyLoss({
    logprob,
    oldLogprob: withoutRatio ? logprob : requireColumn(batch, "oldLogprob", config.name), // [N]
    adv: tokenAdvantage, // [N]
    offsets: offsetsOf(batch),
    weight: policyWeights(config, batch, totals), // [N]
    level: config.ratio,
    clip: config,
    ...(own && { own }),
    epsScale: epsScale && broadcast(epsScale, batch.tokenStart), // [N]
  });
}
