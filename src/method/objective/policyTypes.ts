/** What a policy loss takes and gives. */
import type { RatioLevel } from "../axes.ts";
import type { ClipRule } from "./clip.ts";
import type { ClippedGradient, ClipShares } from "./clipShares.ts";
import type { Offsets } from "./ratio.ts";

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

export interface PolicyLoss extends ClippedGradient {
  loss: number;
  shares: ClipShares;
}
