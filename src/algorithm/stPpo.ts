/**
 * ST-PPO: turn-level importance sampling and the clipping-bias correction together. What differs
 * from turnPpoSt.ts is a setting: clipBias, the denominator of the gradient, of which several
 * readings can be chosen. The trainer divides, since |C| is the norm of a gradient with respect to
 * parameters.
 *
 *   gradient of L / max(1, |C| / kappa)
 *   C = 1/B sum_b 1/N_b sum over clipped turns h, t in h, of w_h A_h gradient of log pi(y_t)
 *
 * Source: arXiv 2511.20718, eq. 4 and 7 to 9 (read through notes and a review; no author code).
 */
export { actorLoss, criticLoss, estimate } from "./turnPpoSt.ts";
