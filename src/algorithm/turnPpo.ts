/**
 * Turn-PPO: PPO whose time steps are turns. V(s_h) is read at the state-end, the last token of turn
 * h's query; a response is one action, with one ratio, clipped as a whole.
 * Source: arXiv 2512.17008 (turn-level MDP, turn GAE, product ratio; loss per table 1).
 */
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import { turnValueWeights, type ValueLoss } from "../objective/valueLoss.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit, Estimate } from "./algorithm.ts";
import { surrogateLoss } from "./surrogate.ts";
import { turnCriticLoss, turnEstimate } from "./turnCritic.ts";

/**
 * delta_h = r_h + gamma V_{h+1} - V_h,  A_h = delta_h + gamma lambda A_{h+1},  R_h = A_h + V_h
 * over turns, V_h = V(s_h), or as valueAt says
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  return turnEstimate(config, batch);
}

/**
 * L = -1/B sum_b 1/N_b sum_h min(w_h A_h, clip(w_h, 1 - epsLow, 1 + epsHigh) A_h)
 * w_h = exp(sum of d_t over turn h)
 */
export function actorLoss(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: Totals,
): PolicyLoss {
  return surrogateLoss(config, batch, credit.tokenAdvantage, totals);
}

/** L = 1/2 1/B sum_b 1/K_b sum_h max((V_h - R_h)^2, (clip(V_h, Vold_h +- c) - R_h)^2) */
export function criticLoss(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: Totals,
): ValueLoss | null {
  return turnCriticLoss(config, batch, credit, turnValueWeights(batch.turnStart, totals));
}
