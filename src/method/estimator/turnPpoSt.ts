/**
 * Turn-PPO as in the ST-PPO paper: token GAE with a token critic, averaged in each turn, and the
 * geometric mean of a turn's token ratios. It shares its name with turnPpo.ts, and little else.
 *
 *   L = -1/B sum_b 1/N_b sum_t min(rho_h A_h, clip(rho_h, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   rho_h = exp(mean of d_t over turn h)
 *
 * Row that differs by a setting: ST-PPO (the gradient is divided by the size of what the clip cut).
 * Source: arXiv 2511.20718, eq. 4 and lemma 4.1 (read through notes).
 */
import type { Estimate } from "../credit/estimate.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { tokenPpo } from "./tokenPpo.ts";
import { decayOf, lengthLine, outputOf, tokenDeltaLine } from "../formula/parts.ts";
import { PER_TOKEN, decoupledGae, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";
import { f, open } from "../formula/tex.ts";

export const turnPpoSt: EstimatorFacts = {
  ...decoupledGae,
  about: "token GAE, then the mean over each turn's tokens",
  lesson: "turnPpoSt",
  level: "turn",
  plugin: "turn_mean_gae",
  steps: "token",
  discount: PER_TOKEN,
  formula: (choices) => [
    tokenDeltaLine(choices),
    ...lengthLine(choices, "tokens"),
    f`${"token.rawAdvantage"} &= ${"token.delta"} + ${"settings.gamma"}·${decayOf(choices)}·${"token.nextRawAdvantage"}`,
    open`${outputOf(choices, "turn")} &= \frac{1}{${"turn.tokens"}}\sum_{t\in h} ${"token.rawAdvantage"}`,
  ],
  estimate,
  criticLoss: tokenPpo.criticLoss,
};

/** A_h = mean over turn h of token-PPO's A_t; targets R_t of token-PPO */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const tokens = tokenPpo.estimate(config, batch);
  return { ...tokens, adv: fromTurns(tokens.adv.turn, batch) };
}
