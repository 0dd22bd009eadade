/** The definition of a collapsed policy for all summaries of runs: tables of sweeps and studies, the page's, README's. */
import { firstAndLast } from "../numeric/finite.ts";

/** A score of an evaluation: the last part of a name such as `val-env/sokoban/success`. */
export type EvaluationScore = "success" | "reward" | "action_is_valid";

export interface CollapseLimits {
  /** Of the tasks solved at the start, the share below which a policy has collapsed. */
  solved: number;
  /** Share of valid turns, likewise. */
  valid: number;
}

const COLLAPSE_LIMITS: CollapseLimits = { solved: 0.5, valid: 0.5 };

/**
 * Whether a run's policy has collapsed: its numbers were no longer finite, or at its last
 * evaluation it solves less than half of what it solved at its start and earns less, or fewer than
 * half of its turns are valid and fewer than at its start. A study may set other limits than half.
 * Unmeasured scores do not count.
 * @param measured a score of each evaluation in order, as shares or in reward units; empty if not
 * measured
 */
export function hasCollapsed(
  crashed: boolean,
  measured: (score: EvaluationScore) => readonly unknown[],
  limits: CollapseLimits = COLLAPSE_LIMITS,
): boolean {
  const solved = firstAndLast(measured("success"));
  const earned = firstAndLast(measured("reward"));
  const valid = firstAndLast(measured("action_is_valid"));
  const solvesHalf = isBelow(solved.last, solved.first, limits.solved);
  // A policy that trades solved tasks for reward has not collapsed.
  const earnsLess = earned.last === null || isBelow(earned.last, earned.first);
  const answersWrong = isBelow(valid.last, limits.valid) && isBelow(valid.last, valid.first);
  return crashed || (solvesHalf && earnsLess) || answersWrong;
}

function isBelow(x: number | null, limit: number | null, share = 1): boolean {
  return x !== null && limit !== null && x < share * limit;
}

interface StoredResult {
  points: readonly (readonly [iteration: number, scores: Readonly<Record<string, unknown>>])[];
  crashedAt?: number | null;
}

/** The same for a stored result: its evaluations by iteration, and the iteration at which its numbers were no longer finite. */
export function resultCollapsed(
  { points, crashedAt = null }: StoredResult,
  limits?: CollapseLimits,
): boolean {
  const measured = (score: EvaluationScore) =>
    points.flatMap(([, all]) => {
      const name = Object.keys(all).find((one) => isScore(one, score));
      return name === undefined ? [] : [all[name]];
    });
  return hasCollapsed(crashedAt !== null, measured, limits);
}

/** Whether an evaluation's metric is that score of its environment. */
export function isScore(metric: string, score: EvaluationScore): boolean {
  return metric.startsWith("val-env/") && metric.endsWith(`/${score}`);
}
