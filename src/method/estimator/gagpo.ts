/**
 * GAGPO: GAE over turns whose value is not learned: a state is worth the mean return of the group's
 * turns that start from it. No critic.
 *
 *   L = -1/B sum_b 1/N_b sum_t min(rho_h A_h, clip(rho_h, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   rho_h = exp(mean of d_t over turn h)
 *
 * Source: arXiv 2605.13217, a reading: known through two independent summaries that agree; no author code.
 */
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { gae } from "../credit/gae.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { compareInGroups } from "../credit/groupScores.ts";
import { joinNames, taskOfTurns } from "../credit/groups.ts";
import { returnsToGo } from "../credit/returnsToGo.ts";
import { turnRewards } from "../credit/rewards.ts";
import { representatives } from "../credit/similarNames.ts";
import {
  likeness,
  outputOf,
  scaled,
  stdWords,
  turnDeltaLine,
  turnReturnLine,
} from "../formula/parts.ts";
import { f, open } from "../formula/tex.ts";
import { requireAnchor } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { PER_TURN, turnsInGroup, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";

export const gagpo: EstimatorFacts = {
  ...turnsInGroup,
  about: "GAE over turns on the group's mean returns of states, then normalised in the group",
  lesson: "gagpo",
  discount: PER_TURN,
  settings: ["gamma", "lambda", "std", "anchorSimilarity"],
  columns: ["anchor"],
  formula: (choices) => [
    turnReturnLine(choices),
    open`${"turn.value"} &:= \text{mean of } ${"turn.return"} \text{ over the group's turns from this state}`,
    turnDeltaLine(choices),
    f`${"turn.highAdvantage"} &= ${"turn.delta"} + ${"settings.gamma"}·${"settings.lambda"}·${"turn.nextHighAdvantage"}`,
    f`${outputOf(choices, "turn")} &= ${scaled(f`${"turn.highAdvantage"} - ${"group.turnsMean"}`, "group.turnsStd", choices)}`,
    ...stdWords(choices),
    ...likeness(choices),
  ],
  estimate,
};

/**
 * V_h = mean of G over the group's turns from the same state,  G_h = r_h + gamma G_{h+1}
 * delta_h = r_h + gamma V_{h+1} - V_h,  B_h = delta_h + gamma lambda B_{h+1},  V after the end 0
 * A_h = (B_h - mean) / (std + 1e-6) over the turns of the task's rollouts
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { gamma, lambda, std } = config;
  const { turnStart } = batch;
  const task = taskOfTurns(batch.task, turnStart); // [K]
  const anchor = requireAnchor(batch, config.name); // [K]
  const state = representatives(anchor, task, config.anchorSimilarity); // [K]
  const reward = turnRewards(batch); // [K]
  const returns = returnsToGo(reward, turnStart, gamma); // [K]
  const names = state.map((name, k) => joinNames(task[k]!, name)); // [K]
  const { mean: value } = compareInGroups(returns, names, "none", "zero"); // [K]
  const bootstrap = new Float64Array(batch.task.length); // [B]
  const { delta, adv } = gae({ reward, value, start: turnStart, bootstrap, gamma, lambda });
  const compared = compareInGroups(adv, task, std); // [K]
  return criticFree(fromTurns(compared.adv, batch), {
    "turn.return": returns, // [K]
    "turn.value": value, // [K]
    "turn.delta": delta, // [K]
    "turn.highAdvantage": adv, // [K]
    "group.turnsMean": compared.mean, // [K]
    "group.turnsStd": compared.std, // [K]
  });
}
