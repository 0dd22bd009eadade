/**
 * GiGPO's two comparisons: of episodes within the task's group, and of turns that start from the
 * same state of the same task.
 *
 *   A_h = A_episode + omega A_state
 *   A_episode = (R_b - mean of the group) [/ std]
 *   A_state   = (G_h - mean over the turns from the same state) [/ std],  G_h discounted per turn
 *
 * Source: arXiv 2505.10978, eq. 3 to 8; verl-agent gigpo/core_gigpo.py.
 */
import { broadcast, segmentSum } from "../../numeric/segments.ts";
import type { GroupStd, Settings } from "../axes.ts";
import { compareInGroups, type Compared } from "./groupScores.ts";
import { joinNames } from "./groups.ts";
import { representatives } from "./similarNames.ts";
import { returnsToGo } from "./returnsToGo.ts";
import type { Trace } from "./trace.ts";

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
  const task = anchorPerTurn(input.task, turnStart); // [K]
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

/** A trajectory's task on each of its turns. [B] -> [K] */
function anchorPerTurn(task: readonly string[], turnStart: Int32Array): string[] {
  return task.flatMap((name, b) => Array<string>(turnStart[b + 1]! - turnStart[b]!).fill(name));
}
