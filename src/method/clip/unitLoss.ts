/** The loss of a rule whose units are what one ratio covers, and its gradient through that ratio. */
import { segmentMean, segmentSum } from "../../numeric/segments.ts";
import { clipShares } from "../objective/clipShares.ts";
import type { PolicyLoss, RatioInput } from "../objective/policyTypes.ts";
import { log } from "../../numeric/deterministic.ts";
import {
  importanceRatios,
  throughRatio,
  tokenLogRatios,
  ratioUnits,
  type Ratios,
} from "../objective/ratio.ts";

export interface Surrogate {
  /** [U] */
  loss: Float64Array;
  /** d loss / d ratio. [U] */
  dRatio: Float64Array;
  /** 1 where the range clip decides the loss. [U] */
  clipped: Uint8Array;
  /** 1 where the dual clip decides it. [U] */
  clippedLower: Uint8Array;
}

/** sum over units of (sum of the unit's weights) x (its loss). `of`: from the units' ratios and advantages [U], and their tokens [U+1]. */
export function lossOfUnits(
  input: RatioInput,
  of: (ratio: Float64Array, adv: Float64Array, unit: Int32Array) => Surrogate,
): PolicyLoss {
  const ratios = ratiosOf(input);
  const adv = ofUnits(input, ratios.unit, input.adv); // [U]
  const surrogate = of(ratios.ratio, adv, ratios.unit);
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

/** Of a policy's input, whose ratio may be its own; a clamped log-ratio has no derivative. */
export function ratiosOf({ level, logprob, oldLogprob, offsets, own }: RatioInput): Ratios {
  if (!own?.ratio) return importanceRatios(level, logprob, oldLogprob, offsets);
  const d = tokenLogRatios(logprob, oldLogprob); // [N]
  const unit = ratioUnits(level, offsets, d.length); // [U+1]
  const { value, derivative } = own.ratio(d, unit);
  const dRatio = derivative.map((g, t) => (d[t] === logprob[t]! - oldLogprob[t]! ? g : 0)); // [N]
  return { unit, logRatio: value.map(log), ratio: value, dRatio };
}

/** Mean over each unit's tokens; exact where they are all equal, as broadcast advantages are. [N] -> [U] */
export function ofUnits(
  { level }: Pick<RatioInput, "level">,
  unit: Int32Array,
  x: Float64Array,
): Float64Array {
  if (level === "token") return x;
  return segmentMean(x, unit).map((mean, u) => {
    const own = x.subarray(unit[u]!, unit[u + 1]!); // [n_u]
    return own.every((v) => v === own[0]) ? own[0]! : mean;
  });
}
