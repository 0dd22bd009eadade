/** Scores compared within their group: GRPO's advantage and, without the divisor, Dr.GRPO's. */
import { mean, populationVariance, variance } from "../numeric/statistics.ts";
import type { GroupStd } from "../spec/axes.ts";

/**
 * (score - mean) / (std + 1e-6) within each group of equal task names; std "none" leaves the
 * divisor out. A group of one keeps mean 0 and std 1; a group of equal scores gives exactly 0. [B]
 * -> [B]
 *
 * Source: DeepSeekMath, arXiv 2402.03300, sec. 4.1.2; verl/trainer/ppo/core_algos.py,
 * compute_grpo_outcome_advantage.
 */
export function groupScores(score: Float64Array, task: string[], std: GroupStd): Float64Array {
  const adv = new Float64Array(score.length); // [B]
  for (const members of groups(task)) {
    const own = Float64Array.from(members, (b) => score[b]!); // [G]
    const { center, divisor } = moments(own, std);
    members.forEach((b, i) => (adv[b] = (own[i]! - center) / divisor));
  }
  return adv;
}

function moments(score: Float64Array, std: GroupStd): { center: number; divisor: number } {
  const single = score.length === 1;
  // Equal scores have their value as mean; summing them could round it, and 1e-6 would magnify the
  // error.
  const equal = score.every((s) => s === score[0]);
  const center = single ? 0 : equal ? score[0]! : mean(score);
  if (std === "none") return { center, divisor: 1 };
  if (single) return { center, divisor: 1 + 1e-6 };
  const spread = std === "sample" ? variance(score) : populationVariance(score);
  return { center, divisor: Math.sqrt(spread) + 1e-6 };
}

/** Trajectories of each task, in order of first appearance. */
function groups(task: string[]): number[][] {
  const members = new Map<string, number[]>();
  task.forEach((name, b) => {
    const group = members.get(name);
    if (group) group.push(b);
    else members.set(name, [b]);
  });
  return [...members.values()];
}
