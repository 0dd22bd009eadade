/**
 * DAPO: GRPO with a higher upper clip, a mean over all tokens, and without the groups whose scores
 * are all equal. What differs from grpo.ts is settings: epsHigh 0.28, aggregation "token-mean",
 * filter "mixed". Its soft penalty for overlong answers is the environment's to pay.
 *
 *   A_b = (R_b - mean of the group) / (std of the group + 1e-6)
 *   L = -1/N sum_t min(w_t A_b, clip(w_t, 1 - epsLow, 1 + epsHigh) A_b)
 *
 * Source: arXiv 2503.14476, sec. 3.1 to 3.3.
 */
export { actorLoss, criticLoss, estimate } from "./grpo.ts";
