/**
 * StarPO-S: token-PPO on the groups whose scores differ most. What differs from tokenPpo.ts is
 * settings: filter "reward-std", of which the share filterKeep of the groups remains; epsHigh 0.28;
 * no KL.
 *
 *   a group takes part if its std of R_b is among the highest, then as token-PPO
 *
 * Source: RAGEN, arXiv 2504.20073, sec. 4.2; mll-lab-nu/RAGEN ragen/trainer/rollout_filter.py.
 */
export { actorLoss, criticLoss, estimate } from "./tokenPpo.ts";
