/** KL in the reward during training: its cost, and its weight if that is adaptive. */
import { adaptedBeta } from "../method/credit/klReward.ts";
import { composeOffsets, segmentMean } from "../numeric/segments.ts";
import { mean } from "../numeric/statistics.ts";
import type { Metrics } from "../record/runEvent.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Learner } from "./learner.ts";

/** The learner's algorithm with the current weight. */
export function withKlCoef({ algorithm, klCoef }: Learner): AlgorithmConfig {
  return algorithm.betaKlReward === klCoef ? algorithm : { ...algorithm, betaKlReward: klCoef };
}

/** The same with the weight in reward units. */
export function unscaledKl(learner: Learner, rewardScale: number): AlgorithmConfig {
  return { ...learner.algorithm, betaKlReward: learner.klCoef / rewardScale };
}

/**
 * Moves the learner's weight towards its klTarget, by the mean over trajectories of the mean k1 of
 * their tokens, and reports both under verl's names; the reported weight is the one that was used,
 * in reward units. Does nothing if rewards contain no KL.
 */
export function steerKl(learner: Learner, batch: TrajectoryBatch, rewardScale: number): Metrics {
  const { oldLogprob, refLogprob, task, turnStart, tokenStart } = batch;
  const { algorithm, klCoef } = learner;
  if (algorithm.betaKlReward === 0 || !oldLogprob || !refLogprob) return {};
  const k1 = oldLogprob.map((x, t) => x - refLogprob[t]!); // [N]
  const kl = mean(segmentMean(k1, composeOffsets(turnStart, tokenStart)));
  const { klTarget: target, klHorizon: horizon } = algorithm;
  if (target !== null) learner.klCoef = adaptedBeta(klCoef, kl, { target, horizon }, task.length);
  return {
    "actor/reward_kl_penalty": kl,
    "actor/reward_kl_penalty_coeff": klCoef / rewardScale,
  };
}
