/**
 * GMPO: GRPO on the geometric mean of token ratios. What differs from grpo.ts is settings: ratio
 * "sequence-geomean", clip "log-geomean" (each token's log-ratio is held in the range before the
 * mean is taken, so that no single token can cut the others' gradient), a wider range.
 *
 *   A_b = (R_b - mean of the group) / (std of the group + 1e-6)
 *   L = -1/B sum_b A_b exp(mean of the held d_t over trajectory b)
 *
 * Source: arXiv 2507.20673, eq. 4; verl/trainer/ppo/core_algos.py, compute_policy_loss_geo_mean.
 */
export { actorLoss, criticLoss, estimate } from "./grpo.ts";
