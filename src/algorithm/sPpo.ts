/**
 * S-PPO: token-PPO whose gradient is divided by the size of what the clip cut. What differs from
 * tokenPpo.ts is settings: clipBias (the denominator, of which several readings can be chosen), no
 * whitening, a mean over trajectories. The trainer divides, since |C| is the norm of a gradient
 * with respect to parameters.
 *
 *   gradient of L / max(1, |C| / kappa)
 *   C = 1/B sum_b 1/N_b sum over clipped t of w_t A_t gradient of log pi(y_t)
 *
 * Source: arXiv 2511.20718, eq. 7 to 9 (read through notes and a review; no author code).
 */
export { actorLoss, criticLoss, estimate } from "./tokenPpo.ts";
