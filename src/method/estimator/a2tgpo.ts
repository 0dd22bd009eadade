/**
 * A2TGPO: turns are credited with their gain of information, compared within turn groups, and the
 * clip range widens for turns of high gain. The last turn is the answering one: it has no gain.
 *
 *   L = -1/B sum_b 1/N_b sum_t min(rho_h A_h, clip(rho_h, 1 - epsLow c_h, 1 + epsHigh c_h) A_h), t in h
 *   rho_h = exp(mean of d_t over turn h),  c_h = factor of the clip range
 *
 * Source: arXiv 2605.06200, sec. 3 (read through an article); CuSO4-Chen/A-TGPO (read in part).
 */
import { clipScales } from "../clip/adaptive.ts";
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { compareInGroups } from "../credit/groupScores.ts";
import { trajectoryScores } from "../credit/rewards.ts";
import type { Trace } from "../credit/trace.ts";
import { compareGains, rescaledReturns } from "../credit/turnGroups.ts";
import { broadcast } from "../../numeric/segments.ts";
import { requireGains } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { exceptLast, scaled, stdLine } from "../formula/parts.ts";
import { turnsInGroup, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";
import { f, open } from "../formula/tex.ts";

export const a2tgpo: EstimatorFacts = {
  ...turnsInGroup,
  about: "alpha times variance-rescaled sums of z-scored gains plus the outcome's z-score",
  lesson: "a2tgpo",
  // Its gamma discounts information gains, which are not rewards.
  discount: null,
  divisor: "always",
  settings: ["gamma", "alpha", "std"],
  columns: ["turnGain"],
  scalesClip: true,
  formula: (choices) => {
    const outcome = scaled(f`${"trajectory.score"} - ${"group.mean"}`, "group.std", choices);
    const both = f`${"settings.alpha"}·${"turn.gainReturn"} + ${"trajectory.outcomeScore"}`;
    return [
      f`${"turn.gainScore"} &= \frac{${"turn.gain"} - ${"group.turnMean"}}{\sqrt{${"group.turnStd"}^2 + 10^{-8}}}`,
      open`${"turn.gainReturn"} &= \frac{1}{\sqrt{${"trajectory.turns"} - h}}\sum_{j=h}^{K_b-1} ${"settings.gamma"}^{\,j-h}\, z_j`,
      ...stdLine(choices),
      f`${"trajectory.outcomeScore"} &= ${outcome}`,
      exceptLast(choices, both, f`${"trajectory.outcomeScore"}`),
    ];
  },
  estimate,
};

/**
 * A_h = alpha D_h + z(R_b),  D_h = sum over j >= h of gamma^(j-h) z_j / sqrt(number of terms)
 * z_h = (gain_h - mean) / sqrt(var + 1e-8) over the group's turns of the same number
 * clip range times 1 + epsSpread (2 sigmoid(z_h) - 1); answering turn: A = z(R_b), range times 1
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { task, turnStart } = batch;
  const gains = compareGains(requireGains(batch, config.name), task, turnStart);
  const { z } = gains; // [K]
  const D = rescaledReturns(z, turnStart, config.gamma); // [K]
  const outcome = compareInGroups(trajectoryScores(batch), task, config.std); // [B]
  const zOutcome = broadcast(outcome.adv, turnStart); // [K]
  const adv = D.map((x, k) => config.alpha * x + zOutcome[k]!); // [K]
  const trace: Trace = {
    ...gains.trace,
    "turn.gainScore": z, // [K]
    "turn.gainReturn": D, // [K]
    "group.mean": outcome.mean, // [B]
    "group.std": outcome.std, // [B]
    "trajectory.outcomeScore": outcome.adv, // [B]
  };
  const epsScale = clipScales(z, config.epsSpread); // [K]
  return { ...criticFree(fromTurns(adv, batch), trace), epsScale };
}
