/**
 * The policies that played a live run's newest episodes, and the critics of that time, kept beside
 * the current ones: training has moved on, but an episode's true values are those under the policy
 * that played it.
 */
import type { Engine, EngineModel, WeightMap } from "../engine/engine.ts";
import { parameterShapes } from "../engine/parameters.ts";
import type { Experiment } from "../train/experiment.ts";
import { learnsFromPairs, type AnyLearner } from "../train/preference/learner.ts";

interface KeptPolicy {
  /** Iterations of training behind it. */
  trained: number;
  weights: WeightMap;
  /** For a separate critic network. */
  critic: WeightMap | null;
}

/** A copy of a learner's networks at an earlier time. */
interface Borrowed {
  actor: EngineModel;
  separateCritic: EngineModel | null;
  dispose(): void;
}

/** Maximum parameters: larger models would take too long to read and too much memory. */
const LARGEST = 2_000_000;
/** Per learner: the current policy and the one before, whose episodes are the newest recorded. */
const KEPT = 2;

export class Policies {
  #engine: Engine;
  #kept = new Map<string, KeptPolicy[]>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Before a unit of work: stores the policy that is about to play. Does not change the run. */
  async keep({ learners, position }: Experiment): Promise<void> {
    const learner = learners[position.next];
    if (position.iteration === 0 || !learner || learner.crashed || learnsFromPairs(learner)) return;
    if (sizeOf(learner) > LARGEST) return;
    const { name } = learner.algorithm;
    const before = this.#kept.get(name) ?? [];
    const weights = await learner.actor.readWeights();
    const critic = (await learner.separateCritic?.readWeights()) ?? null;
    const now = { trained: position.iteration - 1, weights, critic };
    this.#kept.set(name, [...before, now].slice(-KEPT));
  }

  /** The earlier policy, which the caller must dispose of; null if it is not stored. */
  async borrow(learner: AnyLearner, trained: number): Promise<Borrowed | null> {
    const kept = this.#kept.get(learner.algorithm.name)?.find((one) => one.trained === trained);
    if (!kept) return null;
    const again = ({ config, valueHead }: EngineModel, weights: WeightMap) =>
      this.#engine.createModel(config, weights, valueHead);
    const actor = await again(learner.actor, kept.weights);
    const { separateCritic: now } = learner;
    const separateCritic = now && kept.critic ? await again(now, kept.critic) : null;
    const dispose = () => [actor, separateCritic].forEach((model) => model?.dispose());
    return { actor, separateCritic, dispose };
  }
}

function sizeOf({ actor }: AnyLearner): number {
  const shapes = [...parameterShapes(actor.config, actor.valueHead).values()];
  return shapes.reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);
}
