/**
 * The policies that played a live run's newest episodes and the critics of that time, beside the ones there are now:
 * training has moved on from them, but the truth of an episode is the truth under the policy that played it.
 */
import type { Engine, EngineModel, WeightMap } from "../engine/engine.ts";
import { parameterShapes } from "../engine/parameters.ts";
import type { Experiment } from "../train/experiment.ts";
import { learnsFromPairs, type AnyLearner } from "../train/preference/learner.ts";

interface KeptPolicy {
  /** Iterations it was trained for. */
  trained: number;
  weights: WeightMap;
  /** Of a critic of its own. */
  critic: WeightMap | null;
}

/** A learner's networks as they were. */
interface Borrowed {
  actor: EngineModel;
  separateCritic: EngineModel | null;
  dispose(): void;
}

/** Larger models would take too long to read and too much memory. In parameters. */
const LARGEST = 2_000_000;
/** Per learner: the one under way and the one before, whose episodes are the newest recorded. */
const KEPT = 2;

export class Policies {
  #engine: Engine;
  #kept = new Map<string, KeptPolicy[]>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Before a unit of work: keeps the policy that is about to play. Changes nothing of the run. */
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

  /** The policy as it was, to be disposed of by the caller; null where it is not kept. */
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
