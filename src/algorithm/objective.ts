/**
 * From a minibatch and its credit to the loss, the gradient of every number an engine reports, and
 * the metrics.
 */
import { exp } from "../numeric/deterministic.ts";
import { broadcast } from "../numeric/segments.ts";
import {
  countTotals,
  aggregations,
  tokenWeights,
  weightedSum,
  type LossTotals,
} from "../method/objective/aggregate.ts";
import { estimators } from "../method/estimators.ts";
import { entropyBonus } from "../method/objective/entropy.ts";
import { klPenalty, type KlKind } from "../method/objective/kl.ts";
import { offsetsOf, tokenLogRatios } from "../method/objective/ratio.ts";
import { countSolvedTokens, successLoss } from "../method/objective/successLoss.ts";
import { countTargets } from "../method/objective/valueLoss.ts";
import { hasColumn, requireColumn } from "../method/requireColumn.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit } from "../method/estimator/estimator.ts";
import { keptPart, expandToBatch } from "./kept.ts";
import { actorMetrics, criticMetrics } from "./metrics.ts";
import type { Objective } from "./objectiveTypes.ts";
import { ownRegulariser } from "./ownObjective.ts";
import { lossWeights, surrogateLoss } from "./surrogate.ts";
import { turnUse } from "./turnUse.ts";

export interface ObjectiveOptions {
  /**
   * Denominators of the optimiser step that this batch is a micro-batch of; absent: the batch is
   * the step.
   */
  totals?: LossTotals;
  /** Entropy of each token's distribution. [N] */
  entropy?: Float64Array;
  /** Weight of the entropy bonus; 0 when absent. Needs `entropy`. */
  entropyCoef?: number;
}

/**
 * Denominators of a whole optimiser step, for its micro-batches. The step's credit is needed if
 * only some trajectories take part, or only some tokens have a value target.
 */
export function stepTotals(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit | null = null,
): LossTotals {
  const part = credit && keptPart(batch, credit);
  if (part) return stepTotals(config, part.batch, part.credit);
  return {
    ...countTotals(offsetsOf(batch), config.horizon),
    ...(credit?.tokenReturn && { targets: countTargets(credit.tokenReturn) }),
    ...(config.lmWeight > 0 && { solvedTokens: countSolvedTokens(batch, config.name) }),
  };
}

/**
 * Loss and gradients of one minibatch. Trajectories that its credit does not keep count nowhere and
 * have gradient 0, as if they were absent; their ratios are still reported.
 * @throws InputError naming a number that is missing, also of a trajectory that is not kept.
 */
export function computeObjective(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  options: ObjectiveOptions = {},
): Objective {
  const totals = options.totals ?? stepTotals(config, batch, credit);
  const whole = objectiveOfAll(config, batch, credit, totals, options);
  const part = keptPart(batch, credit);
  if (!part) return whole;
  const { entropy } = options;
  const own = objectiveOfAll(config, part.batch, part.credit, totals, {
    ...options,
    ...(entropy && { entropy: Float64Array.from(part.tokens, (t) => entropy[t]!) }), // [N']
  });
  return expandToBatch(config, own, whole, part);
}

function objectiveOfAll(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: LossTotals,
  options: ObjectiveOptions,
): Objective {
  const actor = surrogateLoss(config, batch, credit, totals);
  const critic = estimators[config.estimator].criticLoss(config, batch, credit, totals);
  const kl = klLoss(config, batch, totals);
  const solved = solvedLoss(config, batch, totals);
  const pulls = [
    ...pullsOf(config, batch, totals, { ...options, kl }),
    ...(solved ? [{ beta: config.lmWeight, ...solved }] : []),
  ];
  const bonus = bonusOf(config, batch, totals, options);
  const logRatio = batchLogRatios(batch); // [N]
  const use = turnUse(config, batch, actor, logRatio);
  return {
    loss: pulls.reduce((sum, { beta, loss }) => sum + beta * loss, actor.loss) + (bonus?.loss ?? 0),
    dLogprob: pulls.reduce(pulled, actor.dLogprob),
    dLogprobCut: actor.dLogprobCut,
    clipShares: actor.shares,
    picked: actor.picked
      ? Uint8Array.from(broadcast(Float64Array.from(actor.picked), actor.unit)) // [N]
      : null,
    dEntropy: pulls.reduce(entropyPulled, bonus?.dEntropy ?? null),
    valueLoss: critic?.loss ?? null,
    dValue: critic?.dValue ?? null,
    tokenRatio: logRatio.map(exp),
    ...use,
    metrics: {
      ...actorMetrics(actor, use, logRatio, batch),
      ...(kl ? { "actor/kl_loss": kl.loss } : {}),
      ...(config.own?.regulariser === undefined ? {} : { "actor/regulariser": pulls[0]!.loss }),
      ...(solved ? { "actor/success_lm_loss": solved.loss } : {}),
      ...(critic ? criticMetrics(config, batch, critic) : {}),
    },
  };
}

/** d_t of every token; 0 where the batch has no old log-probs. [N] */
function batchLogRatios(batch: TrajectoryBatch): Float64Array {
  if (!batch.logprob || !hasColumn(batch, "oldLogprob")) {
    return new Float64Array(batch.tokenStart.at(-1)!); // [N]
  }
  return tokenLogRatios(batch.logprob, batch.oldLogprob!);
}

/** A pull's loss, and its gradient with respect to log-probs. */
interface PullLoss {
  loss: number;
  /** [N] */
  dLogprob: Float64Array;
  /** Absent: 0. [N] */
  dEntropy?: Float64Array;
}

/** With its weight in the loss. */
interface WeightedPull extends PullLoss {
  beta: number;
}

/** gradient + beta x the pull's. [N] */
function pulled(gradient: Float64Array, { beta, dLogprob }: WeightedPull): Float64Array {
  return gradient.map((g, t) => g + beta * dLogprob[t]!);
}

/** The same with respect to entropies; null: 0. [N] */
function entropyPulled(
  gradient: Float64Array | null,
  { beta, dEntropy }: WeightedPull,
): Float64Array | null {
  return dEntropy ? dEntropy.map((g, t) => (gradient?.[t] ?? 0) + beta * g) : gradient;
}

/** What holds the policy near others: the row's own regulariser, or else the settings' pulls. */
function pullsOf(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  totals: LossTotals,
  { kl, entropy }: ObjectiveOptions & { kl: PullLoss | null },
): WeightedPull[] {
  if (config.own?.regulariser !== undefined)
    return [{ beta: 1, ...ownPull(config, batch, totals, entropy) }];
  const old = oldLoss(config, batch, totals);
  return [
    ...(kl ? [{ beta: config.betaKl, ...kl }] : []),
    ...(old ? [{ beta: config.betaOld, ...old }] : []),
  ];
}

function ownPull(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  totals: LossTotals,
  entropies: Float64Array | undefined,
): PullLoss {
  if (!entropies) throw new RangeError("a regulariser needs the entropy of each token");
  const weight = lossWeights(config, batch, totals); // [N]
  const { value, derivative, entropyDerivative } = ownRegulariser(config)({
    logprobs: requireColumn(batch, "logprob", config.name), // [N]
    old: requireColumn(batch, "oldLogprob", config.name), // [N]
    reference: requireColumn(batch, "refLogprob", config.name), // [N]
    entropies,
  });
  return {
    loss: weightedSum(weight, value),
    dLogprob: derivative.map((g, t) => g * weight[t]!),
    dEntropy: entropyDerivative.map((g, t) => g * weight[t]!),
  };
}

/**
 * k3 against the reference, aggregated as the policy loss is; with weight 0 only if the batch has
 * it.
 */
function klLoss(config: AlgorithmConfig, batch: TrajectoryBatch, totals: LossTotals) {
  if (config.betaKl === 0 && !hasColumn(batch, "refLogprob")) return null;
  const refLogprob = requireColumn(batch, "refLogprob", `betaKl ${config.betaKl}`); // [N]
  return pullTo(config, batch, totals, "k3", refLogprob);
}

/** k2 against the policy before the update (DRO, verl/trainer/ppo/core_algos.py, compute_policy_loss_dro). */
function oldLoss(config: AlgorithmConfig, batch: TrajectoryBatch, totals: LossTotals) {
  if (config.betaOld === 0) return null;
  const oldLogprob = requireColumn(batch, "oldLogprob", `betaOld ${config.betaOld}`); // [N]
  return pullTo(config, batch, totals, "k2", oldLogprob);
}

/** What raises the log-probs of successful rollouts; null with weight 0. */
function solvedLoss(config: AlgorithmConfig, batch: TrajectoryBatch, totals: LossTotals) {
  const { lmWeight, name } = config;
  if (lmWeight === 0) return null;
  const tokens = totals.solvedTokens ?? countSolvedTokens(batch, name);
  return successLoss(batch, requireColumn(batch, "logprob", name), tokens, name);
}

function pullTo(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  totals: LossTotals,
  kind: KlKind,
  target: Float64Array,
): PullLoss {
  const logprob = requireColumn(batch, "logprob", config.name); // [N]
  const weight = lossWeights(config, batch, totals); // [N]
  const { kl, dLogprob } = klPenalty(kind, logprob, target);
  return { loss: weightedSum(weight, kl), dLogprob: dLogprob.map((g, t) => g * weight[t]!) };
}

/** Aggregated like the policy loss if that aggregates tokens; else the mean over tokens. */
function bonusOf(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  totals: LossTotals,
  { entropy, entropyCoef = 0 }: ObjectiveOptions,
) {
  if (entropyCoef === 0) return null;
  if (!entropy) throw new RangeError("an entropy bonus needs the entropy of each token");
  const usual = aggregations[config.aggregation].turn ? "token-mean" : config.aggregation;
  const mode = config.own?.aggregation === undefined ? usual : "token-mean";
  const weight = tokenWeights(mode, offsetsOf(batch), batch.turnStart, totals); // [N]
  return entropyBonus(entropy, weight, entropyCoef);
}
