/** KL in the reward while a run goes on: what it costs, and its weight where that adapts. */
import { adaptedBeta } from "../credit/klReward.ts";
import { mean } from "../numeric/statistics.ts";
import type { Metrics } from "../record/runEvent.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Learner } from "./learner.ts";

/** The learner's algorithm with the weight as it stands. */
export function withKlCoef({ algorithm, klCoef }: Learner): AlgorithmConfig {
  return algorithm.betaKlReward === klCoef ? algorithm : { ...algorithm, betaKlReward: klCoef };
}

/**
 * Moves the learner's weight towards its klTarget, by the mean k1 of the iteration's tokens, and tells
 * both under verl's names; the weight told is the one that was used. Nothing where rewards hold no KL.
 */
export function steerKl(
  learner: Learner,
  { oldLogprob, refLogprob, task }: TrajectoryBatch,
): Metrics {
  const { algorithm, klCoef } = learner;
  if (algorithm.betaKlReward === 0 || !oldLogprob || !refLogprob) return {};
  const kl = mean(oldLogprob.map((x, t) => x - refLogprob[t]!));
  const { klTarget: target, klHorizon: horizon } = algorithm;
  if (target !== null) learner.klCoef = adaptedBeta(klCoef, kl, { target, horizon }, task.length);
  return { "actor/reward_kl_penalty": kl, "actor/kl_coef": klCoef };
}
