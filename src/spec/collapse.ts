/** The definition of a collapsed policy for all summaries of runs: tables of sweeps and studies, the page's, README's. */
import { firstAndLast } from "../numeric/finite.ts";

/** A score of an evaluation: the last part of a name such as `val-env/sokoban/success`. */
export type EvaluationScore = "success" | "reward" | "action_is_valid";

/**
 * Whether a run's policy has collapsed: its numbers were no longer finite, or at its last
 * evaluation it solves less than half of what it solved at its start and earns less, or fewer than
 * half of its turns are valid and fewer than at its start. Unmeasured scores do not count.
 * @param measured a score of each evaluation in order, as shares or in reward units; empty if not
 * measured
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

/** The same for a stored result: its evaluations by iteration, and the iteration at which its numbers were no longer finite. */
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
