/** Episodes that are the only recorded ones of their task. */
import { leavesOutEqual, type AlgorithmConfig } from "../../spec/algorithms.ts";
import { groupSizeOf } from "../../spec/groups.ts";
import type { RunLog } from "../log/runLog.ts";
import { groupedMethods } from "../groupedMethods.ts";
import { runConfig } from "../runConfig.ts";
import { words } from "./words.ts";

/** Baselines from a task's other rollouts; without any, the score itself remains. */
const OF_OTHERS: readonly AlgorithmConfig["baseline"][] = [
  "group-mean",
  "leave-one-out",
  "length-weighted-mean",
];

/** How a run played the tasks of the episodes that a row would compare. */
export interface Grouping {
  /**
   * Whether each task was played once, according to the settings of the method that played; false
   * if unknown.
   */
  once: boolean;
  /** Other methods of the run, which play a task several times. */
  methods: readonly string[];
}

export function groupingOf(log: RunLog, algorithm: string): Grouping {
  const methods = groupedMethods(log).filter((name) => name !== algorithm);
  const spec = log.start?.spec;
  const config = runConfig(spec, algorithm);
  return { once: !!spec && !!config && groupSizeOf(spec, config) === 1, methods };
}

/** Why a row that compares the rollouts of a task gives a lone episode its plain reward. */
export function loneReason(title: string, { once }: Grouping): string {
  return once ? words.playedOnce(title) : words.noOtherRollout(title);
}

/** Whether no other episode has the same task. task [B] */
export function isAlone(task: readonly string[], episode: number): boolean {
  return task.every((name, b) => b === episode || name !== task[episode]);
}

/**
 * Whether the row gives the episode its plain reward because there is no group, as verl's
 * estimators do. A filter of groups that differ gives it 0 instead.
 */
export function isPlainReward(
  { baseline, filter }: Pick<AlgorithmConfig, "baseline" | "filter">,
  task: readonly string[],
  episode: number,
): boolean {
  return OF_OTHERS.includes(baseline) && !leavesOutEqual({ filter }) && isAlone(task, episode);
}
