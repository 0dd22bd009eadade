/**
 * CISPO: REINFORCE's gradient with the clipped ratio as a constant weight. What differs from
 * grpo.ts is settings: clip "weight", so that a token outside the range keeps its gradient; no
 * lower limit; a mean over all tokens.
 *
 *   A_b = (R_b - mean of the group) / (std of the group + 1e-6)
 *   L = -1/N sum_t constant(clip(w_t, 1 - epsLow, 1 + epsHigh)) A_b log pi(y_t)
 *   w_t = exp(d_t)
 *
 * Source: MiniMax-M1, arXiv 2506.13585, eq. 4; verl/trainer/ppo/core_algos.py,
 * compute_policy_loss_cispo.
 */
export { actorLoss, criticLoss, estimate } from "./grpo.ts";
