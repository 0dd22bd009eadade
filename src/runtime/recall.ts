/** A recorded run's networks at its checkpoints, loaded into an experiment that answers questions only. */
import type { EngineModel, WeightMap } from "../engine/engine.ts";
import { InputError } from "../numeric/inputError.ts";
import type { Experiment } from "../train/experiment.ts";
import { networksOf } from "../train/learner.ts";
import type { AnyLearner } from "../train/preference/learner.ts";
import { withoutPrefix } from "../train/checkpoint.ts";

export class Recall {
  /** By iterations of training; 0 is the start. */
  #weights = new Map<number, WeightMap>();
  #stands = 0;

  /** `weights`: every trained network of a method that had not crashed, `<method>:<network>/<tensor>`. */
  keep(trained: number, weights: WeightMap): void {
    this.#weights.set(trained, weights);
  }

  /** @throws InputError if the weights are missing or do not fit. */
  async stand(experiment: Experiment, trained: number): Promise<void> {
    if (this.#stands === trained) return;
    if (!this.#weights.has(0)) this.#weights.set(0, await startWeights(experiment));
    const weights = this.#weights.get(trained);
    if (!weights) throw new InputError(`the weights of iteration ${trained} did not load`);
    for (const learner of experiment.learners) {
      const own = networks(learner);
      const part = (name: string) => withoutPrefix(weights, `${learner.algorithm.name}:${name}/`);
      learner.crashed = own.some(([name]) => part(name).size === 0);
      if (learner.crashed) continue;
      for (const [name, model] of own) await write(model, part(name), trained);
    }
    experiment.standAfter(trained);
    this.#stands = trained;
  }
}

/** The trained networks: the reference stays as at the start. */
function networks(learner: AnyLearner): [string, EngineModel][] {
  return networksOf(learner).filter(([name]) => name !== "reference");
}

async function startWeights({ learners }: Experiment): Promise<WeightMap> {
  const all: WeightMap = new Map();
  for (const learner of learners)
    for (const [name, model] of networks(learner))
      for (const [tensor, value] of await model.readWeights("trained"))
        all.set(`${learner.algorithm.name}:${name}/${tensor}`, value);
  return all;
}

async function write(model: EngineModel, weights: WeightMap, trained: number): Promise<void> {
  try {
    await model.writeWeights(weights);
  } catch (error) {
    const why = (error as Error).message;
    throw new InputError(`the weights of iteration ${trained} do not fit the model: ${why}`);
  }
}
