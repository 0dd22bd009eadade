/** Input and output of a policy loss. */
import type { NumberSettings } from "../numbers.ts";
import type { ClippedGradient, ClipShares } from "./clipShares.ts";
import type { Offsets, RatioLevel, RatioName } from "./ratio.ts";

/** The numbers of a clip; dualClip null for no dual clip. */
export type ClipRange = Pick<NumberSettings, "epsLow" | "epsHigh" | "dualClip">;

/** Every number that some clip rule reads. */
export type ClipNumbers = ClipRange &
  Pick<NumberSettings, "tauPos" | "tauNeg" | "covShare" | "covLow" | "covHigh" | "covPull">;

/** Functions in place of the level's pooling and of the clip rule, each with its derivative. */
export interface OwnObjective {
  /** From clamped log-ratios of tokens [N], by unit [U+1]: positive ratios [U], and each one's derivative by its tokens' log-ratios [N]. */
  ratio?: (d: Float64Array, unit: Int32Array) => { value: Float64Array; derivative: Float64Array };
  /** From ratios and advantages: what each unit adds to the objective, and its derivative by the ratio. All [U]. */
  clip?: (
    ratio: Float64Array,
    adv: Float64Array,
  ) => { value: Float64Array; derivative: Float64Array };
}

export interface PolicyInput {
  logprob: Float64Array; // [N]

  /** Ignored at level "none". [N] */
  oldLogprob: Float64Array;
  /** Constant: no gradient flows into it. A longer unit uses the mean over its tokens. [N] */
  adv: Float64Array;
  offsets: Offsets;
  /** Aggregation weight of each token. [N] */
  weight: Float64Array;
  level: RatioName;
  clip: ClipNumbers;
  /** Factor of each token's clip range if the rule is "adaptive"; all 1 if absent. [N] */
  epsScale?: Float64Array | null;
  /** Absent: level and clip say all. */
  own?: OwnObjective;
}

/** A policy input that has a ratio. */
export type RatioInput = PolicyInput & { level: RatioLevel };

export interface PolicyLoss extends ClippedGradient {
  loss: number;
  shares: ClipShares;
  /** 1 where the rule picked the unit from among the batch's; absent if it picks none. [U] */
  picked?: Uint8Array;
}
