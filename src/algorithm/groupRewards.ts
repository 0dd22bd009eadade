/**
 * Rewards of groups and what a filter left of them, under the names of RAGEN's filter:
 * mll-lab-nu/RAGEN ragen/trainer/rollout_filter.py.
 */
import { max, mean, std } from "../numeric/statistics.ts";
import { groups } from "../method/credit/groups.ts";
import type { KnownMetrics } from "../record/runEvent.ts";

/** Mean spread (unbiased) and mean best of the groups; a group of one has no spread. groups [G][*] */
export function groupRewards(
  name: "in_group" | "chosen_in_group",
  groups: readonly ArrayLike<number>[],
): KnownMetrics {
  return {
    [`rollout/${name}_reward_std`]: mean(groups.map(spreadOf)),
    [`rollout/${name}_max`]: mean(groups.map(max)),
  };
}

/** Of a batch whose trajectories the filter kept or not. score, task, kept [B] */
export function filterMetrics(
  score: Float64Array,
  task: readonly string[],
  kept: Uint8Array,
): KnownMetrics {
  const all = groups(task);
  const scores = (members: number[]) => members.map((b) => score[b]!);
  const chosen = all.filter((members) => members.some((b) => kept[b] === 1));
  return {
    "rollout/filter_kept_ratio": chosen.length / all.length,
    "rollout/filter_zero_count": all.filter((members) => spreadOf(scores(members)) <= 1e-10).length,
    ...(chosen.length > 0 && groupRewards("chosen_in_group", chosen.map(scores))),
  };
}

function spreadOf(score: ArrayLike<number>): number {
  return score.length > 1 ? std(score) : 0;
}
