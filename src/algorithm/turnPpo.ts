/**
 * Turn-PPO: PPO whose time steps are turns. V(s_h) is read at the state-end, the last token of turn
 * h's query; a response is one action, with one ratio, clipped as a whole.
 * Source: arXiv 2512.17008 (turn-level MDP, turn GAE, product ratio; loss per table 1).
 */
import { gae } from "../credit/gae.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { bootstraps, turnRewards } from "../credit/rewards.ts";
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyLoss.ts";
import { turnValueWeights, valueLoss, type ValueLoss } from "../objective/valueLoss.ts";
import { requireColumn } from "../record/requireColumn.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit, Estimate } from "./algorithm.ts";
import { surrogateLoss } from "./surrogate.ts";

/**
 * delta_h = r_h + gamma V_{h+1} - V_h,  A_h = delta_h + gamma lambda A_{h+1},  R_h = A_h + V_h
 * over turns, V_h = V(s_h)
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const { delta, adv, ret } = gae({
    reward: turnRewards(batch), // [K]
    value: requireColumn(batch, "turnValue", config.name), // [K]
    start: batch.turnStart, // [B+1]
    bootstrap: bootstraps(batch), // [B]
    gamma: config.gamma,
    lambda: config.lambda,
  });
  return { adv: fromTurns(adv, batch), turnReturn: ret, tokenReturn: null, delta };
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
  if (!batch.turnNewValue) return null;
  return valueLoss({
    value: requireColumn(batch, "turnNewValue", config.name), // [K]
    oldValue: requireColumn(batch, "turnValue", config.name), // [K]
    ret: credit.turnReturn!, // [K]
    weight: turnValueWeights(batch.turnStart, totals), // [K]
    clip: config.valueClip,
  });
}
