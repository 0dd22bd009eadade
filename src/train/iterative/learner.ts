/** A learner with a Q of whole turns in addition to its policy. */
import type { Engine, EngineModel } from "../../engine/engine.ts";
import type { ModelConfig } from "../../engine/modelConfig.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { createFirst, type FirstWeights } from "../../model/firstModel.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { createLearner, type Learner } from "../learner.ts";

export interface IterativeLearner extends Learner {
  /** The inner row's settings under the method's own name. */
  algorithm: AlgorithmConfig;
  /** Q(s, a), read at the end of the response: a separate network, initialised from the first policy's weights. */
  q: EngineModel;
}

export function improvesSingleTurns(learner: object): learner is IterativeLearner {
  return "q" in learner;
}

export async function createIterativeLearner(
  engine: Engine,
  spec: ExperimentSpec,
  algorithm: AlgorithmConfig,
  config: ModelConfig,
  weights: FirstWeights,
): Promise<IterativeLearner> {
  const learner = await createLearner(engine, spec, algorithm, config, weights);
  return { ...learner, q: await createFirst(engine, config, weights, "shared") };
}

/** The learner as the inner row sees it: single turns are its episodes. */
export function innerLearner(learner: IterativeLearner, spec: ExperimentSpec): Learner {
  return { ...learner, algorithm: { ...learner.algorithm, name: spec.iterative!.inner } };
}
