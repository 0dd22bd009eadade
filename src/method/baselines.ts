/** The table of baselines (axis B): what a return is compared with, what that needs, and how scores are compared with it. */
import { composeOffsets, segmentLengths } from "../numeric/segments.ts";
import type { GroupStd } from "./axes.ts";
import { compareInGroups, type Alone } from "./credit/groupScores.ts";
import { groups } from "./credit/groups.ts";
import type { Trace } from "./credit/trace.ts";
import { open, type TexPiece } from "./formula/tex.ts";
import type { Binding } from "./formula/vocabulary.ts";
import type { TrajectoryBatch } from "./trajectoryBatch.ts";

interface ScoreAdvantage {
  /** [B] */
  adv: Float64Array;
  trace: Trace;
}

export interface BaselineFacts {
  /** Its meaning. */
  about: string;
  /** The part of a list of algorithms that has its rows. */
  family: "plain" | "group" | "token-critic" | "turn-critic" | "turns-in-group";
  /** Whether it compares the rollouts of one task, so that a task needs several. */
  grouped: boolean;
  /** Whether what is compared with it can be divided by a standard deviation of the group. */
  divided: boolean;
  /** What its critic values; null without a critic. */
  critic: "token" | "turn" | null;
  /** Columns of a batch that it needs besides rewards and values. */
  columns: readonly ("greedyScore" | "sumPiSquared" | "success")[];
  /** For whole trajectories' scores: its term, and what that is the mean of. */
  score?: {
    term: Binding;
    mean?: TexPiece;
    /** Scores against it. score [B] */
    compare?(score: Float64Array, batch: TrajectoryBatch, std: GroupStd): ScoreAdvantage;
  };
}

/** Neither group nor critic. */
const plain = {
  family: "plain",
  grouped: false,
  divided: false,
  critic: null,
  columns: [],
} as const;
const group = { ...plain, family: "group", grouped: true } as const;
const turnsInGroup = { ...group, family: "turns-in-group", divided: true } as const;

/** The mean of the group, the default for others with a group. */
const ofGroup = {
  term: "group.mean",
  mean: open`${"group.mean"} &= \frac{1}{${"group.size"}}\sum_{j\in g} R_j`,
} as const;

/** [B] */
const less = (score: Float64Array, mean: Float64Array) => score.map((R, b) => R - mean[b]!);

export const baselines = {
  none: { ...plain, about: "nothing" },
  "group-mean": {
    ...group,
    divided: true,
    about: "the mean score of the task's group",
    score: {
      ...ofGroup,
      compare: (score, { task }, std) => {
        const { adv, mean, std: spread } = compareInGroups(score, task, std);
        return { adv, trace: { "group.mean": mean, "group.std": spread } };
      },
    },
  },
  "second-best": {
    ...group,
    divided: true,
    about: "the second-best score of the task's group; only the best rollout is compared",
    score: {
      term: "group.secondBest",
      mean: open`${"group.secondBest"} &= \text{the second-largest } R_j,\ j\in g`,
      compare: (score, { task }, std) => bestAgainstSecond(score, task, std),
    },
  },
  "pass-at-k": {
    ...group,
    about: "the chance that one of k tries of the task's group succeeds",
    columns: ["success"],
  },
  "leave-one-out": {
    ...group,
    about: "the mean score of the other rollouts of the task",
    score: {
      term: "group.othersMean",
      mean: open`${"group.othersMean"} &= \frac{1}{${"group.size"}-1}\sum_{j\in g,\,j\ne b} R_j`,
      compare: (score, { task }) => {
        const mean = othersMean(score, task); // [B]
        return { adv: less(score, mean), trace: { "group.othersMean": mean } };
      },
    },
  },
  "length-weighted-mean": {
    ...group,
    about: "the mean score of the group weighted by token counts",
    score: {
      term: "group.lengthWeightedMean",
      mean: open`${"group.lengthWeightedMean"} &= \frac{\sum_{j\in g} N_j R_j}{\sum_{j\in g} N_j}`,
      compare: (score, { task, turnStart, tokenStart }) => {
        const tokens = segmentLengths(composeOffsets(turnStart, tokenStart)); // [B]
        const mean = lengthWeightedBaseline(score, tokens, task); // [B]
        return { adv: less(score, mean), trace: { "group.lengthWeightedMean": mean } };
      },
    },
  },
  "energy-weighted-mean": {
    ...group,
    about:
      "at each token's position the group's mean return, weighted by the gradient energy spent so far",
    columns: ["sumPiSquared"],
  },
  greedy: {
    ...plain,
    about: "the score of a greedy rollout of the task",
    score: { term: "trajectory.greedyScore" },
    columns: ["greedyScore"],
  },
  "batch-mean": { ...plain, about: "the mean return of all turns of the batch" },
  "group-and-anchor": {
    ...turnsInGroup,
    about: "the group's mean score, and the mean return of equal states in the group",
  },
  "shared-history": {
    ...turnsInGroup,
    about: "the mean return of the group's turns with the same last states",
  },
  "anchor-mean": {
    ...turnsInGroup,
    about: "the mean return of the group's turns from the same state, used as its value",
  },
  "turn-group": { ...turnsInGroup, about: "the mean of the group's turns of the same number" },
  "token-critic": {
    ...plain,
    family: "token-critic",
    critic: "token",
    about: "V of the prefix before each token",
  },
  "turn-critic": { ...plain, family: "turn-critic", critic: "turn", about: "V of each turn" },
} as const satisfies Record<string, BaselineFacts>;

export type Baseline = keyof typeof baselines;

/** The facts of one baseline, with optional fields. */
export function baselineFacts(baseline: Baseline): BaselineFacts {
  return baselines[baseline];
}

/** Its term among scores and what that is the mean of. */
export function scoreTerms(baseline: Baseline): { term: Binding; mean: TexPiece } {
  return { ...ofGroup, ...baselineFacts(baseline).score };
}

/**
 * Score minus the configured baseline, divided by the group's std if the baseline is the group's
 * mean and `std` says so; without a baseline the score. [B]
 */
export function scoresAgainst(
  { baseline, std }: { baseline: Baseline; std: GroupStd },
  score: Float64Array,
  batch: TrajectoryBatch,
): ScoreAdvantage {
  return baselineFacts(baseline).score?.compare?.(score, batch, std) ?? { adv: score, trace: {} };
}

/**
 * Pass@k: the best rollout's score minus the second-best, divided as `std` says; 0 for the others,
 * where two are best, and for a group of one.
 *
 * Source: arXiv 2503.19595; verl/trainer/ppo/core_algos.py, compute_grpo_passk_outcome_advantage. [B] -> [B]
 */
function bestAgainstSecond(
  score: Float64Array,
  task: readonly string[],
  std: GroupStd,
): ScoreAdvantage {
  const { mean, std: spread } = compareInGroups(score, task, std); // [B]
  const second = new Float64Array(score.length); // [B]
  const adv = new Float64Array(score.length); // [B]
  for (const members of groups(task)) {
    const [best, next] = members.toSorted((a, b) => score[b]! - score[a]!);
    const rival = score[next ?? best!]!;
    for (const b of members) second[b] = rival;
    const divisor = std === "none" ? 1 : spread[best!]! + 1e-6;
    adv[best!] = (score[best!]! - rival) / divisor;
  }
  const trace = { "group.mean": mean, "group.std": spread, "group.secondBest": second };
  return { adv, trace };
}

/**
 * OPO: the baseline of least gradient variance when tokens' gradients are alike; 0 for a group of one.
 *
 *   sum of N_c R_c / sum of N_c over the group's rollouts c, N being token counts
 *
 * Source: arXiv 2505.23585, sec. 3; verl/trainer/ppo/core_algos.py, compute_opo_outcome_advantage. [B] -> [B]
 */
export function lengthWeightedBaseline(
  score: Float64Array,
  tokens: Float64Array,
  task: readonly string[],
): Float64Array {
  const baseline = new Float64Array(score.length); // [B]
  for (const members of groups(task)) {
    const weighted = members.reduce((sum, b) => sum + tokens[b]! * score[b]!, 0);
    const total = members.reduce((sum, b) => sum + tokens[b]!, 0);
    for (const b of members) baseline[b] = members.length > 1 ? weighted / total : 0;
  }
  return baseline;
}

/**
 * RLOO: the mean of the others of the task, (sum of the group - R_b) / (G - 1). With nobody to be compared with, a rollout
 * keeps its score (verl's compute_rloo_outcome_advantage), or gets 0 (its compute_rloo_vectorized_outcome_advantage).
 *
 * Source: arXiv 2402.14740, sec. 3.2; verl/trainer/ppo/core_algos.py. [B] -> [B]
 */
export function othersMean(
  score: Float64Array,
  task: readonly string[],
  alone: Alone = "score",
): Float64Array {
  const baseline = new Float64Array(score.length); // [B]
  for (const members of groups(task)) {
    const G = members.length;
    const sum = members.reduce((total, b) => total + score[b]!, 0);
    for (const b of members)
      baseline[b] = G > 1 ? (sum - score[b]!) / (G - 1) : alone === "score" ? 0 : score[b]!;
  }
  return baseline;
}
