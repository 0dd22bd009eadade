/**
 * Bi-level GAE: GAE over turns gives each turn a return, GAE over its tokens leads towards it.
 *
 *   L = -1/N sum_t min(w_t A_t, clip(w_t, 1 - epsLow, 1 + epsHigh) A_t)
 *   w_t = exp(d_t)
 *
 * Source: VAGEN, arXiv 2510.16907; RAGEN ragen/trainer/core_algos.py,
 * compute_bi_level_gae_advantage_return.
 */
import type { Estimate } from "../method/credit/estimate.ts";
import { biLevelGae, turnsByReward } from "../method/credit/biLevelGae.ts";
import { fromTokens } from "../method/credit/givenAdvantage.ts";
import type { Gae } from "../method/credit/gae.ts";
import { bootstraps, tokenRewards } from "../method/credit/rewards.ts";
import type { Trace } from "../method/credit/trace.ts";
import { readTurnValues } from "../method/credit/turnValues.ts";
import { requireColumn } from "../method/requireColumn.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { offsetsOf } from "./surrogate.ts";

/**
 * turns:  delta_h = r_h + gammaTurn V_{h+1} - V_h,  A_h = delta_h + gammaTurn lambda A_{h+1}
 * tokens: delta_t = r_t + gamma V_{t+1} - V_t,  A_t = delta_t + gamma lambda A_{t+1} within turn h,
 *         where r_t = A_h + V_h and V_{t+1} = 0 at its last token; R_t = A_t + V_t
 * V_h = V before the last token of turn h
 */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const reward = tokenRewards(batch); // [N]
  const turns =
    config.turnEnds === "explicit" ? batch : turnsByReward(reward, offsetsOf(batch).trajectory);
  const value = requireColumn(batch, "tokenValue", config.name); // [N]
  const {
    delta,
    adv,
    ret,
    turns: high,
  } = biLevelGae({
    reward,
    value,
    turnStart: turns.turnStart, // [B+1]
    tokenStart: turns.tokenStart, // [K+1]
    bootstrap: bootstraps(batch), // [B]
    gamma: config.gamma,
    lambda: config.lambda,
    gammaTurn: config.gammaTurn,
  });
  // Turns that are found by their rewards are not the batch's.
  const ofTurns = config.turnEnds === "explicit" ? turnTrace(high) : {};
  const trace = {
    "turn.value": readTurnValues("turn-end", value, batch.tokenStart), // [K]
    ...ofTurns,
    "token.delta": delta, // [N]
  };
  return { adv: fromTokens(adv, batch), turnReturn: null, tokenReturn: ret, delta, trace };
}

function turnTrace({ delta, adv, ret }: Gae): Trace {
  return { "turn.delta": delta, "turn.highAdvantage": adv, "turn.target": ret }; // [K]
}

/** As token-PPO. */
export { criticLoss } from "./tokenPpo.ts";
