/**
 * Losses whose gradient is a constant weight times that of the log-prob:
 *
 *   REINFORCE  L_t = -A_t log pi(y_t)
 *   CISPO      L_t = -sg[clip(w, 1 - epsLow, 1 + epsHigh)] A_t log pi(y_t)
 *
 * No token of CISPO's loses its gradient; a clipped weight loses what is beyond the range.
 *
 * Sources: Williams 1992, Machine Learning 8, eq. 11; CISPO: MiniMax-M1, arXiv 2506.13585, eq. 4
 * and 5; verl/trainer/ppo/core_algos.py, compute_policy_loss_reinforce and compute_policy_loss_cispo.
 */
import { broadcast, singletons } from "../../numeric/segments.ts";
import { clampRatio } from "./clip.ts";
import { clipShares } from "./clipShares.ts";
import type { PolicyLoss } from "./policyTypes.ts";
import type { RatioInput } from "./policyTypes.ts";
import type { PolicyInput } from "./policyTypes.ts";
import { importanceRatios } from "./ratio.ts";

export function reinforceLoss(input: PolicyInput): PolicyLoss {
  const one = new Float64Array(input.logprob.length).fill(1); // [N]
  return constantWeights(input, singletons(one.length), one, one);
}

/** The ratio of each token's unit, clipped, is its weight. */
export function weightLoss(input: RatioInput): PolicyLoss {
  const { logprob, oldLogprob, offsets, clip } = input;
  const { unit, ratio } = importanceRatios(input.level, logprob, oldLogprob, offsets);
  const held = ratio.map((w) => clampRatio(w, clip.epsLow, clip.epsHigh)); // [U]
  return constantWeights(input, unit, ratio, held);
}

/** ratio and held: each unit's weight before and after the clip. [U] */
function constantWeights(
  { logprob, adv, weight }: PolicyInput,
  unit: Int32Array,
  ratio: Float64Array,
  held: Float64Array,
): PolicyLoss {
  const keep = broadcast(held, unit); // [N]
  const lose = broadcast(
    ratio.map((w, u) => w - held[u]!),
    unit,
  ); // [N]
  const result = {
    dLogprob: keep.map((w, t) => -weight[t]! * adv[t]! * w),
    dLogprobCut: lose.map((w, t) => -weight[t]! * adv[t]! * w),
    unit,
    ratio,
    clipped: Uint8Array.from(ratio, (w, u) => (w === held[u] ? 0 : 1)), // [U]
    clippedLower: new Uint8Array(ratio.length), // [U]
  };
  const loss = logprob.reduce((sum, x, t) => sum + result.dLogprob[t]! * x, 0);
  return { loss, ...result, shares: clipShares(result) };
}
