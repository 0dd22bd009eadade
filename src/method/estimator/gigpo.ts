/**
 * GiGPO: Group-in-Group Policy Optimization. Episodes are compared within the task's group, and
 * within it turns that start from the same state; no critic.
 *
 *   L = -1/N sum_t min(w_t A_h, clip(w_t, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   w_t = exp(d_t)
 *
 * Source: arXiv 2505.10978, eq. 3 to 8; verl-agent gigpo/core_gigpo.py.
 */
import { scoreTerms } from "../baselines.ts";
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { anchorStates } from "../credit/anchorStates.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { turnRewards } from "../credit/rewards.ts";
import { requireAnchor } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import {
  bracketed,
  likeness,
  outputOf,
  scaled,
  scoreLine,
  stdWords,
  turnReturnLine,
} from "../formula/parts.ts";
import { PER_TURN, turnsInGroup, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";
import { f, open } from "../formula/tex.ts";

export const gigpo: EstimatorFacts = {
  ...turnsInGroup,
  about: "the episode's score plus omega times the turn's return, each against its own mean",
  lesson: "gigpo",
  discount: PER_TURN,
  settings: ["gamma", "omega", "std", "groupCount", "anchorSimilarity"],
  columns: ["anchor"],
  formula: (choices) => {
    const episode = scaled(f`${"trajectory.score"} - ${"group.mean"}`, "group.std", choices);
    const step = scaled(f`${"turn.return"} - ${"group.anchorMean"}`, "group.anchorStd", choices);
    const mean =
      choices.groupCount === "trajectory"
        ? scoreTerms(choices.baseline).mean
        : open`${"group.mean"} &= \frac{\sum_{j\in g} K_j R_j}{\sum_{j\in g} K_j}`;
    return [
      scoreLine(choices),
      mean,
      turnReturnLine(choices),
      f`${outputOf(choices, "turn")} &= ${bracketed(episode, choices)} + ${"settings.omega"}·${bracketed(step, choices)}`,
      ...stdWords(choices),
      ...likeness(choices),
    ];
  },
  estimate,
};

/**
 * A_h = (R_b - mean of the group) + omega (G_h - mean over the turns from the same state)
 * G_h = r_h + gamma G_{h+1}; a state met once counts 0; each part over its std where std is set
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { adv, trace } = anchorStates({
    reward: turnRewards(batch), // [K]
    turnStart: batch.turnStart, // [B+1]
    task: batch.task, // [B]
    anchor: requireAnchor(batch, config.name), // [K]
    gamma: config.gamma,
    omega: config.omega,
    std: config.std,
    groupCount: config.groupCount,
    anchorSimilarity: config.anchorSimilarity,
  });
  return criticFree(fromTurns(adv, batch), trace);
}
