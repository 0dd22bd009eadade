/**
 * Turn-PPO as GEM and oat have it: a value per turn and turn GAE, with a ratio per token.
 * VAGEN-Lite's no_concat_gae is the same but for whitening over tokens. What differs from
 * turnPpoVagen.ts is settings: valueAt "state-end", gamma 0.99, lambda 0.9, whiten
 * "turns-population".
 *
 *   V_h = V(s_h), read before acting; the rest as in turnPpoVagen.ts
 *
 * Source: GEM, arXiv 2510.01051; sail-sg/oat oat/algorithms/ppo_multiturn.py; VAGEN
 * vagen/custom_advantage/no_concat_gae.py.
 */
export { actorLoss, criticLoss, estimate } from "./turnPpoVagen.ts";
