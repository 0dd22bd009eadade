/**
 * GiGPO: Group-in-Group Policy Optimization. Episodes are compared within the task's group, and
 * within it turns that start from the same state; no critic.
 *
 *   L = -1/N sum_t min(rho_t A_h, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   rho_t = exp(d_t)
 *
 * Source: arXiv 2505.10978, eq. 3 to 8; verl-agent gigpo/core_gigpo.py.
 */
import { scoreTerms } from "../baselines.ts";
import { criticFree, type Estimate } from "../credit/estimate.ts";
import type { GroupStd, Settings } from "../axes.ts";
import { compareInGroups, type Compared } from "../credit/groupScores.ts";
import { joinNames, taskOfTurns } from "../credit/groups.ts";
import { representatives } from "../credit/similarNames.ts";
import { returnsToGo } from "../credit/returnsToGo.ts";
import type { Trace } from "../credit/trace.ts";
import { broadcast, segmentSum } from "../../numeric/segments.ts";
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

export interface AnchorInput {
  /** [K] */
  reward: Float64Array;
  /** [B+1] */
  turnStart: Int32Array;
  /** [B] */
  task: readonly string[];
  /** Name of the state before each turn. [K] */
  anchor: readonly string[];
  gamma: number;
  omega: number;
  std: GroupStd;
  groupCount: Settings["groupCount"];
  /** States at least this alike count as one; absent: equal ones. */
  anchorSimilarity?: number;
}

export interface AnchorAdvantage {
  /** [K] */
  episode: Float64Array;
  /** 0 for a turn whose state no other turn of the group starts from. [K] */
  state: Float64Array;
  /** episode + omega state. [K] */
  adv: Float64Array;
  trace: Trace;
}

export function anchorStates(input: AnchorInput): AnchorAdvantage {
  const { reward, turnStart, gamma, omega, std } = input;
  const task = taskOfTurns(input.task, turnStart); // [K]
  const anchor = representatives(input.anchor, task, input.anchorSimilarity ?? 1); // [K]
  const score = segmentSum(reward, turnStart); // [B]
  const group = episodeScores(input, score, task); // [K]
  const episode = group.adv; // [K]
  const names = anchor.map((name, k) => joinNames(task[k]!, name)); // [K]
  const returns = returnsToGo(reward, turnStart, gamma); // [K]
  const states = compareInGroups(returns, names, std, "zero"); // [K]
  const ofTrajectories = (x: Float64Array) => Float64Array.from(score, (_, b) => x[turnStart[b]!]!);
  return {
    episode,
    state: states.adv,
    adv: episode.map((A, k) => A + omega * states.adv[k]!),
    trace: {
      "group.mean": ofTrajectories(group.mean), // [B]
      "group.std": ofTrajectories(group.std), // [B]
      "turn.return": returns, // [K]
      "group.anchorMean": states.mean, // [K]
      "group.anchorStd": states.std, // [K]
      "group.anchorCount": states.count, // [K]
    },
  };
}

/**
 * The comparison of whole episodes, on each of their turns. With groupCount "turn" an episode
 * counts once for each of its turns in mean and std, as where every turn is a row of its own:
 * longer episodes weigh more. score [B], task [K] -> [K]
 */
function episodeScores(
  { turnStart, task: ofTrajectory, std, groupCount }: AnchorInput,
  score: Float64Array,
  task: string[],
): Compared {
  if (groupCount === "turn") return compareInGroups(broadcast(score, turnStart), task, std);
  const { adv, mean, std: spread, count } = compareInGroups(score, ofTrajectory, std);
  const onTurns = (x: Float64Array) => broadcast(x, turnStart); // [K]
  return { adv: onTurns(adv), mean: onTurns(mean), std: onTurns(spread), count: onTurns(count) };
}
