/**
 * Losses whose gradient is a constant weight times that of the log-prob. REINFORCE has the weight 1; the clip rule
 * `weight` (CISPO) has others.
 *
 *   L_t = -A_t log pi(y_t)
 *
 * Sources: Williams 1992, Machine Learning 8, eq. 11; verl/trainer/ppo/core_algos.py, compute_policy_loss_reinforce.
 */
import { broadcast, singletons } from "../../numeric/segments.ts";
import { clipShares } from "./clipShares.ts";
import type { PolicyInput, PolicyLoss } from "./policyTypes.ts";

export function reinforceLoss(input: PolicyInput): PolicyLoss {
  const one = new Float64Array(input.logprob.length).fill(1); // [N]
  return constantWeights(input, singletons(one.length), one, one);
}

/** ratio and held: each unit's weight before and after the clip. [U] */
export function constantWeights(
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
