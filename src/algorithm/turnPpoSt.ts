/**
 * Turn-PPO as the ST-PPO paper has it: token GAE with a token critic, averaged in each turn, and
 * the geometric mean of a turn's token ratios. It shares its name with turnPpo.ts, and little else.
 *
 *   L = -1/B sum_b 1/N_b sum_t min(w_h A_h, clip(w_h, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   w_h = exp(mean of d_t over turn h)
 *
 * Row that differs by a setting: ST-PPO (the gradient is divided by the size of what the clip cut).
 * Source: arXiv 2511.20718, eq. 4 and lemma 4.1 (read through notes).
 */
import type { Estimate } from "../method/credit/estimate.ts";
import { fromTurns } from "../method/credit/givenAdvantage.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import * as tokenPpo from "./tokenPpo.ts";

/** A_h = mean over turn h of token-PPO's A_t; targets R_t of token-PPO */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const tokens = tokenPpo.estimate(config, batch);
  return { ...tokens, adv: fromTurns(tokens.adv.turn, batch) };
}

/** As token-PPO. */
export { criticLoss } from "./tokenPpo.ts";
