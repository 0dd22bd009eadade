/**
 * Each algorithm's weight on each token of a batch at ratio 1: -dL/dlogprob of its actor loss
 * before any update, with its own credit, filter, normalisation and aggregation. The optimiser, the
 * gradient-norm limit, the entropy bonus and KL (in loss or reward) are left out: they are not part
 * of the algorithm's estimate of the policy gradient.
 */
import {
  computeCredit,
  computeObjective,
  selectBatch,
  withoutPull,
} from "../../algorithm/registry.ts";
import { returnsToGo } from "../../method/credit/returnsToGo.ts";
import { gae } from "../../method/credit/gae.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import { resolveAlgorithm, type AlgorithmConfig } from "../../spec/algorithms.ts";

/** A row of the figure: an algorithm, or an upper bound that knows true values. */
export interface GradientRow {
  name: string;
  title: string;
  config: AlgorithmConfig;
  /** What it uses from the truth; null: nothing. */
  truth: "advantage" | "value-at-lambda" | "critic" | null;
  lambda: number;
}

/** True values of a batch's turns in reward units. All [K] */
export interface TrueColumns {
  value: Float64Array;
  advantage: Float64Array;
}

/** The row of an algorithm without its KL. */
export function gradientRow(config: AlgorithmConfig): GradientRow {
  const bare = { ...withoutPull(config), betaKlReward: 0, klTarget: null };
  return {
    name: config.name,
    title: config.title,
    config: bare,
    truth: null,
    lambda: config.lambda,
  };
}

/**
 * Upper bounds of credit. The first three sum over turns and average over episodes, as the gradient
 * of the expected return does; the last is Turn-PPO with the true critic.
 */
export function ceilingRows(lambda: number, set: Record<string, unknown> = {}): GradientRow[] {
  const plain = gradientRow(resolveAlgorithm("reinforce"));
  const turnPpo = gradientRow(resolveAlgorithm("turn-ppo", set));
  return [
    { ...plain, name: "true-advantage", title: "True advantage", truth: "advantage" },
    {
      ...plain,
      name: "true-v-1",
      title: "Return minus true V",
      truth: "value-at-lambda",
      lambda: 1,
    },
    {
      ...plain,
      name: "true-v-lambda",
      title: `GAE with true V, λ ${lambda}`,
      truth: "value-at-lambda",
      lambda,
    },
    { ...turnPpo, name: "turn-ppo-true-v", title: "Turn-PPO with true V", truth: "critic" },
  ];
}

/** The batch as seen by a row that knows the truth. */
export function withTruth(
  { truth, lambda }: GradientRow,
  batch: TrajectoryBatch,
  known: TrueColumns | null,
  rewardScale: number,
): TrajectoryBatch {
  if (truth === null) return batch;
  if (!known) throw new Error(`row ${truth} needs true values`);
  const value = known.value.map((V) => V * rewardScale); // [K]
  if (truth === "critic") return { ...batch, turnValue: value };
  if (truth === "advantage")
    return { ...batch, turnAdvantage: known.advantage.map((A) => A * rewardScale) };
  return { ...batch, turnAdvantage: gaeOn(batch, value, lambda) };
}

/** Undiscounted. [K] */
function gaeOn(batch: TrajectoryBatch, value: Float64Array, lambda: number): Float64Array {
  const { turnReward: reward, turnStart: start } = batch;
  if (lambda === 1) return returnsToGo(reward, start, 1).map((G, k) => G - value[k]!);
  const bootstrap = new Float64Array(start.length - 1); // [B]
  return gae({ reward, value, start, bootstrap, gamma: 1, lambda }).adv;
}

/**
 * The weight on each token of some trajectories, treated as a batch of their own, at its position
 * in the whole one; 0 for the tokens of the others. batch needs oldLogprob and the columns the row
 * uses. [N]
 * @throws InputError naming a missing column.
 */
export function rowWeights(
  { config }: GradientRow,
  batch: TrajectoryBatch,
  members: ArrayLike<number>,
): Float64Array {
  const { batch: own, tokens } = selectBatch(batch, members);
  const credit = computeCredit(config, own);
  const { dLogprob } = computeObjective(config, { ...own, logprob: own.oldLogprob! }, credit);
  const weight = new Float64Array(batch.tokenStart.at(-1)!); // [N]
  tokens.forEach((t, i) => (weight[t] = -dLogprob[i]!));
  return weight;
}
