/** Shares of what a clip did; 0 if there are no tokens. */
import { segmentLengths } from "../../numeric/segments.ts";

export interface ClipShares {
  /** Share of tokens whose unit a range clip decides: verl's actor/pg_clipfrac. */
  clipped: number;
  /** Share of tokens whose unit the dual clip decides: verl's actor/pg_clipfrac_lower. */
  clippedLower: number;
  /** The part of `clipped` whose ratio is below 1; there A < 0 unless the rule is "weight". */
  low: number;
  /** The part of `clipped` whose ratio is above 1; there A > 0 unless the rule is "weight". */
  high: number;
  /** |cut| / (|kept| + |cut|), absolute values summed over tokens; 0 without any gradient. */
  cut: number;
}

/** A policy's gradient, and the part that a clip removed. */
export interface ClippedGradient {
  /** [N] */
  dLogprob: Float64Array;
  /**
   * The part that the clip removed: without it the gradient would be dLogprob + dLogprobCut. Under
   * a range clip this is the gradient of -w A over the clipped units, minus the clipping bias
   * C(theta) of ST-PPO (arXiv 2511.20718, lemma 4.2) seen by the log-probs. [N]
   */
  dLogprobCut: Float64Array;
  /** Tokens of each unit, a unit being what is clipped together. [U+1] */
  unit: Int32Array;
  /** Ratio before the clip. [U] */
  ratio: Float64Array;
  /** 1 where the range clip decides the loss. [U] */
  clipped: Uint8Array;
  /** 1 where the dual clip decides it. [U] */
  clippedLower: Uint8Array;
}

export function clipShares(result: ClippedGradient): ClipShares {
  const { unit, ratio, clipped, clippedLower } = result;
  const tokens = segmentLengths(unit); // [U]
  const share = (counts: (u: number) => boolean) =>
    tokens.reduce((sum, n, u) => sum + (counts(u) ? n : 0), 0) / Math.max(1, unit.at(-1)!);
  return {
    clipped: share((u) => clipped[u] === 1),
    clippedLower: share((u) => clippedLower[u] === 1),
    low: share((u) => clipped[u] === 1 && ratio[u]! < 1),
    high: share((u) => clipped[u] === 1 && ratio[u]! > 1),
    cut: cutShare(result),
  };
}

function cutShare({ dLogprob, dLogprobCut }: ClippedGradient): number {
  const [kept, cut] = [absoluteSum(dLogprob), absoluteSum(dLogprobCut)];
  return cut === 0 ? 0 : cut / (kept + cut);
}

function absoluteSum(x: Float64Array): number {
  return x.reduce((sum, g) => sum + Math.abs(g), 0);
}
