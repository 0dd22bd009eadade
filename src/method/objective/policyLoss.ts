/** The policy loss and its exact gradient: ratio level, clip rule and aggregation put together. */
import { segmentMean, segmentSum } from "../../numeric/segments.ts";
import { clippedSurrogate } from "./clip.ts";
import { clipShares } from "./clipShares.ts";
import { logGeomeanLoss } from "./logGeomeanLoss.ts";
import type { PolicyInput, PolicyLoss, RatioInput } from "./policyTypes.ts";
import { importanceRatios, throughRatio } from "./ratio.ts";
import { reinforceLoss, weightLoss } from "./reinforceLoss.ts";

/** The loss under the input's clip rule; without a ratio there is nothing to clip. */
export function policyLoss(input: PolicyInput): PolicyLoss {
  if (!hasRatio(input)) return reinforceLoss(input);
  if (input.clip.clip === "weight") return weightLoss(input);
  if (input.clip.clip === "log-geomean") return logGeomeanLoss(input);
  return rangeLoss(input);
}

function hasRatio(input: PolicyInput): input is RatioInput {
  return input.level !== "none";
}

/** sum over units of (sum of the unit's weights) x (its clipped surrogate). */
function rangeLoss(input: RatioInput): PolicyLoss {
  const { logprob, oldLogprob, level, offsets, clip } = input;
  const ratios = importanceRatios(level, logprob, oldLogprob, offsets);
  const ofUnits = (x: Float64Array) => (level === "token" ? x : unitMean(x, ratios.unit)); // [U]
  const adv = ofUnits(input.adv); // [U]
  const scale = clip.clip === "adaptive" && input.epsScale ? ofUnits(input.epsScale) : null; // [U]
  const surrogate = clippedSurrogate(ratios.ratio, adv, clip, scale);
  const weight = segmentSum(input.weight, ratios.unit); // [U]
  const result = {
    dLogprob: throughRatio(surrogate.dRatio, weight, ratios),
    dLogprobCut: throughRatio(
      surrogate.dRatio.map((g, u) => -adv[u]! - g),
      weight,
      ratios,
    ),
    unit: ratios.unit,
    ratio: ratios.ratio,
    clipped: surrogate.clipped,
    clippedLower: surrogate.clippedLower,
  };
  const loss = surrogate.loss.reduce((sum, l, u) => sum + l * weight[u]!, 0);
  return { loss, ...result, shares: clipShares(result) };
}

/**
 * Mean over each unit's tokens; exact where they are all equal, as broadcast advantages are. [N] ->
 * [U]
 */
function unitMean(x: Float64Array, unit: Int32Array): Float64Array {
  return segmentMean(x, unit).map((mean, u) => {
    const own = x.subarray(unit[u]!, unit[u + 1]!); // [n_u]
    return own.every((v) => v === own[0]) ? own[0]! : mean;
  });
}
