/**
 * GSPO: GRPO with one ratio per trajectory. What differs from grpo.ts is settings: ratio
 * "sequence-geomean", and a range some hundred times narrower, since a mean of many log-ratios
 * stays near 0.
 *
 *   A_b = (R_b - mean of the group) / (std of the group + 1e-6)
 *   L = -1/B sum_b min(s_b A_b, clip(s_b, 1 - epsLow, 1 + epsHigh) A_b)
 *   s_b = exp(mean of d_t over trajectory b)
 *
 * Source: arXiv 2507.18071, eq. 5 to 7; verl/trainer/ppo/core_algos.py, compute_policy_loss_gspo.
 */
export { actorLoss, criticLoss, estimate } from "./grpo.ts";
