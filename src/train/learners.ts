/** All learners of a spec: the rows of the table, then the methods outside it, each with its own loop. */
import type { Engine } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import type { FirstWeights } from "../model/firstModel.ts";
import type { DefinedCodes } from "../record/definitions.ts";
import { readingOf, specAlgorithms, type ExperimentSpec } from "../spec/experiment.ts";
import { iterativeConfig } from "../spec/iterative.ts";
import { preferenceConfigs } from "../spec/preference.ts";
import { specOf } from "../spec/schedule.ts";
import { boundRow } from "./definitions.ts";
import { iterate } from "./iterate.ts";
import { type IterationResult } from "./context.ts";
import { type IterationContext } from "./context.ts";
import { iterateTurns } from "./iterative/iterateTurns.ts";
import { createIterativeLearner, improvesSingleTurns } from "./iterative/learner.ts";
import { createLearner } from "./learner.ts";
import { createPreferenceLearner, learnsFromPairs, type AnyLearner } from "./preference/learner.ts";
import { iterateOnPairs } from "./preference/phase.ts";

/** In the order of their turns: `learnerNames` of the spec. */
export async function createLearners(
  engine: Engine,
  spec: ExperimentSpec,
  config: ModelConfig,
  weights: FirstWeights,
  definitions: DefinedCodes | null = null,
): Promise<AnyLearner[]> {
  const learners: AnyLearner[] = [];
  for (const row of specAlgorithms(spec)) {
    const algorithm = boundRow(row, definitions);
    learners.push(
      await createLearner(engine, specOf(spec, algorithm.name), algorithm, config, weights),
    );
  }
  for (const method of preferenceConfigs(spec.preference)) {
    learners.push(await createPreferenceLearner(engine, spec, method, config, weights));
  }
  const iterative = iterativeConfig(spec.iterative, readingOf(spec));
  if (iterative) {
    learners.push(await createIterativeLearner(engine, spec, iterative, config, weights));
  }
  return learners;
}

/** One iteration by the learner's own loop. @throws NotFiniteError if a number of the model is not finite. */
export function iterateLearner(
  context: IterationContext,
  learner: AnyLearner,
  iteration: number,
): Promise<IterationResult> {
  if (learnsFromPairs(learner)) return iterateOnPairs(context, learner, iteration);
  if (improvesSingleTurns(learner)) return iterateTurns(context, learner, iteration);
  return iterate(context, learner, iteration);
}
