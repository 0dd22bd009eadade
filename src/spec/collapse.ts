/** What counts as a collapsed policy, in every summary of runs: tables of sweeps and studies, the page's, README's. */
import { firstAndLast } from "../numeric/finite.ts";

/** Of an evaluation: the last part of a name such as `val-env/sokoban/success`. */
export type EvaluationScore = "success" | "reward" | "action_is_valid";

/**
 * Whether a run's policy has collapsed: its numbers were no longer finite, or by its last evaluation it solves less than half
 * of what it solved at its start and earns less, or fewer than half of its turns are valid and fewer than at its start.
 * What was not measured does not count against it.
 * @param measured a score of each evaluation in order, as shares or in reward units; empty where nothing was measured
 */
export function hasCollapsed(
  crashed: boolean,
  measured: (score: EvaluationScore) => readonly unknown[],
): boolean {
  const solved = firstAndLast(measured("success"));
  const earned = firstAndLast(measured("reward"));
  const valid = firstAndLast(measured("action_is_valid"));
  const solvesHalf = isBelow(solved.last, solved.first, 0.5);
  // A policy that trades solved tasks for reward has not collapsed.
  const earnsLess = earned.last === null || isBelow(earned.last, earned.first);
  const answersWrong = isBelow(valid.last, 0.5) && isBelow(valid.last, valid.first);
  return crashed || (solvesHalf && earnsLess) || answersWrong;
}

function isBelow(x: number | null, limit: number | null, share = 1): boolean {
  return x !== null && limit !== null && x < share * limit;
}

/** The same of a kept result: its evaluations by iteration, and where its numbers were no longer finite. */
export function resultCollapsed({
  points,
  crashedAt = null,
}: {
  points: readonly (readonly [iteration: number, scores: Readonly<Record<string, unknown>>])[];
  crashedAt?: number | null;
}): boolean {
  return hasCollapsed(crashedAt !== null, (score) =>
    points.flatMap(([, all]) => {
      const name = Object.keys(all).find((one) => isScore(one, score));
      return name === undefined ? [] : [all[name]];
    }),
  );
}

/** Whether an evaluation's metric is that score of its environment. */
export function isScore(metric: string, score: EvaluationScore): boolean {
  return metric.startsWith("val-env/") && metric.endsWith(`/${score}`);
}
