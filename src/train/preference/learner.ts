/** A method on preference pairs with the model it trains and its reference. */
import type { Engine, EngineModel } from "../../engine/engine.ts";
import type { ModelConfig } from "../../engine/modelConfig.ts";
import { preferenceNames, type PreferenceConfig } from "../../spec/preference.ts";
import { createFirst, type FirstWeights } from "../../model/firstModel.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { firstPolicy, type Learner } from "../learner.ts";
import type { Collected } from "./collected.ts";

export interface PreferenceLearner {
  algorithm: PreferenceConfig;
  actor: EngineModel;
  /** Pairs have no critic. */
  separateCritic: null;
  /** The first policy of the run or of the round: log-ratios and KL are relative to it, and offline it plays the rollouts. */
  reference: EngineModel;
  /** The phase's rollouts and pairs, once played. Not saved: offline, the reference plays the same ones again. */
  collected: Collected | null;
  /** Set once the learner's numbers were no longer finite; it is skipped from then on. */
  crashed: boolean;
}

/** Any learner of an experiment. */
export type AnyLearner = Learner | PreferenceLearner;

export function learnsFromPairs(learner: AnyLearner): learner is PreferenceLearner {
  return preferenceNames.includes(learner.algorithm.name);
}

/** Creates a learner that starts from the given weights; so does its reference. */
export async function createPreferenceLearner(
  engine: Engine,
  { preference }: ExperimentSpec,
  algorithm: PreferenceConfig,
  config: ModelConfig,
  weights: FirstWeights,
): Promise<PreferenceLearner> {
  const actor = await createFirst(engine, config, weights, "none");
  // The policy of a round is none that the base could be.
  const moves = preference?.rounds === "iterated" && preference.reference === "round";
  const reference = moves
    ? await createFirst(engine, config, weights, "none")
    : await firstPolicy(engine, actor, weights);
  return { algorithm, actor, separateCritic: null, reference, collected: null, crashed: false };
}
