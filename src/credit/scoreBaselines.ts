/** Scores of whole trajectories against a baseline of their task's group, by the baseline's name (axis B). */
import { composeOffsets, segmentLengths } from "../numeric/segments.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Baseline } from "../spec/baselines.ts";
import { compareInGroups } from "./groupScores.ts";
import { othersMean } from "./leaveOneOut.ts";
import { lengthWeightedBaseline } from "./lengthWeightedMean.ts";
import type { Trace } from "./trace.ts";

interface ScoreAdvantage {
  /** [B] */
  adv: Float64Array;
  trace: Trace;
}

type Compare = (
  score: Float64Array,
  batch: TrajectoryBatch,
  std: AlgorithmConfig["std"],
) => ScoreAdvantage;

const compare: Partial<Record<Baseline, Compare>> = {
  "group-mean": (score, { task }, std) => {
    const group = compareInGroups(score, task, std);
    return { adv: group.adv, trace: { "group.mean": group.mean, "group.std": group.std } };
  },
  "leave-one-out": (score, { task }) => {
    const mean = othersMean(score, task); // [B]
    return { adv: less(score, mean), trace: { "group.othersMean": mean } };
  },
  "length-weighted-mean": (score, { task, turnStart, tokenStart }) => {
    const tokens = segmentLengths(composeOffsets(turnStart, tokenStart)); // [B]
    const mean = lengthWeightedBaseline(score, tokens, task); // [B]
    return { adv: less(score, mean), trace: { "group.lengthWeightedMean": mean } };
  },
};

/** [B] */
function less(score: Float64Array, mean: Float64Array): Float64Array {
  return score.map((R, b) => R - mean[b]!);
}

/** Score minus the configured baseline, over the group's std where the group's mean has one; without a baseline the score. [B] */
export function scoresAgainst(
  { baseline, std }: Pick<AlgorithmConfig, "baseline" | "std">,
  score: Float64Array,
  batch: TrajectoryBatch,
): ScoreAdvantage {
  return compare[baseline]?.(score, batch, std) ?? { adv: score, trace: {} };
}
