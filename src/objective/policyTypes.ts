/** What a policy loss takes and gives. */
import type { RatioLevel } from "../spec/axes.ts";
import type { ClipRule } from "./clip.ts";
import type { ClipShares } from "./clipShares.ts";
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
