/**
 * Turns compared with the turns of the same number in the rollouts of the same task. Such a mean
 * depends on which rollouts still run at that turn: if their lengths differ, what is subtracted
 * depends on when a rollout stopped.
 */
import { mean, populationVariance } from "../../numeric/statistics.ts";
import type { GroupStd, Settings } from "../axes.ts";
import { groups, joinNames } from "./groups.ts";
import { compareInGroups, emptyComparison, type Compared } from "./groupScores.ts";
import type { Trace } from "./trace.ts";

/** Task and number of each turn but its trajectory's last, for grouping; null for a last. [K] */
function turnGroupNames(task: readonly string[], turnStart: Int32Array): (string | null)[] {
  return task.flatMap((name, b) => {
    const K_b = turnStart[b + 1]! - turnStart[b]!;
    return Array.from({ length: K_b }, (_, h) => (h < K_b - 1 ? joinNames(name, h) : null));
  });
}

/** Applies `compare` to the turns that are not a trajectory's last; the others get 0 and no comparison: NaN. x [K] -> [K] */
function compareEarlier(
  x: Float64Array,
  task: readonly string[],
  turnStart: Int32Array,
  compare: (x: Float64Array, names: string[]) => Compared,
): Compared {
  const names = turnGroupNames(task, turnStart); // [K]
  const earlier = names.flatMap((name, k) => (name === null ? [] : [k]));
  const own = Float64Array.from(earlier, (k) => x[k]!);
  const compared = compare(
    own,
    earlier.map((k) => names[k]!),
  );
  const result = emptyComparison(x.length); // [K]
  result.mean.fill(NaN);
  result.std.fill(NaN);
  for (const part of ["adv", "mean", "std", "count"] as const)
    earlier.forEach((k, i) => (result[part][k] = compared[part][i]!));
  return result;
}

export interface OutcomeInput {
  /** [K] */
  reward: Float64Array;
  /** [B+1] */
  turnStart: Int32Array;
  /** [B] */
  task: readonly string[];
  alpha: number;
  laterTurns: Settings["laterTurns"];
  std: GroupStd;
}

/**
 * MT-GRPO: a turn's own reward and the outcome, which is the last turn's reward, each compared
 * within the group.
 *
 *   discounted: A_h = sum over h <= l < K of alpha^(l-h) z(r_l) + alpha^(K-h) z(r_K)
 *   outcome:    A_h = z(r_h) + alpha z(r_K)                     A_K = z(r_K) in both
 *
 * They are the same for rollouts of two turns, which eq. 6 and 7 define. z(r_h) is taken over the group's h-th turns
 * that are not a rollout's last, and is 0 where there is a single one. adv [K]
 *
 * Source: arXiv 2505.11821, eq. 6 and 7.
 */
export function compareTurnsAndOutcome(input: OutcomeInput): { adv: Float64Array; trace: Trace } {
  const { reward, turnStart, task, alpha, laterTurns, std } = input;
  const own = compareEarlier(reward, task, turnStart, (x, names) =>
    compareInGroups(x, names, std, "zero"),
  ); // [K]
  const last = Float64Array.from(task, (_, b) => reward[turnStart[b + 1]! - 1]!); // [B]
  const outcome = compareInGroups(last, task, std); // [B]
  const adv = new Float64Array(reward.length); // [K]
  outcome.adv.forEach((z, b) => {
    const K = turnStart[b + 1]! - 1;
    adv[K] = z;
    for (let k = K - 1; k >= turnStart[b]!; k--)
      adv[k] = own.adv[k]! + alpha * (laterTurns === "discounted" ? adv[k + 1]! : z);
  });
  return {
    adv,
    trace: {
      "turn.rewardScore": own.adv.map((z, k) => (own.count[k] === 0 ? NaN : z)), // [K]
      ...turnGroupTrace(own),
      "trajectory.outcome": last, // [B]
      "trajectory.outcomeScore": outcome.adv, // [B]
      "group.outcomeMean": outcome.mean, // [B]
      "group.outcomeStd": outcome.std, // [B]
    },
  };
}

function turnGroupTrace({ mean, std, count }: Compared): Trace {
  return { "group.turnMean": mean, "group.turnStd": std, "group.turnCount": count }; // [K]
}

/**
 * z = (gain - mean) / sqrt(population variance + 1e-8) within the group's turns of the same number;
 * 0 where there is a single one, and for the answering turn, a trajectory's last, which has no
 * gain. gain [K] -> z [K], with what each gain was compared with
 *
 * Source: A2TGPO, arXiv 2605.06200, sec. 3 (turn-group normalisation).
 */
export function compareGains(
  gain: Float64Array,
  task: readonly string[],
  turnStart: Int32Array,
): { z: Float64Array; trace: Trace } {
  const made = compareEarlier(gain, task, turnStart, populationScores); // [K]
  return { z: made.adv, trace: turnGroupTrace(made) };
}

function populationScores(x: Float64Array, names: readonly string[]): Compared {
  const made = emptyComparison(x.length);
  for (const members of groups(names)) {
    const own = Float64Array.from(members, (i) => x[i]!); // [G]
    // Equal gains would leave rounding noise.
    const center = own.every((g) => g === own[0]) ? own[0]! : mean(own);
    const variance = populationVariance(own);
    const divisor = Math.sqrt(variance + 1e-8);
    members.forEach((i, j) => {
      made.adv[i] = (own[j]! - center) / divisor;
      made.mean[i] = center;
      made.std[i] = Math.sqrt(variance);
      made.count[i] = members.length;
    });
  }
  return made;
}

/**
 * Variance-rescaled sums of z from a turn on: with m terms of unit variance the sum has variance
 * m, so it is divided by sqrt(m). The answering turn takes no part and has 0. z [K] -> [K]
 *
 *   D_h = sum over j >= h of gamma^(j-h) z_j / sqrt(m)
 *
 * Source: A2TGPO, arXiv 2605.06200, sec. 3 (variance-rescaled accumulation).
 */
export function rescaledReturns(z: Float64Array, turnStart: Int32Array, gamma: number) {
  const D = new Float64Array(z.length); // [K]
  for (let b = 0; b < turnStart.length - 1; b++) {
    const last = turnStart[b + 1]! - 1;
    let sum = 0;
    for (let k = last - 1; k >= turnStart[b]!; k--) {
      sum = z[k]! + gamma * sum;
      D[k] = sum / Math.sqrt(last - k);
    }
  }
  return D;
}
