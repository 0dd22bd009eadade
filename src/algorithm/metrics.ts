/**
 * Metrics under verl's names (verl/trainer/ppo/metric_utils.py), with turn-level additions that
 * have no standard name. Pure numbers; one that is undefined, such as the variance of a single
 * unit, is left out.
 */
import { log } from "../numeric/deterministic.ts";
import { segmentLengths } from "../numeric/segments.ts";
import { explainedVariance, max, mean, min, std } from "../numeric/statistics.ts";
import { trajectoryScores } from "../credit/rewards.ts";
import type { PolicyLoss } from "../objective/policyLoss.ts";
import type { ValueLoss } from "../objective/valueLoss.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit } from "./algorithm.ts";
import type { TurnUse } from "./turnUse.ts";

type Metrics = Record<string, number>;

/** Of one minibatch's policy loss. logRatio [N] */
export function actorMetrics(actor: PolicyLoss, use: TurnUse, logRatio: Float64Array): Metrics {
  const perToken = segmentLengths(actor.unit); // [U]
  const N = logRatio.length;
  const shareOfTokens = (flags: Uint8Array) =>
    flags.reduce((sum, flag, u) => sum + flag * perToken[u]!, 0) / N;
  return {
    "actor/pg_loss": actor.loss,
    "actor/pg_clipfrac": shareOfTokens(actor.clipped),
    "actor/pg_clipfrac_lower": shareOfTokens(actor.clippedLower),
    "actor/ppo_kl": -mean(logRatio),
    "actor/turn_clipfrac": mean(use.turnClipped),
    ...spread("actor/turn_ratio", use.turnRatio),
    "actor/turn_ratio/std": use.turnRatio.length > 1 ? std(use.turnRatio) : 0,
    "actor/turn_logratio_abs_max": max(use.turnRatio.map((w) => Math.abs(log(w)))),
    "actor/turn_ratio_ess": effectiveShare(use.turnRatio),
  };
}

/**
 * Effective sample size as a share of the sample: (sum w)^2 / (n sum w^2); 1 when all weights are
 * equal.
 */
function effectiveShare(w: Float64Array): number {
  const squares = mean(w.map((x) => x * x));
  return (mean(w) * mean(w)) / squares;
}

/** Of one minibatch's value loss. */
export function criticMetrics(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  critic: ValueLoss,
): Metrics {
  return {
    "critic/vf_loss": critic.loss,
    "critic/vf_clipfrac": mean(critic.clipped),
    "critic/vpred_mean": mean(
      (config.critic === "turn" ? batch.turnNewValue : batch.tokenNewValue)!,
    ),
  };
}

/** Of a whole batch's credit, before any update. */
export function creditMetrics(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
): Metrics {
  const score = trajectoryScores(batch); // [B]
  const values = config.critic === "turn" ? batch.turnValue : batch.tokenValue; // [K] or [N]
  const returns = credit.turnReturn ?? credit.tokenReturn; // [K] or [N]
  return {
    ...spread("critic/score", score),
    ...spread("critic/rewards", score),
    ...spread("critic/advantages", credit.tokenAdvantage),
    ...spread("num_turns", segmentLengths(batch.turnStart)),
    "turn_len/mean": mean(segmentLengths(batch.tokenStart)),
    ...spreadByTurn(batch, credit),
    ...(values && returns ? valueMetrics(config, batch, values, returns) : {}),
    ...(config.critic === "turn" && credit.delta
      ? { "critic/turn_td_error/abs_mean": mean(credit.delta.map(Math.abs)) }
      : {}),
  };
}

function valueMetrics(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  values: Float64Array,
  returns: Float64Array,
): Metrics {
  const explained = values.length > 1 ? explainedVariance(returns, values) : null;
  const metrics = { ...spread("critic/values", values), ...spread("critic/returns", returns) };
  if (explained !== null) metrics["critic/vf_explained_var"] = explained;
  if (config.critic !== "turn" || explained === null) return metrics;
  metrics["critic/turn_vf_explained_var"] = explained;
  for (const [h, turns] of turnsByIndex(batch)) {
    const [R, V] = [returns, values].map((x) => turns.map((k) => x[k]!)) as [number[], number[]];
    metrics[`critic/turn_vf_explained_var/${h}`] = explainedVariance(R, V);
  }
  return metrics;
}

/** Spread of advantages among the h-th turns. */
function spreadByTurn(batch: TrajectoryBatch, { turnAdvantage }: Credit): Metrics {
  const entries = turnsByIndex(batch).map(([h, turns]) => [
    `critic/turn_adv_std/${h}`,
    std(turns.map((k) => turnAdvantage[k]!)),
  ]);
  return Object.fromEntries(entries) as Metrics;
}

/** The h-th turns of all trajectories, h from 1, where there are at least two. */
function turnsByIndex({ turnStart }: TrajectoryBatch): [number, number[]][] {
  const byIndex: number[][] = [];
  for (let b = 0; b < turnStart.length - 1; b++) {
    for (let k = turnStart[b]!; k < turnStart[b + 1]!; k++) {
      (byIndex[k - turnStart[b]!] ??= []).push(k);
    }
  }
  return byIndex.flatMap((turns, i) => (turns.length > 1 ? [[i + 1, turns]] : []));
}

/** name/mean, name/max, name/min, as verl logs them. */
export function spread(name: string, x: ArrayLike<number>): Metrics {
  return { [`${name}/mean`]: mean(x), [`${name}/max`]: max(x), [`${name}/min`]: min(x) };
}
