/** Episodes that are the only recorded ones of their task. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";

/** Baselines of a task's other rollouts; without any, what is left is the score itself. */
const OF_OTHERS: readonly AlgorithmConfig["baseline"][] = [
  "group-mean",
  "leave-one-out",
  "length-weighted-mean",
];

/** Whether no other episode is of the same task. task [B] */
export function isAlone(task: readonly string[], episode: number): boolean {
  return task.every((name, b) => b === episode || name !== task[episode]);
}

/**
 * Whether the row would give the episode its plain reward for want of a group: no credit of the row's.
 * A filter of mixed groups gives it 0 instead.
 */
export function isPlainReward(
  { baseline, filter }: Pick<AlgorithmConfig, "baseline" | "filter">,
  task: readonly string[],
  episode: number,
): boolean {
  return OF_OTHERS.includes(baseline) && filter !== "mixed" && isAlone(task, episode);
}
