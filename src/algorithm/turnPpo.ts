/**
 * Turn-PPO: PPO whose time steps are turns. V(s_h) is read at the state-end, the last token of turn
 * h's query; a response is one action, with one ratio, clipped as a whole.
 *
 *   L = -1/B sum_b 1/N_b sum_h min(w_h A_h, clip(w_h, 1 - epsLow, 1 + epsHigh) A_h)
 *   w_h = exp(sum of d_t over turn h)
 *
 * Rows that differ by settings: Turn-PPO as VAGEN has it (values at turn ends, a ratio per token) and
 * as GEM has it (a ratio per token).
 * Source: arXiv 2512.17008 (turn-level MDP, turn GAE, product ratio; loss per table 1).
 */
import type { Estimate } from "../method/credit/estimate.ts";
import { gae } from "../method/credit/gae.ts";
import { fromTurns } from "../method/credit/givenAdvantage.ts";
import { bootstraps, turnRewards } from "../method/credit/rewards.ts";
import { tokenTargets } from "../method/credit/turnValues.ts";
import type { LossTotals } from "../method/objective/aggregate.ts";
import type { ValueLoss } from "../method/objective/valueLoss.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit } from "./algorithm.ts";
import { turnCriticLoss, turnValues } from "./turnCritic.ts";

/**
 * delta_h = r_h + gamma V_{h+1} - V_h,  A_h = delta_h + gamma lambda A_{h+1},  R_h = A_h + V_h
 * over turns, V_h = V(s_h), or as valueAt says
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const { valueAt, gamma, lambda } = config;
  const value = turnValues(config, batch, "Value"); // [K]
  const { delta, adv, ret } = gae({
    reward: turnRewards(batch), // [K]
    value,
    start: batch.turnStart, // [B+1]
    bootstrap: bootstraps(batch), // [B]
    gamma,
    lambda,
  });
  const ofToken = valueAt === "state-end" ? null : tokenTargets(valueAt, ret, batch.tokenStart); // [N]
  return {
    adv: fromTurns(adv, batch),
    turnReturn: ofToken ? null : ret,
    tokenReturn: ofToken,
    delta,
    trace: { "turn.value": value, "turn.delta": delta },
  };
}

/**
 * L = 1/2 1/B sum_b 1/K_b sum_h max((V_h - R_h)^2, (clip(V_h, Vold_h +- c) - R_h)^2)
 * or, as criticMean says, 1/2 1/K sum_h of the same
 */
export function criticLoss(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: LossTotals,
): ValueLoss | null {
  return turnCriticLoss(config, batch, credit, totals);
}
