/**
 * Bi-level GAE: GAE over turns gives each turn a return, GAE over its tokens leads towards it.
 * Source: VAGEN, arXiv 2510.16907; RAGEN ragen/trainer/core_algos.py,
 * compute_bi_level_gae_advantage_return.
 */
import { biLevelGae, turnsByReward } from "../credit/biLevelGae.ts";
import { fromTokens } from "../credit/givenAdvantage.ts";
import { bootstraps, tokenRewards } from "../credit/rewards.ts";
import type { Totals } from "../objective/aggregate.ts";
import type { PolicyLoss } from "../objective/policyTypes.ts";
import { requireColumn } from "../record/requireColumn.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit, Estimate } from "./algorithm.ts";
import { offsetsOf, surrogateLoss } from "./surrogate.ts";

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
  const { delta, adv, ret } = biLevelGae({
    reward,
    value: requireColumn(batch, "tokenValue", config.name), // [N]
    turnStart: turns.turnStart, // [B+1]
    tokenStart: turns.tokenStart, // [K+1]
    bootstrap: bootstraps(batch), // [B]
    gamma: config.gamma,
    lambda: config.lambda,
    gammaTurn: config.gammaTurn,
  });
  return { adv: fromTokens(adv, batch), turnReturn: null, tokenReturn: ret, delta };
}

/**
 * L = -1/N sum_t min(w_t A_t, clip(w_t, 1 - epsLow, 1 + epsHigh) A_t)
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

/** As token-PPO. */
export { criticLoss } from "./tokenPpo.ts";
