/** One algorithm of an experiment with the model it trains: actor, critic and their counters. */
import type { Engine, EngineModel, ValueHead } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { createFirst, type FirstWeights } from "../model/firstModel.ts";
import { initModel, presetConfig } from "../model/initModel.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

export interface Learner {
  algorithm: AlgorithmConfig;
  actor: EngineModel;
  /** A second network with its own trunk (critic.kind "separate"); null for a head on the actor's trunk, or no critic. */
  separateCritic: EngineModel | null;
  /** The first policy, never updated; only if the objective may keep the actor near it (betaKl, betaKlReward, a regulariser of one's own). */
  reference: EngineModel | null;
  /** The learned judge of turns, if processReward uses one: a separate network. */
  judge: EngineModel | null;
  /** Current betaKlReward, in scaled rewards: it adapts if the algorithm has a klTarget. */
  klCoef: number;
  /** Set once the learner's numbers were no longer finite; it is skipped from then on. */
  crashed: boolean;
}

/** The model whose value head this learner trains, null without a critic. */
export function criticOf(learner: Learner): EngineModel | null {
  if (learner.algorithm.critic === "none") return null;
  return learner.separateCritic ?? learner.actor;
}

/**
 * Builds a learner; every learner of an experiment starts from the same weights. With adapters in
 * the shape, the first policy is the actor without its own, in the same memory, and a separate
 * critic or judge of that shape has adapters of its own; a critic of another size trains whole.
 */
export async function createLearner(
  engine: Engine,
  spec: ExperimentSpec,
  algorithm: AlgorithmConfig,
  config: ModelConfig,
  weights: FirstWeights,
): Promise<Learner> {
  const actor = await createFirst(engine, config, weights, actorHead(spec, algorithm));
  const separate = algorithm.critic !== "none" && spec.critic.kind === "separate";
  const separateCritic = separate ? await createCritic(engine, spec, config, weights) : null;
  const { betaKl, betaKlReward, own } = algorithm;
  const held = betaKl > 0 || betaKlReward > 0 || own?.regulariser !== undefined;
  const reference = held ? await firstPolicy(engine, actor, weights) : null;
  const judged = spec.processReward?.provider === "learned";
  const judge = judged ? await createFirst(engine, config, weights, "shared") : null;
  const scaled = inScaledRewards(algorithm, spec);
  return {
    algorithm: scaled,
    actor,
    separateCritic,
    reference,
    judge,
    klCoef: scaled.betaKlReward,
    crashed: false,
  };
}

/** The policy of these weights, with which this model begins: its base if it has adapters, else a copy. */
export async function firstPolicy(
  engine: Engine,
  model: EngineModel,
  weights: FirstWeights,
): Promise<EngineModel> {
  const { config } = model;
  return config.lora ? model.withoutAdapters!() : createFirst(engine, config, weights, "none");
}

/** Initialised from the actor, or randomly if its shape differs. */
function createCritic(
  engine: Engine,
  { critic: { size }, seed }: ExperimentSpec,
  config: ModelConfig,
  weights: FirstWeights,
): Promise<EngineModel> {
  if (size === undefined) return createFirst(engine, config, weights, "shared");
  const own = presetConfig(size, config.vocabSize);
  return engine.createModel(own, initModel(own, seed), "shared");
}

/** Value clip and KL in the reward are given in reward units; credit and objective use scaled rewards. */
function inScaledRewards(
  algorithm: AlgorithmConfig,
  { optimisation }: ExperimentSpec,
): AlgorithmConfig {
  const { valueClip, betaKlReward } = algorithm;
  const { rewardScale } = optimisation;
  return {
    ...algorithm,
    valueClip: valueClip === null ? null : valueClip * rewardScale,
    betaKlReward: betaKlReward * rewardScale,
  };
}

function actorHead(spec: ExperimentSpec, { critic }: AlgorithmConfig): ValueHead {
  if (critic === "none" || spec.critic.kind === "separate") return "none";
  return spec.critic.kind === "head-shared" ? "shared" : "detached";
}

/** A learner's networks by name; a learner that is not a row of the table may lack some, or also have a Q. */
export function networksOf(
  learner: Pick<Learner, "actor" | "separateCritic" | "reference"> & {
    judge?: EngineModel | null;
    q?: EngineModel | null;
  },
): [string, EngineModel][] {
  const { actor, separateCritic, reference, judge, q } = learner;
  const all = { actor, critic: separateCritic, reference, judge, q };
  return Object.entries(all).flatMap(([name, model]) => (model ? [[name, model]] : []));
}

export function disposeLearner(learner: Parameters<typeof networksOf>[0]): void {
  for (const [, model] of networksOf(learner)) model.dispose();
}
