/** The number of tasks, trajectories and updates of an iteration. */
import { filterFacts } from "../../method/credit/groupFilter.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { groupSizeOf } from "../../spec/groups.ts";
import { InputError } from "../../numeric/inputError.ts";

export interface Sizes {
  /** Distinct tasks per iteration. */
  tasks: number;
  /** Rollouts per task. */
  groupSize: number;
  /** Trajectories per update. */
  minibatch: number;
  /** Trajectories per pass of one GPU; divides the minibatch. */
  microBatch: number;
  /** Optimiser steps per iteration. */
  updates: number;
}

/** RAGEN's own default. */
const MICRO_BATCH = 4;

/**
 * Tasks are played as often as in training here. RAGEN wants a minibatch that is not larger than
 * what a filter leaves.
 * @throws InputError if the GPUs cannot share a minibatch evenly.
 */
export function exportSizes(spec: ExperimentSpec, config: AlgorithmConfig, gpus: number): Sizes {
  const { tasksPerIteration, minibatch: asked, epochs } = spec.optimisation;
  const episodes = tasksPerIteration * spec.optimisation.groupSize;
  const kept = filterFacts(config.filter)?.keepsShare ? config.filterKeep : 1;
  const minibatch = fitting(Math.min(asked, Math.floor(episodes * kept)), gpus);
  const microBatch = largestDivisor(minibatch / gpus, MICRO_BATCH);
  const updates = Math.ceil(episodes / minibatch) * epochs;
  const groupSize = groupSizeOf(spec, config);
  return { tasks: episodes / groupSize, groupSize, minibatch, microBatch, updates };
}

function fitting(minibatch: number, gpus: number): number {
  if (minibatch > 0 && minibatch % gpus === 0) return minibatch;
  throw new InputError(
    `gpus is ${gpus}; it must divide the trajectories of an update, optimisation.minibatch or what a filter leaves: ${minibatch}`,
  );
}

function largestDivisor(n: number, limit: number): number {
  for (let d = Math.min(n, limit); d > 1; d--) if (n % d === 0) return d;
  return 1;
}
