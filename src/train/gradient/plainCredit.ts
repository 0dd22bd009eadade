/**
 * Credit for the true gradient: for each turn the rewards that follow it, minus a baseline that is
 * independent of its action, so that in expectation
 *
 *   grad J = E[sum_h (G_h - b_h) grad log pi(a_h | s_h)],   G_h = r_h + gamma G_{h+1}
 *
 * holds exactly, except for the factor gamma^h of turn h if gamma < 1 (every algorithm here drops
 * it, so it is dropped here too). b_h is the mean G of the task's other rollouts in exactly the
 * same state; if none was there, of their turns with the same index, 0 for those that had ended.
 * Other rollouts are independent of a_h, and which of them count depends on s_h alone.
 */
import { groups, joinNames } from "../../method/credit/groups.ts";
import { returnsToGo } from "../../method/credit/returnsToGo.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";

/** state: equal for turns of a task in the same state. [K] -> [K] */
export function plainCredit(
  { task, turnStart, turnReward }: TrajectoryBatch,
  state: readonly string[],
  gamma = 1,
): Float64Array {
  const G = returnsToGo(turnReward, turnStart, gamma); // [K]
  const credit = G.slice(); // [K]
  for (const members of groups(task)) {
    if (members.length < 2) continue;
    for (const b of members) {
      const others = members.filter((other) => other !== b);
      for (let k = turnStart[b]!; k < turnStart[b + 1]!; k++)
        credit[k] = G[k]! - baseline(k, k - turnStart[b]!, others);
    }
  }
  return credit;

  function baseline(k: number, h: number, others: number[]): number {
    const same = others.map((b) => sameState(b, state[k]!)).filter((at) => at >= 0);
    if (same.length > 0) return same.reduce((sum, at) => sum + G[at]!, 0) / same.length;
    const later = others
      .map((b) => turnStart[b]! + h)
      .filter((at, i) => at < turnStart[others[i]! + 1]!);
    return later.reduce((sum, at) => sum + G[at]!, 0) / others.length;
  }

  /** The rollout's first turn in that state, -1 if there is none. */
  function sameState(b: number, name: string): number {
    for (let k = turnStart[b]!; k < turnStart[b + 1]!; k++) if (state[k] === name) return k;
    return -1;
  }
}

/** Names of states from the turn's index and its query. [K] */
export function stateNames(
  episodes: readonly { turns: readonly { queryIds: readonly number[] }[] }[],
): string[] {
  return episodes.flatMap(({ turns }) =>
    turns.map(({ queryIds }, h) => joinNames(h, queryIds.join())),
  );
}
