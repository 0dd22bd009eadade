/**
 * Turn-PPO: PPO whose time steps are turns. V(s_h) is read at the state-end, the last token of turn
 * h's query; a response is one action, with one ratio, clipped as a whole.
 *
 *   L = -1/B sum_b 1/N_b sum_h min(rho_h A_h, clip(rho_h, 1 - epsLow, 1 + epsHigh) A_h)
 *   rho_h = exp(sum of d_t over turn h)
 *
 * Rows that differ by settings: Turn-PPO as VAGEN has it (values at turn ends, a ratio per token) and
 * as GEM has it (a ratio per token).
 * Source: arXiv 2512.17008 (turn-level MDP, turn GAE, product ratio; loss per table 1).
 */
import type { Estimate } from "../credit/estimate.ts";
import { decays, gae } from "../credit/gae.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { bootstraps, turnRewards } from "../credit/rewards.ts";
import { tokenTargets } from "../credit/turnValues.ts";
import type { LossTotals } from "../objective/aggregate.ts";
import type { ValueLoss } from "../objective/valueLoss.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { turnCriticLoss, turnValues } from "./turnCritic.ts";
import { decayOf, gaeLine, lengthLine, turnDeltaLine, valueLine } from "../formula/parts.ts";
import {
  PER_TURN,
  decoupledGae,
  type Credit,
  type EstimatorConfig,
  type EstimatorFacts,
} from "./estimator.ts";

export const turnPpo: EstimatorFacts = {
  ...decoupledGae,
  about: "GAE whose time steps are turns",
  lesson: "turnPpo",
  level: "turn",
  plugin: "turn_gae",
  steps: "turn",
  discount: PER_TURN,
  settings: [...decoupledGae.settings, "valueAt"],
  formula: (choices) => [
    ...valueLine(choices),
    turnDeltaLine(choices),
    ...lengthLine(choices, "turns"),
    gaeLine(choices, "turn", decayOf(choices)),
  ],
  estimate,
  criticLoss,
};

/**
 * delta_h = r_h + gamma V_{h+1} - V_h,  A_h = delta_h + gamma lambda A_{h+1},  R_h = A_h + V_h
 * over turns, V_h = V(s_h), or as valueAt says; R_h with a lambda of its own if lambdaCritic is set
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { valueAt } = config;
  const value = turnValues(config, batch, "Value"); // [K]
  const { delta, adv, ret, decay } = gae({
    reward: turnRewards(batch), // [K]
    value,
    start: batch.turnStart, // [B+1]
    bootstrap: bootstraps(batch), // [B]
    ...decays(config),
  });
  const ofToken = valueAt === "state-end" ? null : tokenTargets(valueAt, ret, batch.tokenStart); // [N]
  return {
    adv: fromTurns(adv, batch),
    turnReturn: ofToken ? null : ret,
    tokenReturn: ofToken,
    delta,
    trace: { "turn.value": value, "turn.delta": delta, ...decay },
  };
}

/**
 * L = 1/2 1/B sum_b 1/K_b sum_h max((V_h - R_h)^2, (clip(V_h, Vold_h +- c) - R_h)^2)
 * or, as criticMean says, 1/2 1/K sum_h of the same
 */
function criticLoss(
  config: EstimatorConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: LossTotals,
): ValueLoss | null {
  return turnCriticLoss(config, batch, credit, totals);
}
