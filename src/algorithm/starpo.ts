/**
 * StarPO: RAGEN's PPO over all thinking and acting tokens of all turns. What differs from
 * tokenPpo.ts is a setting: betaKlReward, the k1 to the reference that every token pays.
 *
 *   r_t <- r_t - betaKlReward (log pi_old(y_t) - log pi_ref(y_t)), then as token-PPO
 *
 * Source: RAGEN, arXiv 2504.20073, sec. 3 and app. B.2.
 */
export { actorLoss, criticLoss, estimate } from "./tokenPpo.ts";
