/**
 * Which groups take part in the updates.
 *
 * Sources: StarPO-S, arXiv 2504.20073, sec. 4.2, and mll-lab-nu/RAGEN
 * ragen/trainer/rollout_filter.py (its metric reward_variance is a standard deviation); DAPO, arXiv
 * 2503.14476, sec. 3.2 (dynamic sampling).
 */
import { softmax } from "../../numeric/deterministic.ts";
import { max, min, std } from "../../numeric/statistics.ts";
import type { Settings } from "../axes.ts";
import { groups } from "./groups.ts";

/**
 * 1 for the trajectories of the groups that are kept; null where nothing is filtered. "reward-std"
 * keeps the share `keep` of the groups, those whose scores differ most; "mixed" and "accuracy" all whose
 * scores differ, which with the latter are 1 for success and 0. score [B] -> [B]
 */
export function keptTrajectories(
  filter: Settings["filter"],
  score: Float64Array,
  task: readonly string[],
  keep: number,
): Uint8Array | null {
  if (filter === "none") return null;
  const all = groups(task);
  const spread = Float64Array.from(all, (members) => spreadOf(members.map((b) => score[b]!))); // [G]
  const rule: GroupRule =
    filter !== "reward-std"
      ? { strategy: "top-p", value: 1, zero: false }
      : { strategy: "top-k", value: keep };
  const kept = new Uint8Array(score.length); // [B]
  for (const g of selectGroups(spread, rule)) for (const b of all[g]!) kept[b] = 1;
  return kept;
}

/** Unbiased standard deviation; exactly 0 for equal scores, a single one among them. */
function spreadOf(score: number[]): number {
  return score.every((s) => s === score[0]) ? 0 : std(score);
}

/** RAGEN's ways to choose groups by a number each. */
export interface GroupRule {
  /**
   * top-k: the share `value` of all groups, at least one; top-k-abs: that many; top-p: the best
   * groups until they hold the share `value` of the sum, less 0.01; top-p-softmax: the same of the
   * numbers' softmax; min-p: all within the factor `value` of the best.
   */
  strategy: "top-k" | "top-k-abs" | "top-p" | "top-p-softmax" | "min-p";
  value: number;
  /** Whether the smallest are the best. */
  smallest?: boolean;
  /** Whether groups whose number is 0 can be chosen; true when absent. */
  zero?: boolean;
}

/** Indices of the chosen groups, the best first; in their order where a rule keeps all. x [G] */
export function selectGroups(x: Float64Array, rule: GroupRule): number[] {
  const { strategy, value, smallest = false, zero = true } = rule;
  const able = Array.from(x.keys()).filter((g) => zero || Math.abs(x[g]!) > 1e-10);
  if (able.length === 0 || (strategy.startsWith("top-p") && value >= 1)) return able;
  const sign = smallest ? -1 : 1;
  const best = able.toSorted((a, b) => sign * (x[b]! - x[a]!) || a - b);
  switch (strategy) {
    case "top-k":
      return best.slice(0, Math.max(1, Math.floor(value * x.length)));
    case "top-k-abs":
      return best.slice(0, Math.max(1, Math.floor(value)));
    case "top-p":
      return linearShare(x, best, value);
    case "top-p-softmax":
      return best.slice(
        0,
        softmaxCount(
          best.map((g) => sign * x[g]!),
          value,
        ),
      );
    case "min-p":
      return able.filter((g) =>
        nearBest(
          x[g]!,
          able.map((h) => x[h]!),
          rule,
        ),
      );
  }
}

/** The first groups whose numbers add up to the share of all; none where they cannot. */
function linearShare(x: Float64Array, best: number[], share: number): number[] {
  const threshold = share * best.reduce((sum, g) => sum + x[g]!, 0) - 0.01;
  let sum = 0;
  let count = 0;
  while (count < best.length && sum < threshold && x[best[count]!]! > 0) sum += x[best[count++]!]!;
  return sum >= threshold ? best.slice(0, count) : [];
}

/** How many of the largest probabilities add up to the share. */
function softmaxCount(sorted: number[], share: number): number {
  let sum = 0;
  const reached = softmax(sorted).findIndex((p) => (sum += p) >= share);
  return reached < 0 ? sorted.length : reached + 1;
}

function nearBest(x: number, all: number[], { value, smallest }: GroupRule): boolean {
  return smallest ? x <= min(all) / (value + 1e-10) + 1e-10 : x >= max(all) * value - 1e-10;
}
