/** The policy loss and its exact gradient: ratio level, clip rule and aggregation put together. */
import { broadcast, segmentMean, segmentSum, singletons } from "../numeric/segments.ts";
import type { RatioLevel } from "../spec/axes.ts";
import { clippedSurrogate, type ClipRule } from "./clip.ts";
import { importanceRatios, type Offsets } from "./ratio.ts";

export interface PolicyInput {
  logprob: Float64Array; // [N]
  /** Ignored at level "none". [N] */
  oldLogprob: Float64Array;
  /** Constant: no gradient flows into it. A longer unit takes the mean over its tokens. [N] */
  adv: Float64Array;
  offsets: Offsets;
  /** Aggregation weight of each token. [N] */
  weight: Float64Array;
  level: RatioLevel;
  clip: ClipRule;
}

export interface PolicyLoss {
  loss: number;
  /** [N] */
  dLogprob: Float64Array;
  /** Tokens of each unit. [U+1] */
  unit: Int32Array;
  /** [U] */
  ratio: Float64Array;
  /** 1 where the range clip decides the loss. [U] */
  clipped: Uint8Array;
  /** 1 where the dual clip does. [U] */
  clippedLower: Uint8Array;
}

/** sum over units of (sum of the unit's weights) x (its clipped surrogate). */
export function policyLoss(input: PolicyInput): PolicyLoss {
  const { logprob, oldLogprob, level, offsets } = input;
  if (level === "none") return reinforceLoss(input);
  const ratios = importanceRatios(level, logprob, oldLogprob, offsets);
  const adv = level === "token" ? input.adv : unitAdvantage(input.adv, ratios.unit); // [U]
  const surrogate = clippedSurrogate(ratios.ratio, adv, input.clip);
  const weight = segmentSum(input.weight, ratios.unit); // [U]
  const dUnit = surrogate.dRatio.map((g, u) => g * weight[u]!); // [U]
  const upstream = broadcast(dUnit, ratios.unit); // [N]
  return {
    loss: surrogate.loss.reduce((sum, l, u) => sum + l * weight[u]!, 0),
    dLogprob: ratios.dRatio.map((g, t) => g * upstream[t]!),
    unit: ratios.unit,
    ratio: ratios.ratio,
    clipped: surrogate.clipped,
    clippedLower: surrogate.clippedLower,
  };
}

/**
 * Mean over each unit's tokens; exact where they are all equal, as broadcast advantages are. [N] ->
 * [U]
 */
function unitAdvantage(adv: Float64Array, unit: Int32Array): Float64Array {
  return segmentMean(adv, unit).map((mean, u) => {
    const own = adv.subarray(unit[u]!, unit[u + 1]!); // [n_u]
    return own.every((A) => A === own[0]) ? own[0]! : mean;
  });
}

/** No ratio and no clip: L_t = -A_t log pi(y_t). REINFORCE, Williams 1992. */
function reinforceLoss({ logprob, adv, weight }: PolicyInput): PolicyLoss {
  return {
    loss: logprob.reduce((sum, x, t) => sum - weight[t]! * adv[t]! * x, 0),
    dLogprob: logprob.map((_, t) => -weight[t]! * adv[t]!),
    unit: singletons(logprob.length),
    ratio: new Float64Array(logprob.length).fill(1), // [N]
    clipped: new Uint8Array(logprob.length), // [N]
    clippedLower: new Uint8Array(logprob.length), // [N]
  };
}
