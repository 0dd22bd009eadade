/**
 * Token-PPO: PPO whose time steps are tokens, with a value of the prefix before each token.
 *
 *   L = -1/N sum_t min(rho_t A_t, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_t)
 *   rho_t = exp(d_t)
 *
 * Rows that differ by settings: StarPO (KL in the reward), StarPO-S (only the groups whose scores differ most),
 * S-PPO (the gradient is divided by the size of what the clip cut) and VAPO (two decays).
 * Sources: PPO, arXiv 1707.06347; as in verl and RAGEN (StarPO-PPO, arXiv 2504.20073).
 */
import type { Estimate } from "../credit/estimate.ts";
import { decays, gae } from "../credit/gae.ts";
import { fromTokens } from "../credit/givenAdvantage.ts";
import { bootstraps, tokenRewards } from "../credit/rewards.ts";
import type { LossTotals } from "../objective/aggregate.ts";
import { tokenValueWeights, valueLoss, type ValueLoss } from "../objective/valueLoss.ts";
import { requireColumn } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { offsetsOf } from "../objective/ratio.ts";
import { decayOf, gaeLine, lengthLine, tokenDeltaLine } from "../formula/parts.ts";
import {
  BOTH,
  PER_TOKEN,
  decoupledGae,
  type Credit,
  type EstimatorConfig,
  type EstimatorFacts,
} from "./estimator.ts";

export const tokenPpo: EstimatorFacts = {
  ...decoupledGae,
  about: "GAE whose time steps are trainable tokens",
  lesson: "tokenPpo",
  level: "token",
  steps: "token",
  discount: PER_TOKEN,
  verl: [{ name: "gae", baseline: "token-critic", whiten: "tokens", targets: BOTH }],
  formula: (choices) => [
    tokenDeltaLine(choices),
    ...lengthLine(choices, "tokens"),
    gaeLine(choices, "token", decayOf(choices)),
  ],
  estimate,
  criticLoss,
};

/**
 * delta_t = r_t + gamma V_{t+1} - V_t,  A_t = delta_t + gamma lambda A_{t+1},  R_t = A_t + V_t
 * over trainable tokens; VAPO: lambda by the trajectory's length (lengthAlpha), R_t with lambdaCritic
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const value = requireColumn(batch, "tokenValue", config.name); // [N]
  const { delta, adv, ret, decay } = gae({
    reward: tokenRewards(batch), // [N]
    value,
    start: offsetsOf(batch).trajectory, // [B+1]
    bootstrap: bootstraps(batch), // [B]
    ...decays(config),
  });
  const trace = { "token.delta": delta, "token.rawAdvantage": adv, ...decay };
  return { adv: fromTokens(adv, batch), turnReturn: null, tokenReturn: ret, delta, trace };
}

/** L = 1/2 1/N sum_t max((V_t - R_t)^2, (clip(V_t, Vold_t +- c) - R_t)^2) */
function criticLoss(
  config: EstimatorConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: LossTotals,
): ValueLoss | null {
  if (!batch.tokenNewValue) return null;
  const ret = credit.tokenReturn!; // [N]
  return valueLoss({
    value: requireColumn(batch, "tokenNewValue", config.name), // [N]
    oldValue: requireColumn(batch, "tokenValue", config.name), // [N]
    ret,
    weight: tokenValueWeights(offsetsOf(batch), totals, ret), // [N]
    clip: config.valueClip,
  });
}
