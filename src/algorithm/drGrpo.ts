/**
 * Dr.GRPO: GRPO without its two divisors. What differs from grpo.ts is settings: std "none", since
 * dividing by it favours tasks that are nearly always or nearly never solved; a fixed horizon in
 * place of N_b, since dividing by it favours long wrong answers.
 *
 *   A_b = R_b - mean of the group
 *   L = -1/(B horizon) sum_b sum_t min(w_t A_b, clip(w_t, 1 - epsLow, 1 + epsHigh) A_b)
 *
 * Source: arXiv 2503.20783, sec. 3.2; verl: norm_adv_by_std_in_grpo=False,
 * seq-mean-token-sum-norm.
 */
export { actorLoss, criticLoss, estimate } from "./grpo.ts";
