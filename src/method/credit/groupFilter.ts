/**
 * Which groups take part in the updates.
 *
 * Sources: StarPO-S, arXiv 2504.20073, sec. 4.2, and mll-lab-nu/RAGEN
 * ragen/trainer/rollout_filter.py (its metric reward_variance is a standard deviation); DAPO, arXiv
 * 2503.14476, sec. 3.2 (dynamic sampling).
 */
import { softmax } from "../../numeric/deterministic.ts";
import { max, min, std } from "../../numeric/statistics.ts";
import { f, open, type TexPiece } from "../formula/tex.ts";
import { groups } from "./groups.ts";

interface FilterFacts {
  about: string;
  /** When a group takes part. */
  formula: TexPiece;
  /** The number that groups are judged by; success is 1 or 0. */
  judges: "score" | "success";
  /** Whether it keeps the share filterKeep of the groups; else it drops those whose numbers are all equal. */
  keepsShare: boolean;
}

/** The table of filters (axis I), except "none". */
export const filters = {
  "reward-std": {
    about: "those whose scores differ most: the share filterKeep of the groups (StarPO-S)",
    formula: open`${"group.std"} \text{ is among the largest } ${"settings.filterKeep"} \text{ of all groups}`,
    judges: "score",
    keepsShare: true,
  },
  mixed: {
    about: "those whose scores are not all equal (DAPO in revision 1; verl-agent)",
    formula: f`${"group.std"} > 0`,
    judges: "score",
    keepsShare: false,
  },
  accuracy: {
    about: "those that some rollouts solve and others do not (DAPO)",
    formula: f`0 < ${"group.solved"} < ${"group.size"}`,
    judges: "success",
    keepsShare: false,
  },
} as const satisfies Record<string, FilterFacts>;

export type FilterName = keyof typeof filters | "none";

/** The facts of one; null for "none". */
export function filterFacts(filter: FilterName): FilterFacts | null {
  return filter === "none" ? null : filters[filter];
}

/**
 * 1 for the trajectories of the groups that are kept; null if nothing is filtered. judged: the
 * number that the filter judges by [B]; keep: the share of the groups for a filter that keeps one.
 * -> [B]
 */
export function keptTrajectories(
  filter: FilterName,
  judged: Float64Array,
  task: readonly string[],
  keep: number,
): Uint8Array | null {
  const facts = filterFacts(filter);
  if (!facts) return null;
  const all = groups(task);
  const spread = Float64Array.from(all, (members) => spreadOf(members.map((b) => judged[b]!))); // [G]
  const rule: GroupRule = facts.keepsShare
    ? { strategy: "top-k", value: keep }
    : { strategy: "top-p", value: 1, zero: false };
  const kept = new Uint8Array(judged.length); // [B]
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
