/** The policy loss and its exact gradient: ratio level, clip rule and aggregation put together. */
import { segmentMean, segmentSum } from "../numeric/segments.ts";
import type { RatioLevel } from "../spec/axes.ts";
import { clippedSurrogate, type ClipRule } from "./clip.ts";
import { clipShares, type ClipShares } from "./clipShares.ts";
import { logGeomeanLoss } from "./logGeomeanLoss.ts";
import { importanceRatios, throughRatio, type Offsets } from "./ratio.ts";
import { reinforceLoss, weightLoss } from "./reinforceLoss.ts";

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
  /** Factor of each token's clip range where the rule is "adaptive"; all 1 if absent. [N] */
  epsScale?: Float64Array | null;
}

/** A policy input that has a ratio. */
export type RatioInput = PolicyInput & { level: Exclude<RatioLevel, "none"> };

export interface PolicyLoss {
  loss: number;
  /** [N] */
  dLogprob: Float64Array;
  /**
   * What the clip took away: without it the gradient would be dLogprob + dLogprobCut. Under a range
   * clip this is the gradient of -w A over the clipped units, minus the clipping bias C(theta) of
   * ST-PPO (arXiv 2511.20718, lemma 4.2) seen by the log-probs. [N]
   */
  dLogprobCut: Float64Array;
  /** Tokens of each unit, a unit being what is clipped as one. [U+1] */
  unit: Int32Array;
  /** Before the clip. [U] */
  ratio: Float64Array;
  /** 1 where the range clip decides the loss. [U] */
  clipped: Uint8Array;
  /** 1 where the dual clip does. [U] */
  clippedLower: Uint8Array;
  shares: ClipShares;
}

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
