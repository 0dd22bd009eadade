/**
 * Which groups take part in the updates.
 *
 * Sources: StarPO-S, arXiv 2504.20073, sec. 4.2, and mll-lab-nu/RAGEN
 * ragen/trainer/rollout_filter.py (strategy top_k, metric reward_variance, which is a standard
 * deviation); DAPO, arXiv 2503.14476, sec. 3.2 (dynamic sampling).
 */
import { std } from "../numeric/statistics.ts";
import type { Settings } from "../spec/axes.ts";
import { groups } from "./groups.ts";

/**
 * 1 for the trajectories of the groups that are kept; null where nothing is filtered. keep is the
 * share of the groups that "reward-std" keeps. score [B] -> [B]
 */
export function keptTrajectories(
  filter: Settings["filter"],
  score: Float64Array,
  task: readonly string[],
  keep: number,
): Uint8Array | null {
  if (filter === "none") return null;
  const all = groups(task);
  const spread = all.map((members) => spreadOf(members.map((b) => score[b]!)));
  const chosen =
    filter === "mixed" ? spread.flatMap((s, g) => (s > 0 ? [g] : [])) : largestShare(spread, keep);
  const kept = new Uint8Array(score.length); // [B]
  for (const g of chosen) for (const b of all[g]!) kept[b] = 1;
  return kept;
}

/** Unbiased standard deviation; exactly 0 for equal scores, a single one among them. */
function spreadOf(score: number[]): number {
  return score.every((s) => s === score[0]) ? 0 : std(score);
}

/**
 * Indices of the floor(keep G) largest of G numbers, at least of one, the largest first and equal
 * ones in their order.
 */
export function largestShare(x: ArrayLike<number>, keep: number): number[] {
  const count = Math.max(1, Math.floor(keep * x.length));
  const order = Array.from(x, (_, g) => g).sort((a, b) => x[b]! - x[a]! || a - b);
  return order.slice(0, count);
}
