/**
 * Turn-PPO as VAGEN has it (turn_wise_gae): turn GAE on a token critic read at turn ends, with a
 * ratio per token. It shares its name and its time steps with turnPpo.ts.
 * Source: VAGEN, arXiv 2510.16907; docs/configs/algo-config.md and its fork of verl,
 * compute_turn_wise_gae_advantage_return.
 */
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import type { ValueLoss } from "../objective/valueLoss.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit, Estimate } from "./algorithm.ts";
import { surrogateLoss } from "./surrogate.ts";
import { turnCriticLoss, turnEstimate } from "./turnCritic.ts";

/**
 * delta_h = r_h + gamma V_{h+1} - V_h,  A_h = delta_h + gamma lambda A_{h+1},  R_h = A_h + V_h
 * over turns, V_h = V before the last token of turn h
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  return turnEstimate(config, batch);
}

/**
 * L = -1/N sum_t min(w_t A_h, clip(w_t, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 * w_t = exp(d_t)
 */
export function actorLoss(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: Totals,
): PolicyLoss {
  return surrogateLoss(config, batch, credit.tokenAdvantage, totals);
}

/** L = 1/2 1/K sum_h max((V_h - R_h)^2, (clip(V_h, Vold_h +- c) - R_h)^2) */
export function criticLoss(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: Totals,
): ValueLoss | null {
  const weight = new Float64Array(batch.turnReward.length).fill(1 / totals.turns); // [K]
  return turnCriticLoss(config, batch, credit, weight);
}
