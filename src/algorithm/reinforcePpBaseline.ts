/**
 * REINFORCE++ baseline: the score minus the group's mean, normalised over the tokens of the whole
 * batch. What differs from grpo.ts is settings: std "none" (no group has a divisor of its own),
 * whiten "tokens" (one divisor for all), a mean over all tokens.
 *
 *   A_b = whiten(R_b - mean of the group)
 *   L = -1/N sum_t min(w_t A_b, clip(w_t, 1 - epsLow, 1 + epsHigh) A_b)
 *
 * Source: arXiv 2501.03262, sec. 3; verl/trainer/ppo/core_algos.py,
 * compute_reinforce_plus_plus_baseline_outcome_advantage.
 */
export { actorLoss, criticLoss, estimate } from "./grpo.ts";
