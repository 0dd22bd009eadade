/**
 * The clipping-bias correction put on an objective (the formula and its source: method/objective/clipBias.ts).
 * The gradients of the policy are divided, the loss is not: dLogprob is then no longer its slope.
 */
import { max, mean } from "../numeric/statistics.ts";
import { clipBiasDenominator, divideTrajectories, norm } from "../method/objective/clipBias.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit } from "../method/estimator/estimator.ts";
import { stepTotals } from "./objective.ts";
import { type Objective } from "./objectiveTypes.ts";
import { offsetsOf } from "../method/objective/ratio.ts";

/** How much the clip cut: of the minibatch as one [1], or of each trajectory [B]. */
export interface CutSizes {
  /** |C|. */
  norms: number[];
  /** Share of tokens clipped. */
  fractions: number[];
}

export interface Corrected {
  objective: Objective;
  metrics: Record<string, number>;
}

/** The gradients of log-probs and entropies divided by the denominators that the sizes give. */
export function divideByCut(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  objective: Objective,
  { norms, fractions }: CutSizes,
): Corrected {
  const start = offsetsOf(batch).trajectory; // [B+1]
  const denominators = norms.map((C, i) => clipBiasDenominator(config, C, fractions[i]!));
  const perTrajectory = Float64Array.from(
    { length: start.length - 1 },
    (_, b) => denominators[b] ?? denominators[0]!,
  ); // [B]
  const divide = (gradient: Float64Array) => divideTrajectories(gradient, start, perTrajectory);
  return {
    objective: {
      ...objective,
      dLogprob: divide(objective.dLogprob),
      dEntropy: objective.dEntropy && divide(objective.dEntropy),
    },
    metrics: {
      "actor/clip_bias_norm/mean": mean(norms),
      "actor/clip_bias_norm/max": max(norms),
      "actor/clip_bias_denominator/mean": mean(denominators),
    },
  };
}

/**
 * Scope "logprobs": the norm of the cut gradient with respect to the log-probs. tokens: how many
 * take part; absent: all.
 */
export function cutOfLogprobs(
  { dLogprobCut, tokenClipped }: Objective,
  tokens = tokenClipped.length,
): CutSizes {
  const clipped = tokenClipped.reduce((sum, c) => sum + c, 0);
  return { norms: [norm(dLogprobCut)], fractions: [clipped / tokens] };
}

interface CorrectedOnBatch {
  /** Corrected, with metrics of the size of the correction; unchanged if there is a note. */
  objective: Objective;
  /** Why a requested correction is not made; null if none is requested, or it is made. */
  note: string | null;
}

/** The correction as far as a batch without a model allows: not where |C| is a norm over parameters. */
export function correctOnBatch(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  objective: Objective,
): CorrectedOnBatch {
  const { clipBias, clipBiasScope } = config;
  if (clipBias === "none") return { objective, note: null };
  if (clipBiasScope !== "logprobs") return { objective, note: needsModel(config) };
  const sizes = cutOfLogprobs(objective, stepTotals(config, batch, credit).tokens);
  const corrected = divideByCut(config, batch, objective, sizes);
  const metrics = { ...objective.metrics, ...corrected.metrics };
  return { objective: { ...corrected.objective, metrics }, note: null };
}

function needsModel({ clipBias, clipBiasScope }: AlgorithmConfig): string {
  return (
    `clipBias ${clipBias} is not applied: with clipBiasScope ${clipBiasScope}, |C| is a norm of the ` +
    "gradient of a model's parameters, and a batch has no model; clipBiasScope logprobs needs none"
  );
}
